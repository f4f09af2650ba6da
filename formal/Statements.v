(* What a certificate claims, and what [check] proves when it accepts one: the page to read, without proofs.

   A file is a list of characters. [files_read] relates files to rows of exact numbers, [holds] gives each claim its
   meaning for these rows, and [Check_is_sound] is the theorem. The rows are all rows of the files; that a file can be
   read at all is a part of the conclusion. The numbers are rationals, and so are the weights that "some w" and "no w"
   range over. docs/formats/certificate.md describes the certificate. *)

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

(* ---- The certificate. *)

Inductive question := Two_classes | Many_classes.
Inductive tie := A | B.  (* a score of 0 on a positive row is right by A, and an error by B *)

Record description := {
  asked : question;
  zero_based : bool;
  features : N;
  groups : list (list text);     (* the labels of each class *)
  left_out : list text;          (* the labels of rows that are not in the question *)
  bias : option Q;               (* the coordinate that every point gets *)
  sizes : list N;                (* rows of each class *)
  left_out_size : N;
  source_sizes : list N          (* rows of each file *)
}.

Record separator := {
  vectors : list (list Z);       (* one for each block: the bias weight, then those of coordinates 0, 1, 2 ... *)
  squared_norm : Q;
  minimum : option Q;
  wrong : N;
  zero_negative : N;
  zero_positive : N
}.

Record term := { term_source : N; term_row : N; term_class : nat; term_rival : nat; term_weight : Z }.
Record combination := { terms : list term; squared_distance : Q }.

Inductive tree := Packing (combinations : list nat) | Witness (combination : nat) (branches : list tree).

Inductive claim :=
| Separable (by_separator : nat)
| Not_separable (by_combination : nat)
| Margin_at_most (by_combination : nat)
| Mistakes_at_most (by_separator : nat) (count : N)
| Rule_A (by_separator : nat)
| Not_rule_A (by_combination : nat)
| Closed_half_space (by_separator : nat)
| Errors_at_most (by_separator : nat) (t : tie) (count : N)
| Errors_at_least (t : tie) (count : N) (proof : tree).

Inductive verdict := Says_separable | Says_not_separable | Says_undecided.

Record certificate := {
  stated : verdict;
  about : description;
  separators : list separator;
  combinations : list combination;
  claims : list claim
}.

(* ---- The rows of a file. *)

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

Section Reading.
Variable d : description.

Definition first_index : Z := if zero_based d then 0 else 1.

(* The words are index:value; indices ascend from [least], and the coordinates are features of the certificate. *)
Inductive entries (least : Z) : list text -> point -> Prop :=
| last_entry : entries least [] []
| next_entry index value q rest more :
    digits index -> index <> [] -> (least <= numeral index < first_index + Z.of_N (features d))%Z -> decimal value q ->
    entries (numeral index + 1) rest more ->
    entries least ((index ++ ":"%char :: value) :: rest) ((Z.to_N (numeral index - first_index + 1), q) :: more).

Definition with_bias (x : point) : point := match bias d with Some c => (0%N, c) :: x | None => x end.

Definition same_label (s t : text) : Prop := s = t \/ exists q, decimal s q /\ decimal t q.

(* The label belongs to class k, or (None) to the rows left out. *)
Definition class_of (label : text) (k : option nat) : Prop :=
  exists group, match k with Some i => nth_error (groups d) i = Some group | None => left_out d = group end /\
    exists name, In name group /\ same_label name label.

(* The lines from a row number on; a line without words is no row. *)
Inductive rows_of (s : N) : N -> list text -> list row -> Prop :=
| no_line n : rows_of s n [] []
| blank_line n line rest rows : line_words line = [] -> rows_of s n rest rows -> rows_of s n (line :: rest) rows
| data_line n line label more rest x k rows :
    line_words line = label :: more -> ~ In ":"%char label -> entries first_index more x -> class_of label k ->
    rows_of s (n + 1) rest rows ->
    rows_of s n (line :: rest) ({| source := s; number := n; class := k; values := with_bias x |} :: rows).

Definition file_reads (s : N) (file : text) : list row -> Prop := rows_of s 1 (lines (without_mark file)).

Inductive files_read (s : N) : list text -> list row -> Prop :=
| no_file : files_read s [] []
| next_file file rest rows more :
    file_reads s file rows -> files_read (s + 1) rest more -> files_read s (file :: rest) (rows ++ more).
End Reading.

