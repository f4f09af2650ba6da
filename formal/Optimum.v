(* How far weights are from the minimum of a support vector machine's objective, by weak duality.

   Points are signed, z = y x with the bias coordinate if there is one; a term has the price c of the point's loss and
   its dual variable a. The losses are hinge losses or their squares. Version 3 of the certificate file states what these
   theorems say; the extracted checker does not check it. *)

From Coq Require Import List ZArith NArith QArith Qminmax Lia Lqa.
Require Import Statements Decimals Algebra Checker Measure Mistakes Runs.
Import ListNotations.

(* ---- The claims *)

Record term_of_loss := { price : Q; dual_variable : Q; at_point : signed_point }.

Definition combined (terms : list term_of_loss) : signed_point :=
  flat_map (fun t => times (dual_variable t) (at_point t)) terms.

Definition squared_hinge (u : weights) (z : signed_point) : Q := hinge u z * hinge u z.

(* P(w) = |w|^2 / 2 + sum of c l(w, z) *)
Definition primal (l : weights -> signed_point -> Q) (terms : list term_of_loss) (w : signed_point) : Q :=
  squared_length w / 2 + total (fun t => price t * l (value_at w) (at_point t)) terms.

(* D(a) = sum of a - |v|^2 / 2; for squared losses, sum of (a - a^2 / (4 c)) - |v|^2 / 2 *)
Definition dual (terms : list term_of_loss) : Q := total dual_variable terms - squared_length (combined terms) / 2.
Definition squared_dual (terms : list term_of_loss) : Q :=
  total (fun t => dual_variable t - dual_variable t * dual_variable t / (4 * price t)) terms
  - squared_length (combined terms) / 2.

Definition in_box (t : term_of_loss) : Prop := 0 <= dual_variable t <= price t.
Definition above_zero (t : term_of_loss) : Prop := 0 < price t /\ 0 <= dual_variable t.

Definition squared_distance_between (w u : signed_point) : Q := squared_length (w ++ times (-1) u).
Definition minimizes (p : signed_point -> Q) (u : signed_point) : Prop := forall w, p u <= p w.

(* No weights have an objective below D; those of any w are near v, and near a minimum, if there is one. *)
Definition certifies (l : weights -> signed_point -> Q) (terms : list term_of_loss) (d : Q) : Prop := forall w,
  d <= primal l terms w /\
  squared_distance_between w (combined terms) <= 2 * (primal l terms w - d) /\
  forall u, minimizes (primal l terms) u -> squared_distance_between w u <= 2 * (primal l terms w - d).

Definition Hinge_duality : Prop := forall terms, Forall in_box terms -> certifies hinge terms (dual terms).
Definition Squared_hinge_duality : Prop := forall terms, Forall above_zero terms ->
  certifies squared_hinge terms (squared_dual terms).

(* ---- Distances *)

