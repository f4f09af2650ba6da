(* What a certificate claims, and what [check] proves when it accepts one: the page to read, without proofs.

   Formats.v relates the files of the data, as lists of characters, to rows. [holds] gives each claim its meaning for
   these rows, and [Check_is_sound] is the theorem. The rows are all rows of the files;
     that the files can be read at all
   is a part of the conclusion. The numbers are rationals, and so are the weights that "some w" and "no w" range over.
   docs/formats/certificate.md describes the certificate. *)

From Coq Require Import List ZArith NArith QArith.
Require Export Formats.
Import ListNotations.

(* ---- The certificate. *)

Inductive tie := A | B.  (* a score of 0 on a positive row is right by A, and an error by B *)

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
Definition Check_is_sound (check : certificate -> list (list text) -> bool) : Prop :=
  forall c sources, check c sources = true ->
    exists rows, sources_read (about c) 0 sources rows /\
      (forall others, sources_read (about c) 0 sources others -> others = rows) /\
      verdict_holds (about c) rows (stated c) /\ Forall (holds (about c) rows c) (claims c).
