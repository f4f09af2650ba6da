(* What a certificate claims, and what [check] proves when it accepts one: the page to read, without proofs.

   Formats.v relates the files of the data, as lists of characters, to rows. [holds] gives each claim its meaning for
   these rows, and [Check_is_sound] is the theorem. The rows are all rows of the files;
     that the files can be read at all
   is a part of the conclusion. The numbers are rationals, and so are the weights that "some w" and "no w" range over.
   docs/formats/certificate.md describes the certificate. *)

From Coq Require Import List ZArith NArith QArith Qminmax.
Require Export Formats Logarithms.
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

(* Version 2: which coefficients of a logistic regression are infinite. Numbers are positions in [separators] and
   [combinations]; coordinates are those of a [point]. *)
Inductive sign_proof := Plus_by (combination : nat) | Minus_by (combination : nat) | Undetermined_by (separator : nat).

Record regression := {
  aliased : list (N * nat);         (* a coordinate, and the separator that expresses it by others *)
  rank_rows : list (N * N);         (* a source and a row *)
  direction : option nat;
  witness : option nat;
  null_space : list nat;
  signs : list (N * sign_proof)     (* a coordinate, and why its sign is known, or not determined *)
}.

(* Version 3: how near weights are to the minimum of an objective. *)
Inductive loss_kind := Hinge | Squared_hinge | Logistic.

Record solution := {
  numerators : list Z;              (* of the weights: the bias weight, then those of coordinates 0, 1, 2 ... *)
  weights_over : positive;
  dual_variables : list (N * N * Z);  (* a source, a row and a numerator; those of other rows are 0 *)
  dual_variables_over : positive;
  primal : Q;
  dual : Q
}.

Record minimization := {
  loss_of : loss_kind;
  costs : list Q;                   (* one for each class *)
  penalize_bias : bool;
  solutions : list solution;        (* two classes: one; many: one for each class *)
  joint : option (Q * Q)            (* version 4, a multinomial loss: the primal and dual of all solutions together *)
}.

Record certificate := {
  stated : verdict;
  about : description;
  separators : list separator;
  combinations : list combination;
  claims : list claim;
  coefficients : option regression;
  minimized : option minimization
}.

(* ---- The meaning of claims. *)

Definition weights := nat -> N -> Q.             (* of a block and a coordinate; two classes have the block 0 alone *)
Definition signed_point := list (nat * N * Q).   (* entries of a vector: block, coordinate, value *)

