(* How far weights are from the minimum of a support vector machine's objective, by weak duality.

   Points are signed, z = y x with the bias coordinate if there is one; a term has the price c of the point's loss and
   its dual variable a. The losses are hinge losses or their squares. Some coordinates have a penalty, and the others,
   as a bias may, have none: there the sum of a z must be 0. Minimum.v applies this to certificates. *)

From Coq Require Import List ZArith NArith QArith Qminmax Lia Lqa.
Require Import Statements Decimals Algebra Checker Measure Mistakes Runs.
Import ListNotations.

(* ---- The claims *)

Record term_of_loss := { price : Q; dual_variable : Q; at_point : signed_point }.

Definition combined (terms : list term_of_loss) : signed_point :=
  flat_map (fun t => times (dual_variable t) (at_point t)) terms.

(* Products over the coordinates with a penalty. *)
Definition inner_on (keys : list (nat * N)) (u w : weights) : Q := product (weight_of u) (weight_of w) keys.
Definition difference (u w : weights) : weights := fun k j => u k j - w k j.
Definition distance_on (keys : list (nat * N)) (u w : weights) : Q :=
  inner_on keys (difference u w) (difference u w).

(* P(w) = |w|^2 / 2 + sum of c l(<w, z>) *)
Definition primal_on (l : loss_kind) (keys : list (nat * N)) (terms : list term_of_loss) (w : weights) : Q :=
  inner_on keys w w / 2 + total (fun t => price t * loss_at l (dot w (at_point t))) terms.

(* D(a) = sum of a - |v|^2 / 2, v the sum of a z; for squared losses, sum of (a - a^2 / (4 c)) - |v|^2 / 2. For logistic
   losses this is a lower bound of it, as [loss_at] is an upper one; Softmax.v has their duality. *)
Definition own_part (l : loss_kind) (t : term_of_loss) : Q :=
  match l with
  | Hinge => dual_variable t
  | Squared_hinge => dual_variable t - dual_variable t * dual_variable t / (4 * price t)
  | Logistic => entropy_below (price t) [dual_variable t]
  end.
Definition dual_on (l : loss_kind) (keys : list (nat * N)) (terms : list term_of_loss) : Q :=
  total (own_part l) terms - inner_on keys (value_at (combined terms)) (value_at (combined terms)) / 2.

Definition within (l : loss_kind) (t : term_of_loss) : Prop :=
  match l with
  | Hinge => 0 <= dual_variable t <= price t
  | Squared_hinge => 0 < price t /\ 0 <= dual_variable t
  | Logistic => 0 < price t /\ 0 <= dual_variable t <= price t
  end.
Definition balanced (keys : list (nat * N)) (terms : list term_of_loss) : Prop :=
  forall k j, ~ In (k, j) keys -> value_at (combined terms) k j == 0.

Definition minimizes (p : weights -> Q) (u : weights) : Prop := forall w, p u <= p w.

(* No weights have an objective below D; those of any w are near v, and near a minimum, if there is one. *)
Definition certifies (l : loss_kind) (keys : list (nat * N)) (terms : list term_of_loss) : Prop := forall w,
  let p := primal_on l keys terms in
  let d := dual_on l keys terms in
  d <= p w /\
  distance_on keys w (value_at (combined terms)) <= 2 * (p w - d) /\
  forall u, minimizes p u -> distance_on keys w u <= 2 * (p w - d).

Definition Duality (l : loss_kind) : Prop := forall keys terms, NoDup keys -> balanced keys terms ->
  Forall (within l) terms -> certifies l keys terms.
Definition Hinge_duality : Prop := Duality Hinge.
Definition Squared_hinge_duality : Prop := Duality Squared_hinge.

(* ---- Distances *)

