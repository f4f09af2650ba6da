(* How files are read: decimals, LIBSVM, CSV and idx, as grammars and plain functions, without proofs.

   [sources_read] relates files, which are lists of characters, to rows of exact numbers. What is left out here is
   refused by the checker: CSV with a field over several lines or with blanks for delimiters, and compressed files. *)

From Coq Require Import Ascii List ZArith NArith QArith Qreduction Qpower.
Import ListNotations.

Definition text := list ascii.

(* ---- Decimals: [+-] digits [. digits] [e [+-] digits], with a digit before the e. *)

Definition code (c : ascii) : Z := Z.of_N (N_of_ascii c).
Definition is_digit (c : ascii) : bool := (48 <=? code c)%Z && (code c <=? 57)%Z.
Definition digits (s : text) : Prop := Forall (fun c => is_digit c = true) s.
Definition numeral (s : text) : Z := fold_left (fun n c => 10 * n + (code c - 48))%Z s 0%Z.

Inductive sign : text -> Z -> Prop :=
| no_sign : sign [] 1
| plus_sign : sign ["+"%char] 1
| minus_sign : sign ["-"%char] (-1).

Inductive fraction : text -> text -> Prop :=
| no_point : fraction [] []
| point_and s : digits s -> fraction ("."%char :: s) s.

Inductive exponent_part : text -> Z -> Prop :=
| no_exponent : exponent_part [] 0
| exponent_and e s t n : In e ["e"%char; "E"%char] -> sign s n -> digits t -> t <> [] ->
    exponent_part (e :: s ++ t) (n * numeral t).

(* The text is a decimal, and q its exact value, in lowest terms. Exponents are at most 100000 in size, unless the value
   is 0. *)
Definition decimal (s : text) (q : Q) : Prop :=
  exists before n whole after places tail e,
    s = before ++ whole ++ after ++ tail /\
    sign before n /\ digits whole /\ fraction after places /\ exponent_part tail e /\ whole ++ places <> [] /\
    (numeral (whole ++ places) = 0 \/ Z.abs e <= 100000)%Z /\
    q = Qred (inject_Z (n * numeral (whole ++ places)) * inject_Z 10 ^ (e - Z.of_nat (length places))).

(* The reading of decimals: of every text, a number exactly if it is a decimal, and then its value. *)
Definition Decimals_are_exact (read : text -> option Q) : Prop := forall s q, read s = Some q <-> decimal s q.

(* ---- The part of the certificate that says how files are read. *)

Inductive question := Two_classes | Many_classes.

(* A column of a table, and the coordinates of its values. *)
Inductive column :=
| Label_column
| Ignored_column
| Numeric_column (coordinate : N) (missing : option N)
| Categorical_column (missing : option N) (categories : list (text * N)).

Record table := {
  delimiter : ascii;
  quote : option ascii;
  names : option (list text);    (* those of the columns, if the first record is a header *)
  missing_texts : list text;
  columns : list column
}.

Inductive layout := Libsvm (zero_based : bool) | Csv (t : table) | Idx.

Record description := {
  asked : question;
  format : layout;
  features : N;
  groups : list (list text);     (* the labels of each class *)
  left_out : list text;          (* the labels of rows that are not in the question *)
  bias : option Q;               (* the coordinate that every point gets *)
  sizes : list N;                (* rows of each class *)
  left_out_size : N;
  source_sizes : list N          (* rows of each source *)
}.

(* ---- The rows of files. *)

Definition point := list (N * Q).  (* coordinates with values; 0 is the bias, j + 1 the coordinate j of the file *)
Record row := { source : N; number : N; class : option nat; values : point }.

Fixpoint split (cut : ascii -> bool) (s : text) : list text :=
  match s with
  | [] => [[]]
  | c :: rest =>
      match split cut rest with
      | piece :: pieces => if cut c then [] :: piece :: pieces else (c :: piece) :: pieces
      | [] => [[c]]
      end
  end.

Definition newline : ascii := "010".
Definition return_mark : ascii := "013".
Definition tab : ascii := "009".
Definition lines : text -> list text := split (Ascii.eqb newline).
Definition blank (c : ascii) : bool := Ascii.eqb " " c || Ascii.eqb tab c.
Definition words (s : text) : list text :=
  filter (fun word => match word with [] => false | _ => true end) (split blank s).
Fixpoint without_comment (s : text) : text :=
  match s with
  | [] => []
  | c :: rest => if Ascii.eqb "#" c then [] else c :: without_comment rest
  end.
Fixpoint without_return (s : text) : text :=
  match s with
  | [] => []
  | c :: rest => match rest with [] => if Ascii.eqb return_mark c then [] else [c] | _ => c :: without_return rest end
  end.