Definition sum (l : list Q) : Q := fold_right Qplus 0 l.
Definition dot (w : weights) (z : signed_point) : Q := sum (map (fun '(k, j, v) => w k j * v) z).
Definition place (k : nat) (factor : Q) (x : point) : signed_point := map (fun '(j, v) => (k, j, factor * v)) x.
Definition place_times (c : Q) (z : signed_point) : signed_point := map (fun '(k, j, v) => (k, j, c * v)) z.
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

(* -- What a certificate states of its separators and combinations: these figures are exact. *)

Definition weights_of (s : separator) : weights :=
  fun k j => inject_Z (nth (N.to_nat j) (nth k (vectors s) []) 0%Z).
(* The least product of a row's points with the weights. *)
Definition agreement (w : weights) (r : row) : option Q :=
  match map (dot w) (signed_points r) with [] => None | q :: l => Some (fold_left Qmin l q) end.
Definition count_rows (w : weights) (f : row -> Q -> bool) : N :=
  N.of_nat (length (filter (fun r => match agreement w r with Some q => f r q | None => false end) rows)).
Definition is_positive (r : row) : bool :=
  match asked d, class r with Two_classes, Some k => Nat.eqb k 1 | _, _ => false end.

Definition separator_holds (s : separator) : Prop :=
  let w := weights_of s in
  squared_norm s == inject_Z (fold_left (fun n v => fold_left (fun n x => n + x * x) v n) (vectors s) 0)%Z /\
  match minimum s with
  | None => forall r, In r rows -> agreement w r = None
  | Some q =>
      (exists r a, In r rows /\ agreement w r = Some a /\ a == q) /\
      forall r a, In r rows -> agreement w r = Some a -> q <= a
  end /\
  wrong s = count_rows w (fun r q => less q 0) /\
  zero_negative s = count_rows w (fun r q => Qeq_bool q 0 && negb (is_positive r)) /\
  zero_positive s = count_rows w (fun r q => Qeq_bool q 0 && is_positive r).

Definition term_point (t : term) (r : row) : signed_point :=
  match asked d with
  | Two_classes => place 0 (if Nat.eqb (term_class t) 1 then 1 else -1) (values r)
  | Many_classes => place (term_class t) 1 (values r) ++ place (term_rival t) (-1) (values r)
  end.
Definition weight_of_terms (l : list term) : Z := fold_left (fun n t => n + term_weight t)%Z l 0%Z.

(* The terms are rows of the question, and the squared distance is |sum N z|^2 / (sum N)^2. *)
Definition combination_holds (c : combination) : Prop :=
  exists named, Forall2 (fun t r => In r rows /\ (source r, number r) = (term_source t, term_row t) /\
      class r = Some (term_class t) /\ In (term_point t r) (signed_points r) /\ (0 < term_weight t)%Z) (terms c)
        named /\
    let z := flat_map (fun e => place_times (inject_Z (term_weight (fst e))) (term_point (fst e) (snd e)))
      (combine (terms c) named) in
    squared_distance c * inject_Z (weight_of_terms (terms c) * weight_of_terms (terms c)) == dot (value_at z) z.

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

(* -- Which coefficients of a logistic regression are infinite.

   A direction v recedes if <v, z> >= 0 for every signed point z: along it the likelihood never falls. It rises for ever
   if a product is positive, and then no maximum is finite. A coefficient is infinite if a receding direction moves it,
   and finite if none does (Albert and Anderson 1984; that theorem is not proved here).

   An aliased coordinate is, on every row, a combination of others, so its weight can be fixed at 0. *)

Definition recedes (v : weights) : Prop := forall z, in_question z -> 0 <= dot v z.

Definition coordinates : list N :=  (* 0 is the bias *)
  let all := map N.of_nat (seq 1 (N.to_nat (features d))) in match bias d with Some _ => 0%N :: all | None => all end.

Inductive kind := Overlap | Quasi_complete | Complete.
Inductive coefficient := Aliased | Finite | Infinite | Plus_infinity | Minus_infinity | Undetermined.

(* What the certificate states. *)
Definition kind_of (l : regression) : kind :=
  match direction l, witness l with
  | None, _ => Overlap
  | Some _, Some _ => Quasi_complete
  | Some _, None => Complete
  end.

Definition is_aliased (l : regression) (j : N) : bool := existsb (fun e => N.eqb (fst e) j) (aliased l).

Definition direction_of (c : certificate) (l : regression) : weights :=
  match direction l with
  | Some i => match nth_error (separators c) i with Some s => weights_of s | None => fun _ _ => 0 end
  | None => fun _ _ => 0
  end.

Definition coefficient_of (c : certificate) (l : regression) (j : N) : coefficient :=
  if is_aliased l j then Aliased
  else if Qeq_bool (direction_of c l 0%nat j) 0 then Finite
  else match find (fun e => N.eqb (fst e) j) (signs l) with
       | None => Infinite
       | Some (_, Plus_by _) => Plus_infinity
       | Some (_, Minus_by _) => Minus_infinity
       | Some (_, Undetermined_by _) => Undetermined
       end.

(* The meaning of these words. *)
Definition kind_holds (k : kind) : Prop :=
  match k with
  | Overlap => forall v, recedes v -> forall z, in_question z -> dot v z == 0
  | Quasi_complete => ~ separable /\ exists v, recedes v /\ exists z, in_question z /\ 0 < dot v z
  | Complete => separable
  end.

Definition fixes_aliased (l : regression) (w : weights) : Prop :=
  forall j, is_aliased l j = true -> w 0%nat j == 0.
Definition allowed (l : regression) (v : weights) : Prop := recedes v /\ fixes_aliased l v.

Definition coefficient_holds (l : regression) (j : N) (k : coefficient) : Prop :=
  match k with
  | Aliased => exists u, ~ u 0%nat j == 0 /\ (forall i, is_aliased l i = true -> i <> j -> u 0%nat i == 0) /\
      forall z, in_question z -> dot u z == 0
  | Finite => forall v, allowed l v -> v 0%nat j == 0
  | Infinite => exists v, allowed l v /\ ~ v 0%nat j == 0
  | Plus_infinity => (forall v, allowed l v -> 0 <= v 0%nat j) /\ exists v, allowed l v /\ 0 < v 0%nat j
  | Minus_infinity => (forall v, allowed l v -> v 0%nat j <= 0) /\ exists v, allowed l v /\ v 0%nat j < 0
  | Undetermined => (exists v, allowed l v /\ 0 < v 0%nat j) /\ exists v, allowed l v /\ v 0%nat j < 0
  end.

(* Coordinates that are not aliased are identified: the rows determine their weights. *)
Definition identified (l : regression) : Prop := forall w, fixes_aliased l w ->
  (forall z, in_question z -> dot w z == 0) -> forall j, In j coordinates -> w 0%nat j == 0.

(* It recedes, and no receding direction is positive on a point where it is 0. *)
Definition separates_most (v : weights) : Prop :=
  recedes v /\ forall z, in_question z -> dot v z == 0 -> forall u, recedes u -> dot u z == 0.

(* No point has another coordinate. *)
Definition covered : Prop := forall z, in_question z -> forall k j v, In (k, j, v) z -> In j coordinates.

Definition regression_holds (c : certificate) (l : regression) : Prop :=
  asked d = Two_classes /\ covered /\
  (forall j, In j coordinates -> coefficient_holds l j (coefficient_of c l j)) /\ identified l /\
  kind_holds (kind_of l) /\ separates_most (direction_of c l).

(* -- How near weights are to the minimum of an objective.

   P(w) = |w|^2 / 2 + sum over rows of cost * loss(y <w, x>). The cost is that of the row's class; y is 1 on the rows of
   one class, which is the positive one of two, and -1 on all others. A bias without a penalty is left out of |w|^2. *)

(* ln (1 + e^-m) is not rational: of logistic losses [loss_at] is a rational number that is at least this, so that P is
   an upper bound, and [entropy_below] is at most c times the entropy of a / c for each a and of what they leave of 1.
   With these bounds this page states what was found of a logistic objective, in rational numbers. Real.v states what
   follows of the objective itself, with Coq's real numbers. *)

Definition loss_at (l : loss_kind) (margin : Q) : Q :=
  let lack := Qmax 0 (1 - margin) in
  match l with Hinge => lack | Squared_hinge => lack * lack | Logistic => softmax_loss_above [margin] end.

Definition entropy_below (c : Q) (l : list Q) : Q :=
  let rest := c - sum l in - (sum (map (fun a => a * log_above (a / c)) l) + rest * log_above (rest / c)).

Section Objective.
Variable o : minimization.
Variable own : nat.  (* the class whose rows have y = 1 *)

Definition side (k : nat) : Q := if Nat.eqb k own then 1 else -1.
Definition row_loss (w : weights) (r : row) : Q :=
  match class r with
  | None => 0
  | Some k => nth k (costs o) 0 * loss_at (loss_of o) (side k * score w r)
  end.

Definition penalized : list N := filter (fun j => (penalize_bias o || negb (N.eqb j 0))%bool) coordinates.
Definition squared_distance_of (w u : weights) : Q :=
  sum (map (fun j => (w 0%nat j - u 0%nat j) * (w 0%nat j - u 0%nat j)) penalized).
Definition objective (w : weights) : Q :=
  sum (map (fun j => w 0%nat j * w 0%nat j) penalized) / 2 + sum (map (row_loss w) rows).

(* P of the stated weights is the stated primal; no weights have a P below the stated dual; and any weights, the stated
   ones among them, are near every minimum u. A bias without a penalty is left out of the distance. Of logistic losses:
   there are dual variables a of the rows whose dual objective is at least the stated one. *)
Definition solution_weights (s : solution) : weights :=
  fun _ j => nth (N.to_nat j) (numerators s) 0%Z # weights_over s.
Definition dual_point (a : row -> Q) : signed_point :=
  flat_map (fun r =>
    match class r with Some k => place_times (a r) (place 0 (side k) (values r)) | None => [] end) rows.
Definition dual_is_shown (stated : Q) : Prop := exists a : row -> Q,
  let v := value_at (dual_point a) in
  (forall r k, In r rows -> class r = Some k -> 0 <= a r <= nth k (costs o) 0) /\
  (forall k j, ~ (k = 0%nat /\ In j penalized) -> v k j == 0) /\
  stated <= sum (map (fun r =>
      match class r with Some k => entropy_below (nth k (costs o) 0) [a r] | None => 0 end) rows)
    - sum (map (fun j => v 0%nat j * v 0%nat j) penalized) / 2.
Definition solution_holds (s : solution) : Prop :=
  match loss_of o with
  | Hinge | Squared_hinge =>
      objective (solution_weights s) == primal s /\
      forall w, dual s <= objective w /\
        forall u, (forall v, objective u <= objective v) -> squared_distance_of w u <= 2 * (objective w - dual s)
  | Logistic => objective (solution_weights s) <= primal s /\ dual_is_shown (dual s)
  end.
End Objective.

(* The classes with y = 1, one for each solution. *)
Definition own_classes : list nat :=
  match asked d with Two_classes => [1%nat] | Many_classes => seq 0 (length (groups d)) end.

(* -- A multinomial loss, which all classes share: P(w) = |w|^2 / 2 + sum of cost * ln (1 + sum of e^-m), where m is the
   score of the row's class less that of another one. Each class has a block of w. Loss and entropy are rational bounds
   again: the bound of P is at most the stated primal, and there are dual variables, one for each row and other class,
   whose dual objective is at least the stated one. *)

Definition others (k : nat) : list nat := filter (fun i => negb (Nat.eqb i k)) (seq 0 (length (groups d))).
Definition rival_point (k other : nat) (x : point) : signed_point := place k 1 x ++ place other (-1) x.

Section Joint.
Variable o : minimization.

Definition joint_keys : list (nat * N) :=
  flat_map (fun k => map (fun j => (k, j)) (penalized o)) (seq 0 (length (groups d))).
Definition joint_weights : weights := fun k j =>
  match nth_error (solutions o) k with Some s => solution_weights s 0%nat j | None => 0 end.
Definition joint_row_loss (w : weights) (r : row) : Q :=
  match class r with
  | None => 0
  | Some k => nth k (costs o) 0 * softmax_loss_above (map (fun i => dot w (rival_point k i (values r))) (others k))
  end.
Definition joint_objective (w : weights) : Q :=
  sum (map (fun '(k, j) => w k j * w k j) joint_keys) / 2 + sum (map (joint_row_loss w) rows).

Definition joint_dual_point (a : row -> nat -> Q) : signed_point :=
  flat_map (fun r =>
    match class r with
    | Some k => flat_map (fun i => place_times (a r i) (rival_point k i (values r))) (others k)
    | None => []
    end) rows.
Definition joint_dual_is_shown (stated : Q) : Prop := exists a : row -> nat -> Q,
  let v := value_at (joint_dual_point a) in
  (forall r k, In r rows -> class r = Some k ->
    Forall (fun i => 0 <= a r i) (others k) /\ sum (map (a r) (others k)) <= nth k (costs o) 0) /\
  (forall k j, ~ In (k, j) joint_keys -> v k j == 0) /\
  stated <= sum (map (fun r =>
      match class r with Some k => entropy_below (nth k (costs o) 0) (map (a r) (others k)) | None => 0 end) rows)
    - sum (map (fun '(k, j) => v k j * v k j) joint_keys) / 2.
End Joint.

Definition minimization_holds (o : minimization) : Prop :=
  length (costs o) = length (groups d) /\ Forall (fun q => 0 < q) (costs o) /\
  match joint o with
  | None => Forall2 (solution_holds o) own_classes (solutions o)
  | Some (p, q) => joint_objective o (joint_weights o) <= p /\ joint_dual_is_shown o q
  end.
End Meaning.

(* The theorem: what an accepted certificate claims holds for the rows of the files, which are readable in one way. *)
Definition Check_is_sound (check : certificate -> list (list text) -> bool) : Prop :=
  forall c sources, check c sources = true ->
    exists rows, sources_read (about c) 0 sources rows /\
      (forall others, sources_read (about c) 0 sources others -> others = rows) /\
      Forall (separator_holds (about c) rows) (separators c) /\ Forall (combination_holds (about c) rows)
        (combinations c) /\
      verdict_holds (about c) rows (stated c) /\ Forall (holds (about c) rows c) (claims c) /\
      match coefficients c with None => True | Some l => regression_holds (about c) rows c l end /\
      match minimized c with None => True | Some o => minimization_holds (about c) rows o end.