(* [lra] that knows halves, which it takes for unknowns. *)
Ltac by_halves := unfold Qdiv in *; change (/ 2) with (1 # 2) in *; lra.

Section Keys.
Variable keys : list (nat * N).

Lemma distance_expands u w : distance_on keys u w == inner_on keys u u - 2 * inner_on keys u w + inner_on keys w w.
Proof.
  unfold distance_on, inner_on. induction keys as [|i l IH]; [rewrite !product_nil; ring|].
  rewrite !product_cons, IH. unfold weight_of, difference. ring.
Qed.

Lemma distance_nonneg u w : 0 <= distance_on keys u w.
Proof. apply product_square_nonneg. Qed.

Lemma distance_sym u w : distance_on keys u w == distance_on keys w u.
Proof.
  unfold distance_on, inner_on. induction keys as [|i l IH]; [reflexivity|].
  rewrite !product_cons, IH. unfold weight_of, difference. ring.
Qed.

(* What is 0 elsewhere has its products here. *)
Lemma dot_on w z : NoDup keys -> (forall k j, ~ In (k, j) keys -> value_at z k j == 0) ->
  dot w z == inner_on keys w (value_at z).
Proof.
  intros U O. set (rest := filter (fun i => if in_dec key_dec i keys then false else true) (nodup key_dec (map fst z))).
  assert (apart : forall i, In i rest -> ~ In i keys).
  { intros i I. apply filter_In in I as [_ I]. destruct (in_dec key_dec i keys); [discriminate|assumption]. }
  assert (once : NoDup (rest ++ keys)) by (apply once_apart; [apply NoDup_filter, NoDup_nodup|exact U|exact apart]).
  rewrite (dot_by_keys w z (rest ++ keys) once).
  - assert (none : forall l, (forall i, In i l -> ~ In i keys) ->
      product (weight_of w) (weight_of (value_at z)) l == 0).
    { induction l as [|[k j] l IH]; intros A; [reflexivity|]. rewrite product_cons, IH.
      - unfold weight_of at 2. cbn [fst snd]. rewrite O; [ring|]. apply A. left. reflexivity.
      - intros i I. apply A. right. exact I. }
    assert (E : forall l, product (weight_of w) (weight_of (value_at z)) (l ++ keys) ==
      product (weight_of w) (weight_of (value_at z)) l + inner_on keys w (value_at z)).
    { induction l as [|i l IH]; [rewrite product_nil; unfold inner_on; cbn [app]; ring|]. cbn [app].
      rewrite !product_cons, IH. ring. }
    rewrite E, none by exact apart. ring.
  - intros e I. apply in_or_app. destruct (in_dec key_dec (fst e) keys) as [K|K]; [right; exact K|left].
    apply filter_In. split; [apply nodup_In, in_map, I|].
    destruct (in_dec key_dec (fst e) keys); [contradiction|reflexivity].
Qed.

Lemma dot_combined w terms :
  dot w (combined terms) == total (fun t => dual_variable t * dot w (at_point t)) terms.
Proof.
  induction terms as [|t terms IH]; [reflexivity|]. rewrite total_cons, <- IH. unfold combined. cbn [flat_map].
  rewrite dot_app, dot_times. reflexivity.
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

(* ---- Weak duality: c l is at least a line with slope -a, so P(w) - D is at least |w - v|^2 / 2. *)

Lemma hinge_bounds m : 0 <= Qmax 0 (1 - m) /\ 1 - m <= Qmax 0 (1 - m).
Proof. split; [apply Q.le_max_l|apply Q.le_max_r]. Qed.

Lemma loss_line l t m : l <> Logistic -> within l t ->
  own_part l t - dual_variable t * m <= price t * loss_at l m.
Proof.
  intros E. unfold loss_at. destruct (hinge_bounds m) as [N H]. set (h := Qmax 0 (1 - m)) in *.
  set (a := dual_variable t) in *. set (c := price t) in *. destruct l; [| |congruence]; cbn [within own_part];
    fold a c;
    intros [L U].
  - nra.
  - assert (F : c * (h * h) - (a * h - a * a / (4 * c)) == c * ((h - a / (2 * c)) * (h - a / (2 * c)))) by (field; lra).
    pose proof (square_nonneg (h - a / (2 * c))) as S.
    assert (0 <= c * ((h - a / (2 * c)) * (h - a / (2 * c)))) by (apply Qmult_le_0_compat; lra).
    assert (0 <= a * (h - (1 - m))) by (apply Qmult_le_0_compat; lra). lra.
Qed.

Lemma gap_at_least l terms w : l <> Logistic -> NoDup keys -> balanced keys terms -> Forall (within l) terms ->
  distance_on keys w (value_at (combined terms)) / 2 <= primal_on l keys terms w - dual_on l keys terms.
Proof.
  intros E U B R.
  assert (H : Forall (fun t => own_part l t - dual_variable t * dot w (at_point t)
    <= price t * loss_at l (dot w (at_point t))) terms).
  { eapply Forall_impl; [|exact R]. intros t I. apply loss_line; assumption. }
  apply total_at_most in H. rewrite total_difference, <- dot_combined, (dot_on w _ U B) in H.
  rewrite distance_expands. unfold primal_on, dual_on. by_halves.
Qed.

(* ---- Strong convexity: a step from the minimum u towards w cannot lower the objective. *)

Definition between (s : Q) (u w : weights) : weights := fun k j => (1 - s) * u k j + s * w k j.

Lemma dot_between s u w z : dot (between s u w) z == (1 - s) * dot u z + s * dot w z.
Proof.
  induction z as [|[[k j] v] z IH]; [rewrite !dot_nil; ring|]. rewrite !dot_cons, IH. unfold between. ring.
Qed.

Lemma loss_is_convex l s m n p : l <> Logistic -> 0 <= s <= 1 -> p == (1 - s) * m + s * n ->
  loss_at l p <= (1 - s) * loss_at l m + s * loss_at l n.
Proof.
  intros L0 B E. destruct (hinge_bounds m) as [Nm Hm], (hinge_bounds n) as [Nn Hn].
  assert (C : Qmax 0 (1 - p) <= (1 - s) * Qmax 0 (1 - m) + s * Qmax 0 (1 - n)).
  { destruct B as [L U]. apply Q.max_lub; nra. }
  unfold loss_at. destruct l; [exact C| |congruence]. destruct (hinge_bounds p) as [Np _].
  set (b := Qmax 0 (1 - p)) in *.
  set (q := Qmax 0 (1 - m)) in *. set (t := Qmax 0 (1 - n)) in *. set (r := (1 - s) * q + s * t) in *.
  assert (b * b <= r * r) by nra.
  assert (F : (1 - s) * (q * q) + s * (t * t) - r * r == s * (1 - s) * ((q - t) * (q - t))) by (unfold r; ring).
  pose proof (square_nonneg (q - t)) as S. destruct B as [L U].
  assert (0 <= s * (1 - s)) by (apply Qmult_le_0_compat; lra).
  assert (0 <= s * (1 - s) * ((q - t) * (q - t))) by (apply Qmult_le_0_compat; assumption). lra.
Qed.

Lemma length_between s u w : inner_on keys (between s u w) (between s u w)
  == (1 - s) * inner_on keys u u + s * inner_on keys w w - s * (1 - s) * distance_on keys u w.
Proof.
  unfold distance_on, inner_on. induction keys as [|i l IH]; [rewrite !product_nil; ring|].
  rewrite !product_cons, IH. unfold weight_of, difference, between. ring.
Qed.

Lemma primal_between l terms s u w : l <> Logistic -> Forall (fun t => 0 <= price t) terms -> 0 <= s <= 1 ->
  primal_on l keys terms (between s u w)
  <= (1 - s) * primal_on l keys terms u + s * primal_on l keys terms w - s * (1 - s) * distance_on keys u w / 2.
Proof.
  intros E0 N B. unfold primal_on. rewrite length_between.
  assert (K : total (fun t => price t * loss_at l (dot (between s u w) (at_point t))) terms
    <= total (fun t => (1 - s) * (price t * loss_at l (dot u (at_point t)))
                       + s * (price t * loss_at l (dot w (at_point t)))) terms).
  { apply total_at_most. eapply Forall_impl; [|exact N]. intros t P. cbv beta in *.
    pose proof (loss_is_convex l s _ _ _ E0 B (dot_between s u w (at_point t))) as E.
    pose proof (Qmult_le_0_compat _ _ P (proj1 (Qle_minus_iff _ _) E)). lra. }
  rewrite total_weighted in K. by_halves.
Qed.

Lemma near_the_minimum l terms u w : l <> Logistic -> Forall (fun t => 0 <= price t) terms ->
  minimizes (primal_on l keys terms) u ->
  distance_on keys w u <= 2 * (primal_on l keys terms w - primal_on l keys terms u).
Proof.
  intros E0 N M. rewrite distance_sym. pose proof (M w) as W. pose proof (distance_nonneg u w) as D.
  set (d := distance_on keys u w) in *. set (g := primal_on l keys terms w - primal_on l keys terms u).
  assert (step : forall s, 0 < s <= 1 -> (1 - s) * d <= 2 * g).
  { intros s B. pose proof (primal_between l terms s u w E0 N ltac:(lra)) as K. fold d in K.
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
End Keys.

(* ---- The theorems *)

Lemma duality l : l <> Logistic -> Duality l.
Proof.
  intros E0 keys terms U B R w p d.
  assert (N : Forall (fun t => 0 <= price t) terms).
  { eapply Forall_impl; [|exact R]. intros t I. destruct l; [| |congruence]; destruct I; lra. }
  pose proof (fun v => gap_at_least keys l terms v E0 U B R) as G. fold p d in G.
  pose proof (fun v => distance_nonneg keys v (value_at (combined terms))) as D. split; [|split].
  - pose proof (G w). pose proof (D w). by_halves.
  - pose proof (G w). by_halves.
  - intros u M. pose proof (near_the_minimum keys l terms u w E0 N M) as C. fold p in C.
    pose proof (G u). pose proof (D u). by_halves.
Qed.

Theorem hinge_duality : Hinge_duality.
Proof. apply duality. discriminate. Qed.

Theorem squared_hinge_duality : Squared_hinge_duality.
Proof. apply duality. discriminate. Qed.
