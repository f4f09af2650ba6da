(* The certificate file as the extracted types have it: its checksum, its form, and its texts as numbers. *)

open Json

let expect holds what = if not holds then fail what

let explode text = List.init (String.length text) (String.get text)

(* ---- Fields *)

let fields ?(perhaps = []) keys = function
  | Object members ->
      let known (key, _) = List.mem key keys || List.mem key perhaps in
      expect (List.for_all known members) "an unknown key";
      List.map (fun key -> match List.assoc_opt key members with Some v -> v | None -> fail ("no " ^ key)) keys
  | _ -> fail "not an object"
let optional key = function Object members -> List.assoc_opt key members | _ -> None
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

let source files_of_one v = match fields [ "files"; "rows" ] v with
  | [ files; rows ] ->
      let file v = match fields [ "name"; "sha256"; "bytes" ] v with
        | [ name; sha256; bytes ] -> { name = text name; sha256 = digest sha256; bytes = count bytes }
        | _ -> assert false in
      let files = List.map file (items files) in
      expect (List.length files = files_of_one) "too many files, or too few";
      (files, count rows)
  | _ -> assert false

(* ---- Tables *)

let distinct l = List.length (List.sort_uniq compare l) = List.length l
let one_of marks s = String.length s = 1 && String.contains marks s.[0]
let blank_or_delimiter = "\t !#$%&'()*,/:;<=>?@[\\]^`{|}~"
let comment_marks = "!#$%&'()*,/:;<=>?@[\\]^_`{|}~"
let rec ascending = function a :: (b :: _ as rest) -> String.compare a b < 0 && ascending rest | _ -> true

let column features v =
  let coordinate v = below features v in
  let perhaps = function Null -> None | v -> Some (coordinate v) in
  let role = match optional "role" v with Some r -> text r | None -> fail "a column without a role" in
  match role with
  | "label" | "ignored" ->
      (match fields [ "name"; "role" ] v with
       | [ name; _ ] -> (text name, if role = "label" then Checker.Label_column else Ignored_column)
       | _ -> assert false)
  | "numeric" ->
      (match fields [ "name"; "role"; "coordinate"; "missing" ] v with
       | [ name; _; at; missing ] -> (text name, Checker.Numeric_column (coordinate at, perhaps missing))
       | _ -> assert false)
  | "categorical" ->
      (match fields [ "name"; "role"; "missing"; "categories"; "coordinates" ] v with
       | [ name; _; missing; categories; coordinates ] ->
           let categories = List.map text (items categories) in
           let coordinates = List.map coordinate (items coordinates) in
           expect (distinct categories && List.compare_lengths categories coordinates = 0)
             "not one coordinate for each category";
           let categories = List.combine (List.map explode categories) coordinates in
           (text name, Checker.Categorical_column (perhaps missing, categories))
       | _ -> assert false)
  | _ -> fail "an unknown role"

(* The form of what the proofs do not cover is checked, too. *)
let table features v =
  let delimiter, header, columns =
    let other_keys = match v with Object members -> List.map fst members | _ -> [] in
    match fields ~perhaps:other_keys [ "delimiter"; "header"; "columns" ] v with
    | [ delimiter; header; columns ] -> (text delimiter, bool header, List.map (column features) (items columns))
    | _ -> assert false in
  expect (one_of blank_or_delimiter delimiter) "an unknown delimiter";
  let decimal = Option.map text (optional "decimal" v) in
  expect (decimal = None || decimal = Some ",") "an unknown decimal mark";
  let quote = match Option.map text (optional "quote" v) with
    | None -> Some '"' | Some "none" -> None | Some "single" -> Some '\'' | Some _ -> fail "an unknown quote" in
  let skipped = Option.map count (optional "skip_lines" v) in
  expect (skipped <> Some Z.zero) "lines to skip that are none";
  let comment = Option.map text (optional "comment" v) in
  Option.iter (fun marks ->
    let each = List.map (String.make 1) (explode marks) in
    let forbidden m = m = delimiter || Some m = Option.map (String.make 1) quote in
    expect (each <> [] && List.for_all (fun m -> one_of comment_marks m && not (forbidden m)) each && ascending each)
      "unknown marks of comments") comment;
  let thousands = Option.map text (optional "thousands" v) in
  Option.iter (fun mark ->
    expect (one_of ",. '" mark && mark <> Option.value decimal ~default:"." && (mark = "," || mark <> delimiter))
      "an unknown mark between thousands") thousands;
  let missing = match optional "missing" v with
    | None -> [ "?"; "NA" ]
    | Some l ->
        let l = List.map text (items l) in
        expect (ascending ("" :: l) && l <> [ "?"; "NA" ]) "missing values do not ascend";
        l in
  let taken = List.concat_map (fun (_, c) -> Checker.coordinates_of c) columns in
  expect (distinct taken && Z.equal (Z.of_int (List.length taken)) features)
    "a coordinate is given twice, or not at all";
  expect (List.length (List.filter (fun (_, c) -> c = Checker.Label_column) columns) = 1) "not one label column";
  let uncovered what = raise (Not_covered ("CSV with " ^ what)) in
  if delimiter = " " then uncovered "blanks between fields";
  if Some delimiter.[0] = quote then uncovered "a quote for a delimiter";
  if decimal <> None then uncovered "decimal commas";
  if thousands <> None then uncovered "marks between thousands";
  if skipped <> None then uncovered "lines to skip";
  if comment <> None then uncovered "comments";
  let names = if header then Some (List.map (fun (name, _) -> explode name) columns) else None in
  { Checker.delimiter = delimiter.[0]; quote; names; missing_texts = List.map explode missing;
    columns = List.map snd columns }