Definition line_words (line : text) : list text := words (without_comment (without_return line)).
Definition without_mark (s : text) : text :=
  match s with
  | a :: b :: c :: rest =>
      if Ascii.eqb "239" a && Ascii.eqb "187" b && Ascii.eqb "191" c then rest else s
  | _ => s
  end.

(* What lines of a text are: to be skipped, a header (only where one is due), or a row with a label. *)
Section Lines.
Variable skipped : text -> Prop.
Variable heads : text -> Prop.
Variable gives : text -> text -> point -> Prop.

Inductive lines_read : bool -> list text -> list (text * point) -> Prop :=
| no_line due : lines_read due [] []
| skipped_line due line rest raw : skipped line -> lines_read due rest raw -> lines_read due (line :: rest) raw
| header_line line rest raw : ~ skipped line -> heads line -> lines_read false rest raw ->
    lines_read true (line :: rest) raw
| row_line line rest raw label x : ~ skipped line -> gives line label x -> lines_read false rest raw ->
    lines_read false (line :: rest) ((label, x) :: raw).
End Lines.

(* -- LIBSVM: a label, and then index:value, from the index [first] on. Coordinate j of the file is j + 1 here. *)

Inductive entries (first features least : Z) : list text -> point -> Prop :=
| last_entry : entries first features least [] []
| next_entry index value q rest more :
    digits index -> index <> [] -> (least <= numeral index < first + features)%Z -> decimal value q ->
    entries first features (numeral index + 1) rest more ->
    entries first features least ((index ++ ":"%char :: value) :: rest) ((Z.to_N (numeral index - first + 1),
      q) :: more).

Definition libsvm_line (first features : Z) (line label : text) (x : point) : Prop :=
  exists more, line_words line = label :: more /\ ~ In ":"%char label /\ entries first features first more x.

Definition libsvm_reads (zero_based : bool) (features : N) (file : text) : list (text * point) -> Prop :=
  lines_read (fun line => line_words line = []) (fun _ => False)
    (libsvm_line (if zero_based then 0 else 1) (Z.of_N features)) false (lines (without_mark file)).

(* -- CSV, a record on a line: fields between delimiters that are not in quotes, without the blanks around them. *)

Section Csv.
Variable t : table.

Definition is_quote (c : ascii) : bool := match quote t with Some q => Ascii.eqb q c | None => false end.
Definition around (c : ascii) : bool := blank c && negb (Ascii.eqb (delimiter t) c).

Fixpoint cut (inside : bool) (s : text) : list text :=
  match s with
  | [] => [[]]
  | c :: rest =>
      let now := if is_quote c then negb inside else inside in
      match cut now rest with
      | piece :: pieces => if Ascii.eqb (delimiter t) c && negb inside then [] :: piece :: pieces else (c :: piece)
        :: pieces
      | [] => [[c]]
      end
  end.

Fixpoint without_front (s : text) : text :=
  match s with c :: rest => if around c then without_front rest else s | [] => [] end.
Definition trimmed (s : text) : text := rev' (without_front (rev' (without_front s))).

(* The text up to the closing quote, which ends the field; two quotes are one. *)
Fixpoint unquoted (s : text) : option text :=
  match s with
  | [] => None
  | c :: rest =>
      if is_quote c then
        match rest with
        | [] => Some []
        | c' :: rest' => if is_quote c' then option_map (cons c) (unquoted rest') else None
        end
      else option_map (cons c) (unquoted rest)
  end.

Definition field (piece : text) : option text :=
  match trimmed piece with
  | c :: rest => if is_quote c then unquoted rest else if existsb is_quote rest then None else Some (c :: rest)
  | [] => Some []
  end.

Definition record_of (line : text) : list (option text) := map field (cut false (without_return line)).

Definition is_missing (v : text) : Prop := v = [] \/ In v (missing_texts t).

(* Each column takes a field: to the labels, or to the point. *)
Inductive columns_read : list column -> list (option text) -> list text -> point -> Prop :=
| no_column : columns_read [] [] [] []
| a_label v more fields labels x : ~ is_missing v \/ v = ["-"%char] -> columns_read more fields labels x ->
    columns_read (Label_column :: more) (Some v :: fields) (v :: labels) x
| ignored v more fields labels x : columns_read more fields labels x ->
    columns_read (Ignored_column :: more) (Some v :: fields) labels x
| a_number v q j m more fields labels x : ~ is_missing v -> decimal v q -> columns_read more fields labels x ->
    columns_read (Numeric_column j m :: more) (Some v :: fields) labels (((j + 1)%N, q) :: x)
