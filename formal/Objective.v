(* How the pass measures the objective of a minimum, P(w), and the bound D(a) of its dual variables: functions only.

   Scores, losses and sums of rows are decimals of integer weights; costs, and their inverses, are integers over one
   denominator. The fractions that are stated are compared once, at the end. Logistic losses and the parts of dual
   variables in D are rounded to integers over [unity]: P upwards, and D downwards. *)

From Coq Require Import List ZArith NArith QArith.
Require Import Statements Decimals Tries Reading Algebra Elimination.
Import ListNotations.

(* ---- Coordinates *)

Fixpoint numbers_from (i : N) (n : nat) : list N := match n with O => [] | S m => i :: numbers_from (i + 1) m end.
Definition all_coordinates (d : description) : list path :=
  let all := map path_of (numbers_from 1 (N.to_nat (features d))) in
  match bias d with Some _ => path_of 0 :: all | None => all end.

Definition penalized_paths (d : description) (o : minimization) : list path :=
  filter (fun p => match p with Top => penalize_bias o | _ => true end) (all_coordinates d).

(* ---- Costs *)

Definition common_denominator (l : list Q) : Z := fold_left (fun n q => Z.lcm n (Zpos (Qden q))) l 1%Z.
Definition numerators_over (n : Z) (l : list Q) : list Z := map (fun q => Qnum q * (n / Zpos (Qden q)))%Z l.
Definition are_over (n : Z) (l : list Q) : bool :=
  (0 <? n)%Z && forallb (fun q => (Qnum q * (n / Zpos (Qden q)) * Zpos (Qden q) =? Qnum q * n)%Z) l.

Record pricing := {
  priced_loss : loss_kind;
  costs_over : Z;
  cost_numerators : list Z;
  inverses_over : Z;          (* of 1 / cost, if the loss is squared; [unity * costs_over] if it is logistic *)
  inverse_numerators : list Z
}.

Definition pricing_of (o : minimization) : pricing :=
  let inverses := match loss_of o with Squared_hinge => map Qinv (costs o) | Hinge | Logistic => [] end in
  let m := common_denominator (costs o) in
  let n := match loss_of o with Logistic => Zpos unity * m | _ => common_denominator inverses end%Z in
  {| priced_loss := loss_of o;
     costs_over := m; cost_numerators := numerators_over m (costs o);
     inverses_over := n; inverse_numerators := numerators_over n inverses |}.

Definition costs_are_clear (d : description) (o : minimization) : bool :=
  let p := pricing_of o in
  Nat.eqb (length (costs o)) (length (groups d)) && forallb (fun q => (0 <? Qnum q)%Z) (costs o) &&
  are_over (costs_over p) (costs o) &&
  are_over (inverses_over p) (match loss_of o with Squared_hinge => map Qinv (costs o) | Hinge | Logistic => [] end).

(* ---- The pass *)