let description asked v =
  let own, perhaps, files, numbers = match Option.map text (optional "format" v) with
    | Some "libsvm" -> ([ "zero_based" ], [], 1, "decimal")
    | Some "csv" -> ([ "delimiter"; "header"; "columns" ],
                     [ "comment"; "decimal"; "missing"; "quote"; "skip_lines"; "thousands" ], 1, "decimal")
    | Some "idx" -> ([], [], 2, "byte")
    | _ -> fail "an unknown format" in
  let keys = [ "format"; "numbers"; "sources"; "features"; "classes"; "excluded"; "bias"; "bias_scale" ] in
  match fields ~perhaps:(own @ perhaps) keys v with
  | [ format; read_as; sources; features; classes; excluded; bias; scale ] ->
      expect (text read_as = numbers) "unknown numbers";
      expect (List.for_all (fun key -> optional key v <> None) own) "a key is missing";
      let sources = List.map (source files) (items sources) in
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
      let features = below (two_to 31) features in
      let format = match text format with
        | "libsvm" -> Checker.Libsvm (match optional "zero_based" v with Some b -> bool b | None -> assert false)
        | "csv" -> Csv (table features v)
        | _ -> Idx in
      (List.map fst sources,
       { Checker.asked; format; features; groups; left_out; bias; sizes; left_out_size;
         source_sizes = List.map snd sources })
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
  | Object _ when optional "packing" v <> None ->
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
  let name = match optional "claim" v with Some n -> text n | None -> fail "no claim" in
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

(* ---- Version 2: the coefficients of a regression *)

(* Coordinate j of the file is j + 1 for the checker; the one after the last is the bias, 0 for the checker. *)
let coordinate (d : Checker.description) v =
  let j = below (if d.bias = None then d.features else Z.succ d.features) v in
  if Z.equal j d.features then Z.zero else Z.succ j

let strictly_ascending compare what l =
  ignore (List.fold_left (fun before x ->
    expect (match before with None -> true | Some b -> compare b x < 0) what; Some x) None l)

let regression (d : Checker.description) separators combinations v =
  let s = position (List.length separators) and c = position (List.length combinations) in
  let perhaps one = function Null -> None | v -> Some (one v) in
  (* The bias comes last. *)
  let by_coordinate (a, _) (b, _) =
    let after j = if Z.equal j Z.zero then Z.succ d.features else j in
    Z.compare (after a) (after b) in
  let aliased v = match fields [ "coordinate"; "by" ] v with
    | [ j; by ] -> (coordinate d j, s by)
    | _ -> assert false in
  let row v = match fields [ "source"; "row" ] v with
    | [ source; row ] ->
        let i = position (List.length d.source_sizes) source and row = count row in
        expect (Z.sign row > 0 && Z.leq row (List.nth d.source_sizes i)) "not a row of the source";
        (Z.of_int i, row)
    | _ -> assert false in
  let sign v = match fields [ "coordinate"; "sign"; "by" ] v with
    | [ j; sign; by ] ->
        (coordinate d j,
         match text sign with
         | "+" -> Checker.Plus_by (c by)
         | "-" -> Minus_by (c by)
         | "undetermined" -> Undetermined_by (s by)
         | _ -> fail "an unknown sign")
    | _ -> assert false in
  match fields [ "aliased"; "rank_rows"; "direction"; "witness"; "null_space"; "signs" ] v with
  | [ a; rank; direction; witness; null; signs ] ->
      expect (d.asked = Checker.Two_classes) "coefficients of many classes";
      let aliased = List.map aliased (items a) in
      strictly_ascending by_coordinate "aliased coordinates do not ascend" aliased;
      let rank_rows = List.map row (items rank) in
      strictly_ascending (fun (s1, r1) (s2, r2) -> match Z.compare s1 s2 with 0 -> Z.compare r1 r2 | o -> o)
        "rows do not ascend" rank_rows;
      let direction = perhaps s direction and witness = perhaps c witness in
      let null_space = List.map s (items null) in
      let signs = List.map sign (items signs) in
      strictly_ascending by_coordinate "signs do not ascend" signs;
      { Checker.aliased; rank_rows; direction; witness; null_space; signs }
  | _ -> assert false

