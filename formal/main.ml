(* halfspace-check: the proved checker, with files around it.

   usage: halfspace-check CERT DATA...
          halfspace-check --list LIST     LIST: lines of CERT<tab>DATA...; prints one exit status a line
          halfspace-check --sha256 FILE

   Exit status: 0 valid, 1 not valid, 2 usage, 65 no certificate, 66 a file is missing, 69 not covered by the proofs. *)

module Zarith = Z
module Rational = Q
open Checker
module Z = Zarith
module Q = Rational

exception Not_valid of string
exception Missing of string

let require holds otherwise = if not holds then raise (Not_valid otherwise)

let read_whole path =
  try
    let channel = open_in_bin path in
    Fun.protect ~finally:(fun () -> close_in channel) (fun () ->
      really_input_string channel (in_channel_length channel))
  with Sys_error why -> raise (Missing why)

let packed_by start =
  let begins magic = String.length start >= String.length magic && String.sub start 0 (String.length magic) = magic in
  if begins "\x1f\x8b" then Some "gzip" else if begins "\x28\xb5\x2f\xfd" then Some "zstd"
  else if begins "\xfd7zX" then Some "xz" else if begins "BZh" then Some "bzip2" else None

(* Calls [f] for pieces of the file, and returns its digest and size. *)
let for_pieces path f =
  let channel = try open_in_bin path with Sys_error why -> raise (Missing why) in
  let buffer = Bytes.create 65536 and hash = Sha256.create () in
  Fun.protect ~finally:(fun () -> close_in channel) (fun () ->
    let rec loop size =
      let n = try input channel buffer 0 (Bytes.length buffer) with Sys_error why -> raise (Missing why) in
      if n = 0 then size
      else begin
        if size = 0 then
          Option.iter (fun by -> raise (Certificate_file.Not_covered ("data packed by " ^ by ^ ": unpack " ^ path)))
            (packed_by (Bytes.sub_string buffer 0 (min n 8)));
        Sha256.add hash buffer 0 n;
        f buffer n;
        loop (size + n)
      end in
    let size = loop 0 in
    (Sha256.finish hash, Z.of_int size))

let words_of_part = function
  | Two_classes_only -> "not a question of two classes"
  | Every_row -> "a row is not 0 where it must be"
  | Aliased_coordinates -> "an aliased coordinate is not"
  | Identified_coordinates -> "the rank rows do not identify all other coordinates"
  | Weights_of_aliased -> "a weight that is not 0 at an aliased coordinate"
  | The_direction -> "the direction has a wrong row, or separates none"
  | The_kind -> "neither overlap, nor complete separation, nor quasi-complete separation"
  | The_span -> "the null space is not that of the witness's rows"
  | Finite_coefficients -> "a coefficient is not finite"
  | Signs_of_coefficients -> "a sign does not hold"

let words_of_minimum = function
  | The_costs -> "a cost that is not above 0"
  | The_vectors -> "not one vector for each class"
  | Range_of_duals -> "a dual variable above its cost"
  | Rows_of_duals -> "a dual variable of a row that is not in the question"
  | Sum_of_duals -> "the dual variables of both sides have different sums, which a bias without a penalty forbids"
  | The_primal -> "the objective of the weights is not what is stated"
  | The_dual -> "the objective of the dual variables is not what is stated"

let words_of paths =
  let where file line = Printf.sprintf "%s:%s" (List.nth paths (Z.to_int file)) (Z.to_string line) in
  let nth what i = Printf.sprintf "%s %s does not hold" what (Z.to_string i) in
  function
  | Same_label_twice -> "a label is given twice"
  | Bias_is_no_decimal -> "the bias coordinate is no decimal"
  | Too_few_classes -> "too few classes"
  | Table_is_not_clear -> "a category or a coordinate of the table is given twice"
  | Data_unreadable (Unreadable_line (file, line)) -> where file line ^ ": not a row as the certificate describes them"
  | Data_unreadable (Uncovered_line (file, line)) -> where file line ^ ": a quote that is not closed, or an empty name"
  | Data_unreadable (Unknown_label (file, row)) ->
      where file row ^ ": row with a label that the certificate does not mention"
  | Data_unreadable (Unreadable_images file) -> where file Z.zero ^ ": not such images and labels"
  | Wrong_row_count file -> List.nth paths (Z.to_int file) ^ " has another number of rows"
  | Wrong_file_count -> "another number of files"
  | Wrong_features -> "the data have other features"
  | Wrong_class_count -> "a class has another number of rows"
  | Everything_left_out -> "every row is excluded: the verdict is empty"
  | Wrong_separator i -> nth "separator" i
  | Wrong_combination i -> nth "combination" i
  | Wrong_claim i -> nth "claim" i
  | Wrong_verdict -> "the verdict does not follow from the claims"
  | Wrong_coefficients what -> "coefficients: " ^ words_of_part what
  | Wrong_minimum (i, what) -> Printf.sprintf "minimum, vector %s: %s" (Z.to_string i) (words_of_minimum what)

