(* halfspace-check: the proved checker, with files around it.

   usage: halfspace-check CERT DATA...
          halfspace-check --list LIST     LIST: lines of CERT<tab>DATA...; prints one exit status a line
          halfspace-check --sha256 FILE

   Exit status: 0 valid, 1 not valid, 2 usage, 65 no certificate, 66 a file is missing, 69 not covered by the proofs. *)

module Zarith = Z
open Checker
module Z = Zarith

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

let words_of paths =
  let where file line = Printf.sprintf "%s:%s" (List.nth paths (Z.to_int file)) (Z.to_string line) in
  let nth what i = Printf.sprintf "%s %s does not hold" what (Z.to_string i) in
  function
  | Same_label_twice -> "a label is given twice"
  | Bias_is_no_decimal -> "the bias coordinate is no decimal"
  | Too_few_classes -> "too few classes"
  | Data_unreadable (Unreadable_line (file, line)) ->
      where file line ^ ": not a label and index:value, indices ascending"
  | Data_unreadable (Unknown_label (file, line)) -> where file line ^ ": a label that the certificate does not mention"
  | Wrong_row_count file -> List.nth paths (Z.to_int file) ^ " has another number of rows"
  | Wrong_file_count -> "another number of files"
  | Wrong_features -> "the data have other features"
  | Wrong_class_count -> "a class has another number of rows"
  | Everything_left_out -> "every row is excluded: the verdict is empty"
  | Wrong_separator i -> nth "separator" i
  | Wrong_combination i -> nth "combination" i
  | Wrong_claim i -> nth "claim" i
  | Wrong_verdict -> "the verdict does not follow from the claims"

let reject paths why =
  match why with
  | Bias_is_no_decimal -> raise (Certificate_file.Not_covered (words_of paths why))
  | _ -> raise (Not_valid (words_of paths why))

(* As answer_of of Checker.v, with the characters read from files. *)
let verify raw paths =
  let files, certificate = Certificate_file.read raw in
  require (List.compare_lengths files paths = 0) 
    (Printf.sprintf "the certificate is about %d files" (List.length files));
  let plan = match prepare certificate with Inl plan -> plan | Inr why -> reject paths why in
  let read (number, used, tally) ((stated : Certificate_file.file), (path, rows)) =
    let state = ref (begin_file used tally) in
    let sha256, bytes = for_pieces path (fun buffer n ->
      for i = 0 to n - 1 do state := plan_byte plan number !state (Bytes.unsafe_get buffer i) done) in
    require (sha256 = stated.sha256 && Z.equal bytes stated.bytes) (path ^ " is not the certified file");
    match after_file number rows (plan_end plan number !state) with
    | Inl (used, tally) -> (Z.succ number, used, tally)
    | Inr why -> reject paths why in
  let tasks = List.combine files (List.combine paths certificate.about.source_sizes) in
  let _, used, tally = List.fold_left read (Z.zero, Z.zero, first_tally certificate) tasks in
  (match finish certificate used tally with Accepted -> () | Rejected why -> reject paths why);
  certificate

let claim_words = function
  | Separable _ -> "separable" | Not_separable _ -> "not separable" | Margin_at_most _ -> "margin at most"
  | Mistakes_at_most (_, n) -> "mistakes at most " ^ Z.to_string n
  | Rule_A _ -> "rule A" | Not_rule_A _ -> "not rule A" | Closed_half_space _ -> "closed half-space"
  | Errors_at_most (_, _, n) -> "errors at most " ^ Z.to_string n
  | Errors_at_least (_, n, _) -> "errors at least " ^ Z.to_string n

let verdict_words = function
  | Says_separable -> "separable" | Says_not_separable -> "not separable" | Says_undecided -> "undecided"

let status ~quiet path data =
  let say channel line = if not quiet then (output_string channel (line ^ "\n")) in
  try
    let certificate = verify (read_whole path) data in
    List.iter (fun claim -> say stdout ("  checked  " ^ claim_words claim)) certificate.claims;
    say stdout ("valid: " ^ verdict_words certificate.stated);
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