| no_number v j m more fields labels x : is_missing v -> columns_read more fields labels x ->
    columns_read (Numeric_column j (Some m) :: more) (Some v :: fields) labels (((m + 1)%N, 1) :: x)
| a_category v j m l more fields labels x : ~ is_missing v -> In (v, j) l -> columns_read more fields labels x ->
    columns_read (Categorical_column m l :: more) (Some v :: fields) labels (((j + 1)%N, 1) :: x)
| no_category v m l more fields labels x : is_missing v -> columns_read more fields labels x ->
    columns_read (Categorical_column (Some m) l :: more) (Some v :: fields) labels (((m + 1)%N, 1) :: x).

Definition csv_line (line label : text) (x : point) : Prop := columns_read (columns t) (record_of line) [label] x.
Definition csv_header (line : text) : Prop := exists l, names t = Some l /\ record_of line = map Some l.
Definition csv_reads (file : text) : list (text * point) -> Prop :=
  lines_read (fun line => Forall (fun c => around c = true) (without_return line)) csv_header csv_line
    (match names t with Some _ => true | None => false end) (lines (without_mark file)).
End Csv.

(* -- idx: a header, then the bytes of images, row by row; and a header, then a byte for each label. *)

Definition byte_text (c : ascii) : text :=
  (let n := N_of_ascii c in
   let digit k := ascii_of_N (48 + k) in
   if n <? 10 then [digit n] else if n <? 100 then [digit (n / 10); digit (n mod 10)]
   else [digit (n / 100); digit (n / 10 mod 10); digit (n mod 10)])%N.

(* Numbers of four bytes. *)
Fixpoint words_of_four (s : text) : list Z :=
  match s with
  | a :: b :: c :: d :: rest => (((code a * 256 + code b) * 256 + code c) * 256 + code d)%Z :: words_of_four rest
  | _ => []
  end.

Fixpoint pixels (j : N) (s : text) : point :=
  match s with
  | [] => []
  | c :: rest => if (code c =? 0)%Z then pixels (j + 1) rest else (j, inject_Z (code c)) :: pixels (j + 1) rest
  end.

Inductive images_read (size : nat) : text -> text -> list (text * point) -> Prop :=
| no_image : images_read size [] [] []
| next_image image rest label labels raw : length image = size -> images_read size rest labels raw ->
    images_read size (image ++ rest) (label :: labels) ((byte_text label, pixels 1 image) :: raw).

Definition idx_reads (features : N) (images labels : text) (raw : list (text * point)) : Prop :=
  exists count height width, (height * width = Z.of_N features)%Z /\
    words_of_four (firstn 16 images) = [2051; count; height; width]%Z /\
    words_of_four (firstn 8 labels) = [2049; count]%Z /\ Z.of_nat (length (skipn 8 labels)) = count /\
    images_read (N.to_nat features) (skipn 16 images) (skipn 8 labels) raw.

Section Reading.
Variable d : description.

(* A source is one file, or for idx images and labels. *)
Definition source_reads (files : list text) (raw : list (text * point)) : Prop :=
  match format d, files with
  | Libsvm zero_based, [file] => libsvm_reads zero_based (features d) file raw
  | Csv t, [file] => csv_reads t file raw
  | Idx, [images; labels] => idx_reads (features d) images labels raw
  | _, _ => False
  end.

Definition with_bias (x : point) : point := match bias d with Some c => (0%N, c) :: x | None => x end.

(* Labels of LIBSVM that are one number are one label, however they are written. *)
Definition labels_are_numbers : bool := match format d with Libsvm _ => true | _ => false end.
Definition same_label (s t : text) : Prop :=
  s = t \/ labels_are_numbers = true /\ exists q, decimal s q /\ decimal t q.

(* The label belongs to class k, or (None) to the rows left out. *)
Definition class_of (label : text) (k : option nat) : Prop :=
  exists group, match k with Some i => nth_error (groups d) i = Some group | None => left_out d = group end /\
    exists name, In name group /\ same_label name label.

(* Rows are counted from 1. *)
Inductive rows_of (s : N) : N -> list (text * point) -> list row -> Prop :=
| no_row n : rows_of s n [] []
| next_row n label x k raw rows : class_of label k -> rows_of s (n + 1) raw rows ->
    rows_of s n ((label, x) :: raw) ({| source := s; number := n; class := k; values := with_bias x |} :: rows).

Inductive sources_read (s : N) : list (list text) -> list row -> Prop :=
| no_source : sources_read s [] []
| next_source files rest raw rows more : source_reads files raw -> rows_of s 1 raw rows ->
  sources_read (s + 1) rest more ->
    sources_read s (files :: rest) (rows ++ more).
End Reading.