let reject paths why =
  match why with
  | Bias_is_no_decimal | Data_unreadable (Uncovered_line _) -> raise (Certificate_file.Not_covered (words_of paths why))
  | _ -> raise (Not_valid (words_of paths why))

let same (stated : Certificate_file.file) path (sha256, bytes) =
  require (sha256 = stated.sha256 && Z.equal bytes stated.bytes) (path ^ " is not the certified file")

let read_lines plan number used tally stated path =
  let state = ref (begin_lines plan used tally) in
  same stated path (for_pieces path (fun buffer n ->
    for i = 0 to n - 1 do state := plan_byte plan number !state (Bytes.unsafe_get buffer i) done));
  after_lines (plan_end plan number !state)

(* x-images-idx3-y has its labels in x-labels-idx1-y. *)
let labels_beside path =
  let folder = Filename.dirname path and name = Filename.basename path and part = "images-idx3" in
  let rec find at =
    if at < 0 then raise (Missing (path ^ ": no images-idx3 in the name: where are the labels?"))
    else if at + String.length part <= String.length name && String.sub name at (String.length part) = part then at
    else find (at - 1) in
  let at = find (String.length name) in
  let rest = at + String.length part in
  Filename.concat folder (String.sub name 0 at ^ "labels-idx1" ^ String.sub name rest (String.length name - rest))

let read_images plan number used tally images_stated labels_stated path =
  let labels_path = labels_beside path in
  let labels = Buffer.create 65536 in
  same labels_stated labels_path (for_pieces labels_path (fun buffer n -> Buffer.add_subbytes labels buffer 0 n));
  let front = Buffer.create 16 and state = ref None in
  let start () =
    state := Some (plan_images plan number (Certificate_file.explode (Buffer.contents front))
      (Certificate_file.explode (Buffer.contents labels)) tally) in
  same images_stated path (for_pieces path (fun buffer n ->
    for i = 0 to n - 1 do
      match !state with
      | Some s -> state := Some (plan_pixel plan number s (Bytes.unsafe_get buffer i))
      | None -> Buffer.add_char front (Bytes.get buffer i); if Buffer.length front = 16 then start ()
    done));
  if !state = None then start ();
  after_images number used (Option.get !state)

(* As answer_of of Checker.v, with the characters read from files. *)
let verify raw paths =
  let sources, certificate = Certificate_file.read raw in
  require (List.compare_lengths sources paths = 0)
    (Printf.sprintf "the certificate is about %d files" (List.length sources));
  let plan = match prepare certificate with Inl plan -> plan | Inr why -> reject paths why in
  let read (number, used, tally) (files, (path, rows)) =
    let found = match files with
      | [ file ] -> read_lines plan number used tally file path
      | [ images; labels ] -> read_images plan number used tally images labels path
      | _ -> assert false in
    match of_size number rows found with
    | Inl (used, tally) -> (Z.succ number, used, tally)
    | Inr why -> reject paths why in
  let tasks = List.combine sources (List.combine paths certificate.about.source_sizes) in
  let _, used, tally = List.fold_left read (Z.zero, Z.zero, first_tally certificate) tasks in
  (match finish certificate used tally with Accepted -> () | Rejected why -> reject paths why);
  certificate

let claim_words = function
  | Separable _ -> "separable" | Not_separable _ -> "not separable" | Margin_at_most _ -> "margin at most"
  | Mistakes_at_most (_, n) -> "mistakes at most " ^ Z.to_string n
  | Rule_A _ -> "rule A" | Not_rule_A _ -> "not rule A" | Closed_half_space _ -> "closed half-space"
  | Errors_at_most (_, _, n) -> "errors at most " ^ Z.to_string n
  | Errors_at_least (_, n, _) -> "errors at least " ^ Z.to_string n