(* [lra] that knows halves, which it takes for unknowns. *)
Ltac by_halves := unfold Qdiv in *; change (/ 2) with (1 # 2) in *; lra.

Lemma inner_self a : inner a a = squared_length a.
Proof. reflexivity. Qed.

Lemma distance_expands a b :
  squared_distance_between a b == squared_length a - 2 * inner a b + squared_length b.
Proof.
  unfold squared_distance_between. rewrite <- !inner_self.
  rewrite inner_app_r, !inner_app_l, !inner_times_r, !inner_times_l, (inner_sym b a). ring.
Qed.

Lemma distance_nonneg a b : 0 <= squared_distance_between a b.
Proof. apply squared_length_nonneg. Qed.

Lemma inner_combined w terms :
  inner w (combined terms) == total (fun t => dual_variable t * dot (value_at w) (at_point t)) terms.
Proof.
  induction terms as [|t terms IH]; [reflexivity|]. rewrite total_cons, <- IH. unfold combined. cbn [flat_map].
  rewrite inner_app_r, inner_times_r. reflexivity.
Qed.

Lemma total_at_most (f g : term_of_loss -> Q) terms :
  Forall (fun t => f t <= g t) terms -> total f terms <= total g terms.
Proof. induction 1 as [|t terms E H IH]; [apply Qle_refl|]. rewrite !total_cons. lra. Qed.

Lemma total_difference (f g : term_of_loss -> Q) terms :
  total (fun t => f t - g t) terms == total f terms - total g terms.
Proof. induction terms as [|t terms IH]; [reflexivity|]. rewrite !total_cons, IH. ring. Qed.

Lemma total_weighted s (f g : term_of_loss -> Q) terms :
  total (fun t => (1 - s) * f t + s * g t) terms == (1 - s) * total f terms + s * total g terms.
Proof. induction terms as [|t terms IH]; [unfold total; cbn; ring|]. rewrite !total_cons, IH. ring. Qed.

(* ---- Weak duality: c l is at least a line with slope a, so P(w) - D is at least |w - v|^2 / 2. *)

Lemma gap_at_least l (conjugate : term_of_loss -> Q) terms w :
  Forall (fun t => conjugate t - dual_variable t * dot (value_at w) (at_point t)
                   <= price t * l (value_at w) (at_point t)) terms ->
  squared_distance_between w (combined terms) / 2
  <= primal l terms w - (total conjugate terms - squared_length (combined terms) / 2).
Proof.
  intros H. apply total_at_most in H. rewrite total_difference, <- inner_combined in H.
  rewrite distance_expands. unfold primal. by_halves.
Qed.

Lemma hinge_nonneg u z : 0 <= hinge u z.
Proof. apply Q.le_max_l. Qed.

Lemma hinge_line u t : in_box t ->
  dual_variable t - dual_variable t * dot u (at_point t) <= price t * hinge u (at_point t).
Proof.
  intros [L H]. pose proof (hinge_at_least u (at_point t)). pose proof (hinge_nonneg u (at_point t)). nra.
Qed.

Lemma squared_hinge_line u t : above_zero t ->
  dual_variable t - dual_variable t * dual_variable t / (4 * price t) - dual_variable t * dot u (at_point t)
  <= price t * squared_hinge u (at_point t).
Proof.
  intros [P L]. unfold squared_hinge. pose proof (hinge_at_least u (at_point t)) as H.
  set (h := hinge u (at_point t)) in *. set (m := dot u (at_point t)) in *.
  set (a := dual_variable t) in *. set (c := price t) in *.
  assert (E : c * (h * h) - (a * h - a * a / (4 * c)) == c * ((h - a / (2 * c)) * (h - a / (2 * c)))) by (field; lra).
  pose proof (square_nonneg (h - a / (2 * c))) as S.
  assert (0 <= c * ((h - a / (2 * c)) * (h - a / (2 * c)))) by (apply Qmult_le_0_compat; lra).
  assert (0 <= a * (h - (1 - m))) by (apply Qmult_le_0_compat; lra). lra.
Qed.

(* ---- Strong convexity: a step from the minimum u towards w cannot lower the objective. *)

Definition between (s : Q) (u w : signed_point) : signed_point := times (1 - s) u ++ times s w.
Definition convex (l : weights -> signed_point -> Q) : Prop := forall s u w z, 0 <= s <= 1 ->
  l (value_at (between s u w)) z <= (1 - s) * l (value_at u) z + s * l (value_at w) z.

Lemma dot_between s u w z : dot (value_at (between s u w)) z == (1 - s) * dot (value_at u) z + s * dot (value_at w) z.
Proof.
  fold (inner (between s u w) z) (inner u z) (inner w z). unfold between.
  rewrite inner_app_l, !inner_times_l. reflexivity.
Qed.

Lemma hinge_is_convex : convex hinge.
Proof.
  intros s u w z [L H]. unfold hinge at 1.
  pose proof (hinge_at_least (value_at u) z). pose proof (hinge_nonneg (value_at u) z).
  pose proof (hinge_at_least (value_at w) z). pose proof (hinge_nonneg (value_at w) z).
  apply Q.max_lub; [|rewrite dot_between]; nra.
Qed.

Lemma squared_hinge_is_convex : convex squared_hinge.
Proof.
  intros s u w z B. pose proof (hinge_is_convex s u w z B) as C. unfold squared_hinge.
  pose proof (hinge_nonneg (value_at (between s u w)) z).
  set (b := hinge (value_at (between s u w)) z) in *.
  set (p := hinge (value_at u) z) in *. set (q := hinge (value_at w) z) in *. set (r := (1 - s) * p + s * q) in *.
  assert (b * b <= r * r) by nra.
  assert (E : (1 - s) * (p * p) + s * (q * q) - r * r == s * (1 - s) * ((p - q) * (p - q))) by (unfold r; ring).
  pose proof (square_nonneg (p - q)) as S. destruct B as [L U].
  assert (0 <= s * (1 - s)) by (apply Qmult_le_0_compat; lra).
  assert (0 <= s * (1 - s) * ((p - q) * (p - q))) by (apply Qmult_le_0_compat; assumption). lra.
Qed.

Lemma length_between s u w :
  squared_length (between s u w)
  == (1 - s) * squared_length u + s * squared_length w - s * (1 - s) * squared_distance_between u w.
Proof.
  rewrite distance_expands. rewrite <- !inner_self. unfold between.
  rewrite inner_app_r, !inner_app_l, !inner_times_r, !inner_times_l, (inner_sym w u). ring.
Qed.

Lemma primal_between l terms s u w : convex l -> Forall (fun t => 0 <= price t) terms -> 0 <= s <= 1 ->
  primal l terms (between s u w)
  <= (1 - s) * primal l terms u + s * primal l terms w - s * (1 - s) * squared_distance_between u w / 2.
Proof.
  intros C N B. unfold primal. rewrite length_between.
  assert (K : total (fun t => price t * l (value_at (between s u w)) (at_point t)) terms
    <= total (fun t => (1 - s) * (price t * l (value_at u) (at_point t))
                       + s * (price t * l (value_at w) (at_point t))) terms).
  { apply total_at_most. eapply Forall_impl; [|exact N]. intros t P. cbv beta in *.
    pose proof (C s u w (at_point t) B) as E. pose proof (Qmult_le_0_compat _ _ P (proj1 (Qle_minus_iff _ _) E)). lra. }
  rewrite total_weighted in K. by_halves.
Qed.

Lemma near_the_minimum l terms u w : convex l -> Forall (fun t => 0 <= price t) terms ->
  minimizes (primal l terms) u ->
  squared_distance_between w u <= 2 * (primal l terms w - primal l terms u).
Proof.
  intros C N M. assert (E : squared_distance_between w u == squared_distance_between u w)
    by (rewrite !distance_expands, (inner_sym w u); ring). rewrite E.
  pose proof (M w) as W. pose proof (distance_nonneg u w) as D.
  set (d := squared_distance_between u w) in *. set (g := primal l terms w - primal l terms u).
  assert (step : forall s, 0 < s <= 1 -> (1 - s) * d <= 2 * g).
  { intros s B. pose proof (primal_between l terms s u w C N ltac:(lra)) as K. fold d in K.
    pose proof (M (between s u w)).
    assert (F : s * ((1 - s) * d) <= s * (2 * g)) by (unfold g; by_halves).
    apply (Qmult_le_l _ _ s); [lra|exact F]. }
  destruct (Qlt_le_dec (2 * g) d) as [far|]; [exfalso|assumption].
  (* A step s with s d = (d - 2 g) / 2 leaves (1 - s) d above 2 g. *)
  assert (P : 0 < d) by (unfold g in *; lra).
  assert (F : (d - 2 * g) / (2 * d) * d == (d - 2 * g) / 2) by (field; lra).
  set (s := (d - 2 * g) / (2 * d)) in *.
  assert (G : 0 <= 2 * g) by (unfold g; lra).
  assert (L : 0 < s) by (apply Qlt_shift_div_l; lra).
  assert (U : s <= 1) by (apply Qle_shift_div_r; lra).
  pose proof (step s (conj L U)). assert (H2 : s * d == (1 # 2) * (d - 2 * g)) by (rewrite F; field). lra.
Qed.

(* ---- The theorems *)

Lemma certified l (conjugate : term_of_loss -> Q) terms : convex l -> Forall (fun t => 0 <= price t) terms ->
  (forall w, Forall (fun t => conjugate t - dual_variable t * dot (value_at w) (at_point t)
                              <= price t * l (value_at w) (at_point t)) terms) ->
  certifies l terms (total conjugate terms - squared_length (combined terms) / 2).
Proof.
  intros C N L w. pose proof (fun v => gap_at_least l conjugate terms v (L v)) as G.
  pose proof (fun v => distance_nonneg v (combined terms)) as D. split; [|split].
  - pose proof (G w). pose proof (D w). by_halves.
  - pose proof (G w). by_halves.
  - intros u M. pose proof (near_the_minimum l terms u w C N M). pose proof (G u). pose proof (D u). by_halves.
Qed.

Theorem hinge_duality : Hinge_duality.
Proof.
  intros terms B. apply (certified hinge dual_variable); [exact hinge_is_convex| |intros w];
    (eapply Forall_impl; [|exact B]); intros t I; [destruct I; lra|apply hinge_line, I].
Qed.

Theorem squared_hinge_duality : Squared_hinge_duality.
Proof.
  intros terms B. unfold squared_dual. apply certified; [exact squared_hinge_is_convex| |intros w];
    (eapply Forall_impl; [|exact B]); intros t I; [destruct I; lra|apply squared_hinge_line, I].
Qed.
