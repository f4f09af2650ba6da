(* The certificate file as the extracted types have it: its checksum, its form, and its texts as numbers. *)

open Json

let expect holds what = if not holds then fail what

let explode text = List.init (String.length text) (String.get text)

(* ---- Fields *)

let fields keys = function
  | Object members ->
      expect (List.length members = List.length keys) "missing or unknown keys";
      List.map (fun key -> match List.assoc_opt key members with Some v -> v | None -> fail ("no " ^ key)) keys
  | _ -> fail "not an object"
let items = function List l -> l | _ -> fail "not a list"
let text = function Text s -> s | _ -> fail "not a string"
let bool = function Bool b -> b | _ -> fail "neither true nor false"
let two_to n = Z.shift_left Z.one n
let below limit = function Whole n when Z.lt n limit -> n | _ -> fail "not a count, or too large"
let count = below (two_to 64)
let position size v = Z.to_int (below (Z.of_int size) v)
let digest v =
  let s = text v in
  expect (String.length s = 64) "not a digest";
  String.iter (function '0' .. '9' | 'a' .. 'f' -> () | _ -> fail "not a digest") s;
  s

let integer_of s =
  let digits = if s <> "" && s.[0] = '-' then String.sub s 1 (String.length s - 1) else s in
  String.iter (function '0' .. '9' -> () | _ -> fail "not an integer") digits;
  expect (s = "0" || (digits <> "" && digits.[0] <> '0')) "not an integer in canonical form";
  Z.of_string s
let integer v = integer_of (text v)
let rational v =
  let s = text v in
  match String.index_opt s '/' with
  | None -> { Checker.qnum = integer_of s; qden = Z.one }
  | Some i ->
      let p = integer_of (String.sub s 0 i) and q = integer_of (String.sub s (i + 1) (String.length s - i - 1)) in
      expect (Z.gt q Z.one && Z.equal (Z.gcd p q) Z.one) "not in lowest terms";
      { Checker.qnum = p; qden = q }

(* ---- Parts *)

type file = { name : string; sha256 : string; bytes : Z.t }

exception Not_covered of string

let group v = match fields [ "labels"; "rows" ] v with
  | [ labels; rows ] -> (List.map (fun l -> explode (text l)) (items labels), count rows)
  | _ -> assert false

let source v = match fields [ "files"; "rows" ] v with
  | [ files; rows ] ->
      let file = match items files with [ one ] -> one | _ -> fail "not one file" in
      (match fields [ "name"; "sha256"; "bytes" ] file with
       | [ name; sha256; bytes ] -> ({ name = text name; sha256 = digest sha256; bytes = count bytes }, count rows)
       | _ -> assert false)
  | _ -> assert false

let description asked v =
  (match v with
   | Object members ->
       (match List.assoc_opt "format" members with
        | Some (Text "libsvm") -> ()
        | Some (Text (("csv" | "idx") as format)) -> raise (Not_covered ("data in " ^ format))
        | _ -> fail "an unknown format")
   | _ -> fail "no data");
  let keys = [ "numbers"; "sources"; "features"; "zero_based"; "classes"; "excluded"; "bias"; "bias_scale"; "format" ] in
  match fields keys v with
  | [ numbers; sources; features; zero_based; classes; excluded; bias; scale; _ ] ->
      expect (text numbers = "decimal") "unknown numbers";
      let sources = List.map source (items sources) in
      expect (sources <> []) "no source";
      let groups, sizes = List.split (List.map group (items classes)) in
      expect (match asked with Checker.Two_classes -> List.length groups = 2 | Many_classes -> List.length groups >= 2)
        "not as many classes as asked about";
      let left_out, left_out_size = group excluded in
      let scale_value = rational scale in
      expect (Z.sign scale_value.qnum > 0) "a bias that is not positive";
      let bias = match text bias with
        | "none" -> expect (text scale = "1") "a scale without a bias"; None
        | "first" | "last" -> Some scale_value
        | _ -> fail "an unknown bias" in
      (List.map fst sources,
       { Checker.asked; zero_based = bool zero_based; features = below (two_to 31) features; groups; left_out; bias;
         sizes; left_out_size; source_sizes = List.map snd sources })
  | _ -> assert false

let separator (d : Checker.description) v =
  match fields [ "vectors"; "squared_norm"; "minimum"; "wrong"; "zero_negative"; "zero_positive" ] v with
  | [ vectors; norm; minimum; wrong; zero_negative; zero_positive ] ->
      let vector v = match fields [ "weights"; "bias" ] v with
        | [ weights; bias ] ->
            let weights = List.map integer (items weights) and bias = integer bias in
            expect (Z.equal (Z.of_int (List.length weights)) d.features) "not one weight for each feature";
            expect (d.bias <> None || Z.equal bias Z.zero) "a bias, but there is none";
            bias :: weights
        | _ -> assert false in
      let vectors = List.map vector (items vectors) in
      expect (List.length vectors = match d.asked with Two_classes -> 1 | Many_classes -> List.length d.groups)
        "not one vector for each class";
      { Checker.vectors; squared_norm = rational norm;
        minimum = (if text minimum = "none" then None else Some (rational minimum));
        wrong = count wrong; zero_negative = count zero_negative; zero_positive = count zero_positive }
  | _ -> assert false