(* What is proved of the coefficients, with coordinates as in the certificate. *)
let coefficient_words (c : certificate) (l : regression) =
  let d = c.about in
  let features = Z.to_int d.features in
  let coordinates = List.init (features + if d.bias = None then 0 else 1) (fun j ->
    (j, coefficient_of c l (if j = features then Z.zero else Z.of_int (j + 1)))) in
  let those kinds = List.filter (fun (_, kind) -> List.mem kind kinds) coordinates in
  let number kinds = string_of_int (List.length (those kinds)) in
  let rows = List.fold_left Z.add Z.zero d.sizes in
  let on_it = match l.direction with
    | Some i -> let s = List.nth c.separators i in Z.add s.zero_negative s.zero_positive
    | None -> rows in
  let kind = match kind_of l with
    | Overlap -> "overlap: the maximum-likelihood fit exists, every coefficient is finite"
    | Complete -> "complete separation: a hyperplane separates all rows"
    | Quasi_complete ->
        Printf.sprintf
          "quasi-complete separation: a hyperplane separates %s of %s rows, with the others on it; no other separates \
           more"
          (Z.to_string (Z.sub rows on_it)) (Z.to_string rows) in
  let counts =
    Printf.sprintf "coefficients: %s finite, %s infinite, %s undetermined, %s undecided, %s aliased" (number [ Finite ])
      (number [ Plus_infinity; Minus_infinity ]) (number [ Undetermined ]) (number [ Infinite ]) (number [ Aliased ]) in
  let listed (words, kind) = match those [ kind ] with
    | [] -> None
    | l -> Some (Printf.sprintf "%s: %s" words (String.concat ", " (List.map (fun (j, _) -> string_of_int j) l))) in
  kind :: counts
  :: List.filter_map listed
       [ ("plus infinity", Plus_infinity); ("minus infinity", Minus_infinity);
         ("finite or infinite of either sign", Undetermined); ("infinite or undetermined", Infinite);
         ("aliased", Aliased) ]

(* About the first digits of a fraction, for people: the certificate has all. *)
let about_fraction (q : q) = Printf.sprintf "%.10g" (Q.to_float (Q.make q.qnum q.qden))

let minimum_words (c : certificate) (o : minimization) =
  let loss, is = match o.loss_of with
    | Hinge -> ("hinge", "is") | Squared_hinge -> ("squared hinge", "is") | Logistic -> ("logistic", "is at most") in
  let loss = if o.joint = None then loss else "multinomial logistic" in
  let figures name primal dual =
    let gap = Q.sub (Q.make primal.qnum primal.qden) (Q.make dual.qnum dual.qden) in
    let radius = sqrt (Q.to_float (Q.mul (Q.of_int 2) gap)) in
    [ Printf.sprintf "%sthe objective of the weights %s about %s" name is (about_fraction primal);
      Printf.sprintf "%sno weights have an objective below about %s" name (about_fraction dual);
      Printf.sprintf "%severy weight%s is within about %.3g of a minimum's" name
        (if o.penalize_bias then "" else " but the bias") radius ] in
  let of_solution i s =
    let name = match c.about.asked with Two_classes -> "" | Many_classes -> Printf.sprintf "class %d: " i in
    figures name s.primal s.dual in
  Printf.sprintf "the objective is |w|^2 / 2 + the costs of %s losses%s" loss
    (if o.penalize_bias then "" else "; the bias is not penalized")
  :: match o.joint with
     | Some (primal, dual) -> figures "" primal dual
     | None -> List.concat (List.mapi of_solution o.solutions)

let verdict_words (c : certificate) = match c.stated with
  | Says_undecided when c.minimized <> None && c.claims = [] -> "the bounds of the objective"
  | Says_separable -> "separable" | Says_not_separable -> "not separable" | Says_undecided -> "undecided"

let status ~quiet path data =
  let say channel line = if not quiet then (output_string channel (line ^ "\n")) in
  try
    let certificate = verify (read_whole path) data in
    List.iter (fun claim -> say stdout ("  checked  " ^ claim_words claim)) certificate.claims;
    Option.iter (fun l -> List.iter (fun words -> say stdout ("  checked  " ^ words)) (coefficient_words certificate l))
      certificate.coefficients;
    Option.iter (fun o -> List.iter (fun words -> say stdout ("  checked  " ^ words)) (minimum_words certificate o))
      certificate.minimized;
    say stdout ("valid: " ^ verdict_words certificate);
    0
  with
  | Not_valid why -> say stdout ("  wrong    " ^ why); say stdout "not valid"; 1
  | Json.Malformed why -> say stderr (Printf.sprintf "%s: not a certificate: %s" path why); 65
  | Missing why -> say stderr why; 66
  | Certificate_file.Not_covered what -> say stderr ("not covered by the proofs: " ^ what); 69
  | Stack_overflow -> say stderr "not covered by the proofs: too long a line or list for the stack"; 69

let () =
  match List.tl (Array.to_list Sys.argv) with
  | [ "--sha256"; path ] -> print_endline (Sha256.of_string (read_whole path))
  | [ "--list"; path ] ->
      let lines = List.filter (( <> ) "") (String.split_on_char '\n' (read_whole path)) in
      List.iter (fun line ->
        match String.split_on_char '\t' line with
        | certificate :: data -> Printf.printf "%d\n%!" (status ~quiet:true certificate data)
        | [] -> ()) lines
  | certificate :: (_ :: _ as data) -> exit (status ~quiet:false certificate data)
  | _ -> prerr_endline "usage: halfspace-check CERT DATA..."; exit 2