(* ---- Versions 3 and 4: the minimum of an objective *)

let multinomial = "multinomial logistic"
let objectives = [ "primal"; "dual" ]
let zero = { Checker.qnum = Z.zero; qden = Z.one }
let above_zero what n = expect (Z.sign n > 0) what; n

(* Dual variables are as many as rows, which a stack does not hold. *)
let map_long f l = List.rev (List.rev_map f l)

(* The vectors of a multinomial loss have no objectives of their own. *)
let solution (d : Checker.description) ~joint v =
  let duals i size v = match fields [ "rows"; "values" ] v with
    | [ rows; values ] ->
        let row v =
          let n = count v in
          expect (Z.sign n > 0 && Z.leq n size) "not a row of the source";
          n in
        let rows = map_long row (items rows) in
        strictly_ascending Z.compare "rows of dual variables do not ascend" rows;
        let values = map_long (fun v -> above_zero "a dual variable that is not above 0" (integer v)) (items values) in
        expect (List.compare_lengths rows values = 0) "not one dual variable for each row";
        List.rev_map2 (fun row a -> ((Z.of_int i, row), a)) rows values
    | _ -> assert false in
  let keys = [ "weights"; "bias"; "weights_over"; "dual_variables"; "dual_variables_over" ] in
  match fields (keys @ if joint then [] else objectives) v with
  | weights :: bias :: weights_over :: of_sources :: dual_variables_over :: figures ->
      let primal, dual = match figures with [ p; q ] -> (rational p, rational q) | _ -> (zero, zero) in
      let weights = List.map integer (items weights) and bias = integer bias in
      expect (Z.equal (Z.of_int (List.length weights)) d.features) "not one weight for each feature";
      expect (d.bias <> None || Z.equal bias Z.zero) "a bias, but there is none";
      let of_sources = items of_sources in
      expect (List.compare_lengths of_sources d.source_sizes = 0) "not dual variables for each source";
      let over v = above_zero "a denominator that is not above 0" (integer v) in
      let each = List.mapi (fun i (size, v) -> duals i size v) (List.combine d.source_sizes of_sources) in
      let dual_variables = List.fold_left (fun all l -> List.rev_append l all) [] each in
      { Checker.numerators = bias :: weights; weights_over = over weights_over; dual_variables;
        dual_variables_over = over dual_variables_over; primal; dual }
  | _ -> assert false

let minimization (d : Checker.description) v =
  let joint = optional "loss" v = Some (Text multinomial) in
  match fields ([ "loss"; "costs"; "penalize_bias"; "vectors" ] @ if joint then objectives else []) v with
  | loss :: costs :: penalize :: vectors :: figures ->
      let loss = match text loss with
        | "hinge" -> Checker.Hinge
        | "squared hinge" -> Squared_hinge
        | "logistic" -> Logistic
        | s when s = multinomial && d.asked = Many_classes -> Logistic
        | _ -> fail "an unknown loss" in
      let costs = List.map rational (items costs) in
      expect (List.compare_lengths costs d.groups = 0) "not one cost for each class";
      List.iter (fun (q : Checker.q) -> ignore (above_zero "a cost that is not above 0" q.qnum)) costs;
      let penalize_bias = bool penalize in
      expect (penalize_bias || d.bias <> None) "no bias to leave without a penalty";
      let solutions = List.map (solution d ~joint) (items vectors) in
      expect (List.length solutions = match d.asked with Two_classes -> 1 | Many_classes -> List.length d.groups)
        "not one vector for each class";
      let overs = List.map (fun (s : Checker.solution) -> s.dual_variables_over) solutions in
      expect (not joint || List.for_all (Z.equal (List.hd overs)) overs) "dual variables over several numbers";
      let joint = match figures with [ p; q ] -> Some (rational p, rational q) | _ -> None in
      { Checker.loss_of = loss; costs; penalize_bias; solutions; joint }
  | _ -> assert false

(* ---- The file *)

(* The files of each source, and the certificate. *)
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
  let parsed = parse raw in
  match fields ~perhaps:[ "coefficients"; "minimum" ] keys parsed with
  | [ format; version; tool; question; verdict; data; separators; combinations; claims; _ ] ->
      let of_regression = optional "coefficients" parsed and of_minimum = optional "minimum" parsed in
      let joint = match of_minimum with Some v -> optional "loss" v = Some (Text multinomial) | None -> false in
      let expected = if joint then 4 else if of_minimum <> None then 3 else if of_regression <> None then 2 else 1 in
      expect (text format = "halfspace certificate" && version = Whole (Z.of_int expected)) "an unknown format";
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
      let coefficients = Option.map (regression about separators combinations) of_regression in
      let minimized = Option.map (minimization about) of_minimum in
      (files, { Checker.stated; about; separators; combinations; claims; coefficients; minimized })
  | _ -> assert false