let term (d : Checker.description) v =
  let classes = List.length d.groups in
  let make source row klass rival weight =
    let s = position (List.length d.source_sizes) source in
    let t = { Checker.term_source = Z.of_int s; term_row = count row; term_class = position classes klass;
              term_rival = rival; term_weight = integer weight } in
    expect (Z.sign t.term_row > 0 && Z.leq t.term_row (List.nth d.source_sizes s)) "not a row of the source";
    expect (Z.sign t.term_weight > 0) "a weight that is not positive";
    t in
  match d.asked with
  | Two_classes ->
      (match fields [ "source"; "row"; "class"; "weight" ] v with
       | [ source; row; klass; weight ] -> make source row klass 0 weight
       | _ -> assert false)
  | Many_classes ->
      (match fields [ "source"; "row"; "class"; "weight"; "rival" ] v with
       | [ source; row; klass; weight; rival ] ->
           let t = make source row klass (position classes rival) weight in
           expect (t.term_rival <> t.term_class) "a class is its own rival";
           t
       | _ -> assert false)

let combination d v = match fields [ "terms"; "squared_distance" ] v with
  | [ terms; distance ] ->
      let terms = List.map (term d) (items terms) in
      expect (terms <> []) "an empty combination";
      let key (t : Checker.term) = (t.term_source, t.term_row, t.term_rival) in
      let ascending (s1, r1, k1) (s2, r2, k2) =
        let c = Z.compare s1 s2 in
        c < 0 || (c = 0 && (let c = Z.compare r1 r2 in c < 0 || (c = 0 && k1 < k2))) in
      ignore (List.fold_left (fun before t ->
        expect (match before with None -> true | Some b -> ascending b (key t)) "terms do not ascend";
        Some (key t)) None terms);
      { Checker.terms; squared_distance = rational distance }
  | _ -> assert false

let rec tree (combinations : Checker.combination array) depth v =
  expect (depth <= 64) "too deep a tree";
  let one = position (Array.length combinations) in
  match v with
  | Object members when List.mem_assoc "packing" members ->
      (match fields [ "packing" ] v with [ l ] -> Checker.Packing (List.map one (items l)) | _ -> assert false)
  | _ ->
      (match fields [ "witness"; "then" ] v with
       | [ witness; branches ] ->
           let i = one witness in
           let branches = List.map (tree combinations (depth + 1)) (items branches) in
           expect (List.compare_lengths branches combinations.(i).terms = 0) "not a branch for each term";
           Checker.Witness (i, branches)
       | _ -> assert false)

let claim (d : Checker.description) separators combinations v =
  let name = match v with
    | Object members -> (match List.assoc_opt "claim" members with Some n -> text n | None -> fail "no claim")
    | _ -> fail "a claim is not an object" in
  let s = position (List.length separators) and c = position (Array.length combinations) in
  let natural v = let n = integer v in expect (Z.sign n >= 0) "a negative count"; n in
  let tie v = match text v with "A" -> Checker.A | "B" -> Checker.B | _ -> fail "an unknown tie rule" in
  let by keys make = match fields ("claim" :: keys) v with _ :: values -> make values | [] -> assert false in
  let only f = by [ "by" ] (function [ i ] -> f i | _ -> assert false) in
  let made = match name with
    | "separable" -> only (fun i -> Checker.Separable (s i))
    | "not separable" -> only (fun i -> Checker.Not_separable (c i))
    | "margin at most" -> only (fun i -> Checker.Margin_at_most (c i))
    | "mistakes at most" ->
        by [ "by"; "count" ] (function [ i; n ] -> Checker.Mistakes_at_most (s i, natural n) | _ -> assert false)
    | "rule A" -> only (fun i -> Checker.Rule_A (s i))
    | "not rule A" -> only (fun i -> Checker.Not_rule_A (c i))
    | "closed half-space" -> only (fun i -> Checker.Closed_half_space (s i))
    | "errors at most" ->
        by [ "by"; "tie"; "count" ]
          (function [ i; t; n ] -> Checker.Errors_at_most (s i, tie t, natural n) | _ -> assert false)
    | "errors at least" ->
        by [ "tie"; "count"; "tree" ]
          (function
            | [ t; n; proof ] -> Checker.Errors_at_least (tie t, natural n, tree combinations 1 proof)
            | _ -> assert false)
    | _ -> fail "an unknown claim" in
  (match made, d.asked with
   | _, Checker.Two_classes | (Separable _ | Not_separable _ | Margin_at_most _ | Mistakes_at_most _), _ -> ()
   | _ -> fail "a claim for two classes only");
  made

(* ---- The file *)

(* The files it is about, and the certificate. *)
let read raw =
  let key = "\"checksum\"" in
  let rec last_key at =
    if at < 0 then fail "it does not end with its checksum"
    else if at + String.length key <= String.length raw && String.sub raw at (String.length key) = key then at
    else last_key (at - 1) in
  let at = last_key (String.length raw - String.length key) in
  let tail = Printf.sprintf "%s: \"%s\"}\n" key (Sha256.of_string (String.sub raw 0 at)) in
  expect (String.sub raw at (String.length raw - at) = tail) "its checksum is not that of its text";
  let keys = [ "format"; "version"; "tool"; "question"; "verdict"; "data"; "separators"; "combinations"; "claims";
               "checksum" ] in
  match fields keys (parse raw) with
  | [ format; version; tool; question; verdict; data; separators; combinations; claims; _ ] ->
      expect (text format = "halfspace certificate" && version = Whole Z.one) "an unknown format";
      ignore (text tool);
      let asked = match text question with
        | "two classes" -> Checker.Two_classes
        | "many classes" -> Checker.Many_classes
        | _ -> fail "an unknown question" in
      let stated = match text verdict with
        | "separable" -> Checker.Says_separable | "not separable" -> Checker.Says_not_separable
        | "undecided" -> Checker.Says_undecided | _ -> fail "an unknown verdict" in
      let files, about = description asked data in
      let separators = List.map (separator about) (items separators) in
      let combinations = List.map (combination about) (items combinations) in
      let claims = List.map (claim about separators (Array.of_list combinations)) (items claims) in
      (files, { Checker.stated; about; separators; combinations; claims })
  | _ -> assert false