Record meter := {
  prices : pricing;
  own_class : nat;
  numerator_at : trie Z;
  one : Z;                    (* the weights' denominator, the score at the margin 1 *)
  dual_at : id_map Z;
  dual_one : Z
}.

Definition meter_of (p : pricing) (own : nat) (s : solution) : meter :=
  {| prices := p; own_class := own; numerator_at := weight_trie (numerators s); one := Zpos (weights_over s);
     dual_at := fold_left (fun m e => put_id (fst e) (snd e) m) (dual_variables s) Leaf;
     dual_one := Zpos (dual_variables_over s) |}.

(* A dual variable is its numerator over dual_one. *)
Record sums := {
  losses : scaled;            (* costs_over * one * cost * loss; one^2 for a squared loss, unity for a logistic one *)
  duals : Z;
  dual_lacks : Z;             (* 4 * inverses_over * dual_one^2 * what the dual variable a adds less than a to D *)
  dual_rows : bank;           (* numerator * y * row *)
  in_range : bool;
  dual_count : N
}.
Definition no_sums : sums :=
  {| losses := zero; duals := 0; dual_lacks := 0; dual_rows := []; in_range := true; dual_count := 0 |}.

Definition with_loss (m : meter) (k : nat) (x : list cell) (before : scaled) : scaled :=
  let s := score_of (numerator_at m) x in
  let margin := if Nat.eqb k (own_class m) then s else negate s in
  let lack := subtract (Scaled (one m) 0) margin in
  let cost := nth k (cost_numerators (prices m)) 0%Z in
  match priced_loss (prices m) with
  | Hinge => if (0 <? mantissa lack)%Z then add before (multiply_whole cost lack) else before
  | Squared_hinge => if (0 <? mantissa lack)%Z then add before (multiply_whole cost (multiply lack lack)) else before
  | Logistic => add before (Scaled (cost * fixed_loss_above [value margin / inject_Z (one m)]) 0)
  end.

Definition dual_lack (m : meter) (k : nat) (a : Z) : Z :=
  match priced_loss (prices m) with
  | Hinge => 0
  | Squared_hinge => nth k (inverse_numerators (prices m)) 0 * (a * a)
  | Logistic =>
      let whole := nth k (cost_numerators (prices m)) 0 * dual_one m in
      let part := a * costs_over (prices m) in
      let rest := whole - part in
      4 * dual_one m * (part * Zpos unity + part * fixed_log_above (inject_Z part / inject_Z whole) +
        rest * fixed_log_above (inject_Z rest / inject_Z whole))
  end%Z.

Definition bounded_by_cost (l : loss_kind) : bool := match l with Squared_hinge => false | Hinge | Logistic => true end.

Definition dual_fits (m : meter) (k : nat) (a : Z) : bool :=
  (0 <=? a)%Z && (negb (bounded_by_cost (priced_loss (prices m))) ||
    (a * costs_over (prices m) <=? nth k (cost_numerators (prices m)) 0%Z * dual_one m)%Z).

(* Counts a row of class k. *)
Definition weigh_row (m : meter) (s : sums) (k : nat) (r : exact_row) : sums :=
  let l := with_loss m k (cells r) (losses s) in
  match find_id (dual_at m) (row_source r, row_number r) with
  | None => {| losses := l; duals := duals s; dual_lacks := dual_lacks s; dual_rows := dual_rows s;
               in_range := in_range s; dual_count := dual_count s |}
  | Some a =>
      {| losses := l;
         duals := duals s + a;
         dual_lacks := dual_lacks s + dual_lack m k a;
         dual_rows := add_cells 0 (if Nat.eqb k (own_class m) then a else - a) (cells r) (dual_rows s);
         in_range := if in_range s then dual_fits m k a else false;
         dual_count := dual_count s + 1 |}
  end%Z.

(* ---- The end *)

Inductive minimum_part :=
| The_costs | The_vectors | Range_of_duals | Rows_of_duals | Sum_of_duals | The_primal | The_dual.

(* The squared length of the numerators with a penalty. *)
Definition length_at (t : trie Z) (l : list path) : Z := fold_left (fun n p => n + at_path t p * at_path t p)%Z l 0%Z.

(* The sum of rows is 0 but in so many blocks, at coordinates with a penalty. *)
Definition vanishes_outside (blocks : nat) (l : list path) (b : bank) : bool :=
  let inside := set_of l in
  forallb (fun '(k, p, v) => (mantissa v =? 0)%Z || (Nat.ltb k blocks && member p inside)) (bank_entries 0 b).

(* P and D are what is stated; of logistic losses P is at most, and D at least. *)
Definition primal_is_so (m : meter) (s : sums) (l : list path) (q : Q) : bool :=
  let n := (costs_over (prices m) *
    match priced_loss (prices m) with Hinge | Squared_hinge => 1 | Logistic => Zpos unity end)%Z in
  let factor := match priced_loss (prices m) with
    | Hinge => 2 * one m | Squared_hinge => 2 | Logistic => 2 * (one m * one m) end%Z in
  (match priced_loss (prices m) with Hinge | Squared_hinge => is_fraction | Logistic => at_most_fraction end)
    (add (Scaled (length_at (numerator_at m) l * n) 0) (multiply_whole factor (losses s)))
    (q * inject_Z (2 * one m * one m * n)).

Definition dual_is_so (m : meter) (s : sums) (q : Q) : bool :=
  let n := inverses_over (prices m) in
  (match priced_loss (prices m) with Hinge | Squared_hinge => is_fraction | Logistic => at_most_fraction end)
    (subtract (multiply_whole (2 * n) (squares (dual_rows s)))
      (Scaled (4 * dual_one m * n * duals s - dual_lacks s) 0))
    (- q * inject_Z (4 * dual_one m * dual_one m * n)).

Definition solution_parts (l : list path) (s : solution) (m : meter) (found : sums) : list (minimum_part * bool) :=
  [(Range_of_duals, in_range found);
   (Rows_of_duals, N.eqb (dual_count found) (fold_left (fun n _ => n + 1)%N (dual_variables s) 0%N));
   (Sum_of_duals, vanishes_outside 1 l (dual_rows found));
   (The_primal, primal_is_so m found l (primal s));
   (The_dual, dual_is_so m found (dual s))].

(* ---- A multinomial loss: each class has a meter, and all dual variables are over the same number, [joint_over] *)

Record joint_sums := {
  joint_losses : Z;           (* unity * costs_over * cost * loss *)
  joint_entropies : Z;        (* unity * costs_over * dual_one * what the dual variables add to D *)
  joint_rows : bank;          (* numerator * the row, in the block of its class, and with a minus in the other's *)
  joint_in_range : bool;
  joint_count : N
}.
Definition no_joint_sums : joint_sums :=
  {| joint_losses := 0; joint_entropies := 0; joint_rows := []; joint_in_range := true; joint_count := 0 |}.

Definition joint_score (x : list cell) (m : meter) : Q := value (score_of (numerator_at m) x) / inject_Z (one m).
Definition dual_in (i : id) (m : meter) : Z := match find_id (dual_at m) i with Some a => a | None => 0%Z end.
Definition whole_sum (l : list Z) : Z := fold_right Z.add 0%Z l.

Definition joint_entropy (p : pricing) (over cost : Z) (l : list Z) : Z :=
  let whole := (cost * over)%Z in
  let rest := (whole - whole_sum l * costs_over p)%Z in
  let term part := (part * fixed_log_above (inject_Z part / inject_Z whole))%Z in
  (- (whole_sum (map (fun a => term (a * costs_over p)) l) + term rest))%Z.

Definition add_jointly (k : nat) (l : list (nat * Z)) (x : list cell) (b : bank) : bank :=
  fold_left (fun b '(i, a) => if (a =? 0)%Z then b else add_cells i (- a) x b) l
    (let all := whole_sum (map snd l) in if (all =? 0)%Z then b else add_cells k all x b).

Definition weigh_jointly (d : description) (p : pricing) (over : Z) (ms : list meter) (s : joint_sums) (k : nat)
  (r : exact_row) : joint_sums :=
  let cost := nth k (cost_numerators p) 0%Z in
  let scores := map (joint_score (cells r)) ms in
  let duals := map (dual_in (row_source r, row_number r)) ms in
  let pairs := map (fun i => (i, nth i duals 0%Z)) (others d k) in
  let l := map snd pairs in
  {| joint_losses := joint_losses s +
       cost * fixed_loss_above (map (fun i => nth k scores 0%Q - nth i scores 0%Q)%Q (others d k));
     joint_entropies := joint_entropies s + joint_entropy p over cost l;
     joint_rows := add_jointly k pairs (cells r) (joint_rows s);
     joint_in_range := if joint_in_range s then
       forallb (Z.leb 0) l && (whole_sum l * costs_over p <=? cost * over) else false;
     joint_count := joint_count s + fold_right (fun a n => if (a =? 0)%Z then n else n + 1)%N 0%N l |}%Z.

Definition joint_primal_is_so (p : pricing) (ms : list meter) (s : joint_sums) (l : list path) (q : Q) : bool :=
  Qle_bool (sum (map (fun m => inject_Z (length_at (numerator_at m) l) / inject_Z (one m * one m)) ms) / 2 +
    inject_Z (joint_losses s) / inject_Z (Zpos unity * costs_over p)) q.

Definition joint_dual_is_so (p : pricing) (over : Z) (s : joint_sums) (q : Q) : bool :=
  let n := (Zpos unity * costs_over p)%Z in
  at_most_fraction (subtract (multiply_whole n (squares (joint_rows s))) (Scaled (2 * over * joint_entropies s) 0))
    (- q * inject_Z (2 * over * over * n)).

Definition joint_over (o : minimization) : Z :=
  match solutions o with s :: _ => Zpos (dual_variables_over s) | [] => 1%Z end.

Definition joint_parts (d : description) (o : minimization) (stated : Q * Q) (ms : list meter) (found : joint_sums)
  : list (minimum_part * bool) :=
  let l := penalized_paths d o in
  let count n s := fold_left (fun n _ => n + 1)%N (dual_variables s) n in
  [(The_vectors, Nat.eqb (length (solutions o)) (length (groups d)));
   (Range_of_duals, joint_in_range found);
   (Rows_of_duals, N.eqb (joint_count found) (fold_left count (solutions o) 0%N));
   (Sum_of_duals, vanishes_outside (length (groups d)) l (joint_rows found));
   (The_primal, joint_primal_is_so (pricing_of o) ms found l (fst stated));
   (The_dual, joint_dual_is_so (pricing_of o) (joint_over o) found (snd stated))].