(* ---- The meaning of claims. *)

Definition weights := nat -> N -> Q.             (* of a block and a coordinate; two classes have the block 0 alone *)
Definition signed_point := list (nat * N * Q).   (* entries of a vector: block, coordinate, value *)

Definition sum (l : list Q) : Q := fold_right Qplus 0 l.
Definition dot (w : weights) (z : signed_point) : Q := sum (map (fun '(k, j, v) => w k j * v) z).
Definition place (k : nat) (factor : Q) (x : point) : signed_point := map (fun '(j, v) => (k, j, factor * v)) x.
Definition score (w : weights) (r : row) : Q := dot w (place 0 1 (values r)).

Section Meaning.
Variable d : description.
Variable rows : list row.

(* y x for two classes; for many classes one point for each other class (Kesler). *)
Definition signed_points (r : row) : list signed_point :=
  match class r, asked d with
  | None, _ => []
  | Some k, Two_classes => [place 0 (if Nat.eqb k 1 then 1 else -1) (values r)]
  | Some k, Many_classes =>
      map (fun rival => place k 1 (values r) ++ place rival (-1) (values r))
        (filter (fun rival => negb (Nat.eqb rival k)) (seq 0 (length (groups d))))
  end.

Definition in_question (z : signed_point) : Prop := exists r, In r rows /\ In z (signed_points r).

(* |w|^2 is at most b: whatever coordinates are looked at. *)
Definition squared_length_at_most (w : weights) (b : Q) : Prop :=
  forall keys, NoDup keys -> sum (map (fun '(k, j) => w k j * w k j) keys) <= b.

(* The perceptron from zero weights, in any order of the rows: the weights, as a sum of points, after n updates. *)
Definition value_at (z : signed_point) : weights :=
  fun k j => sum (map (fun '(k', j', v) => if (Nat.eqb k k' && N.eqb j j')%bool then v else 0) z).
Inductive perceptron : signed_point -> N -> Prop :=
| start : perceptron [] 0
| update w n z : perceptron w n -> in_question z -> dot (value_at w) z <= 0 -> perceptron (z ++ w) (n + 1).

Definition less (p q : Q) : bool := negb (Qle_bool q p).
Definition errs (t : tie) (w : weights) (r : row) : bool :=
  match class r with
  | None => false
  | Some k =>
      if Nat.eqb k 1 then match t with A => less (score w r) 0 | B => Qle_bool (score w r) 0 end
      else Qle_bool 0 (score w r)
  end.
Definition errors (t : tie) (w : weights) : N := N.of_nat (length (filter (errs t w) rows)).

Definition separable : Prop := exists w, forall z, in_question z -> 0 < dot w z.

Definition verdict_holds (v : verdict) : Prop :=
  match v with Says_separable => separable | Says_not_separable => ~ separable | Says_undecided => True end.

Definition holds (c : certificate) (this : claim) : Prop :=
  match this with
  | Separable _ => separable
  | Not_separable _ => ~ separable
  | Margin_at_most i =>
      exists combination, nth_error (combinations c) i = Some combination /\
      forall w b g, squared_length_at_most w b -> 0 <= g -> (forall z, in_question z -> g <= dot w z) ->
        g * g <= squared_distance combination * b
  | Mistakes_at_most _ most => forall w n, perceptron w n -> (n <= most)%N
  | Rule_A _ => exists w, errors A w = 0%N
  | Not_rule_A _ => ~ exists w, errors A w = 0%N
  | Closed_half_space _ =>
      exists w, (forall z, in_question z -> 0 <= dot w z) /\ exists z, in_question z /\ 0 < dot w z
  | Errors_at_most _ t n => exists w, (errors t w <= n)%N
  | Errors_at_least t n _ => forall w, (n <= errors t w)%N
  end.
End Meaning.

(* The theorem: what an accepted certificate claims holds for the rows of the files, which are readable in one way. *)
Definition Check_is_sound (check : certificate -> list text -> bool) : Prop :=
  forall c files, check c files = true ->
    exists rows, files_read (about c) 0 files rows /\
      (forall others, files_read (about c) 0 files others -> others = rows) /\
      verdict_holds (about c) rows (stated c) /\ Forall (holds (about c) rows c) (claims c).

(* The reading of decimals: of every text, a number exactly if it is a decimal, and then its value. *)
Definition Decimals_are_exact (read : text -> option Q) : Prop := forall s q, read s = Some q <-> decimal s q.
