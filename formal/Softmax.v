(* How far weights are from the minimum of a logistic objective, by weak duality, over the real numbers.

   A row has its price c and a list of rivals: to each belongs a signed point z, right where <w, z> is large, and a dual
   variable a >= 0. Its loss is ln (1 + sum of e^-<w, z>). Of two classes a row has one rival, and z = y x; of many
   classes that share a multinomial loss one for each other class (Kesler). Logistic.v applies this to certificates. *)

From Coq Require Import List ZArith NArith QArith Reals Qreals Lia Lra Psatz.
Require Import Statements Real Logarithms Exponentials Algebra Mistakes Runs.
Import ListNotations.
#[local] Open Scope R_scope.

(* ---- The claims *)

Record rivalry := { stake : Q; rivals : list (Q * signed_point) }.

Definition rivalry_loss (w : real_weights) (t : rivalry) : R :=
  Q2R (stake t) * softmax_loss (fun e => real_dot w (snd e)) (rivals t).

Definition real_inner_on (keys : list (nat * N)) (u w : real_weights) : R :=
  real_sum (fun '(k, j) => u k j * w k j) keys.
Definition real_distance_on (keys : list (nat * N)) (u w : real_weights) : R :=
  real_sum (fun '(k, j) => (u k j - w k j) * (u k j - w k j)) keys.

Definition real_primal_on (keys : list (nat * N)) (terms : list rivalry) (w : real_weights) : R :=
  real_inner_on keys w w / 2 + real_sum (rivalry_loss w) terms.

Definition pulled (terms : list rivalry) : signed_point :=
  flat_map (fun t => flat_map (fun e => place_times (fst e) (snd e)) (rivals t)) terms.
Definition real_value_at (z : signed_point) : real_weights := fun k j => Q2R (value_at z k j).
Definition real_dual_on (keys : list (nat * N)) (terms : list rivalry) : R :=
  real_sum (fun t => Q2R (entropy_below (stake t) (map fst (rivals t)))) terms
  - real_inner_on keys (real_value_at (pulled terms)) (real_value_at (pulled terms)) / 2.

Definition fair (t : rivalry) : Prop :=
  (0 < stake t)%Q /\ Forall (fun e => 0 <= fst e)%Q (rivals t) /\ (sum (map fst (rivals t)) <= stake t)%Q.
Definition evenly (keys : list (nat * N)) (terms : list rivalry) : Prop :=
  forall k j, ~ In (k, j) keys -> (value_at (pulled terms) k j == 0)%Q.

Definition real_minimizes (p : real_weights -> R) (u : real_weights) : Prop := forall w, p u <= p w.

Definition Softmax_duality : Prop := forall keys terms, NoDup keys -> evenly keys terms -> Forall fair terms ->
  forall w, let p := real_primal_on keys terms in let d := real_dual_on keys terms in
  d <= p w /\ forall u, real_minimizes p u -> real_distance_on keys w u <= 2 * (p w - d).

(* ---- One row: its loss is above a plane *)

Section Row.
Context {A : Type}.
Implicit Types (f g h : A -> R) (l : list A).

(* The probabilities add up to 1. *)
Lemma shares_of_one f l : let s := softmax_loss f l in real_sum (fun i => exp (- f i - s)) l + exp (- s) = 1.
Proof.
  cbv zeta. set (s := softmax_loss f l).
  rewrite (real_sum_same _ (fun i => exp (- s) * exp (- f i)) l).
  2: { intros i _. rewrite <- exp_plus. f_equal. ring. }
  rewrite real_sum_times. unfold s, softmax_loss. rewrite exp_Ropp, exp_ln by apply softmax_argument. field.
  apply Rgt_not_eq, softmax_argument.
Qed.

(* The tangent at h. *)
Lemma above_the_tangent f h l : let s := softmax_loss h l in
  s + real_sum (fun i => exp (- h i - s) * (h i - f i)) l <= softmax_loss f l.
Proof.
  cbv zeta. set (s := softmax_loss h l). set (r := softmax_loss f l).
  pose proof (shares_of_one f l) as F. cbv zeta in F. fold r in F.
  pose proof (shares_of_one h l) as H. cbv zeta in H. fold s in H.
  assert (E : real_sum (fun i => exp (- h i - s) * (1 + (s - r)) + exp (- h i - s) * (h i - f i)) l
    <= real_sum (fun i => exp (- f i - r)) l).
  { apply real_sum_at_most. intros i _.
    replace (- f i - r) with ((- h i - s) + ((h i - f i) + (s - r))) by ring. rewrite exp_plus.
    pose proof (exp_ineq1_le (h i - f i + (s - r))). pose proof (exp_pos (- h i - s)). nra. }
  rewrite real_sum_plus in E. rewrite (real_sum_same _ (fun i => (1 + (s - r)) * exp (- h i - s)) l) in E
    by (intros; ring).
  rewrite real_sum_times in E.
  assert (E0 : exp (- s) * (1 + (s - r)) <= exp (- r)).
  { replace (- r) with (- s + (s - r)) by ring. rewrite exp_plus. pose proof (exp_ineq1_le (s - r)).
    pose proof (exp_pos (- s)). nra. }
  set (a := real_sum (fun i => exp (- h i - s)) l) in *. set (b := real_sum (fun i => exp (- f i - r)) l) in *.
  set (c := real_sum _ l) in *. assert (a = 1 - exp (- s)) by lra. subst a. nra.
Qed.

Lemma softmax_is_convex f g h s l : 0 <= s <= 1 -> (forall i, h i = (1 - s) * f i + s * g i) ->
  softmax_loss h l <= (1 - s) * softmax_loss f l + s * softmax_loss g l.
Proof.
  intros B E. pose proof (above_the_tangent f h l) as F. pose proof (above_the_tangent g h l) as G. cbv zeta in F, G.
  set (r := softmax_loss h l) in *. set (x := real_sum _ l) in F. set (y := real_sum _ l) in G.
  assert (S : (1 - s) * x + s * y = 0).
  { unfold x, y. rewrite <- !real_sum_times, <- real_sum_plus. apply real_sum_zero. intros i _. rewrite (E i). ring. }
  nra.
Qed.
End Row.

(* What a share of the stake adds. *)
Lemma share_adds a c x l : (0 <= a)%Q -> (0 < c)%Q -> Q2R (a / c) <= exp l ->
  Q2R a * (1 + x - l) <= Q2R c * exp x.
Proof.
  intros A C H. apply Qlt_Rlt in C. apply Qle_Rle in A. rewrite RMicromega.Q2R_0 in *.
  assert (D : Q2R a <= Q2R c * exp l).
  { rewrite Q2R_div in H by (intros E; apply Qeq_eqR in E; rewrite RMicromega.Q2R_0 in E; lra).
    apply (Rmult_le_compat_l (Q2R c)) in H; [|lra]. replace (Q2R c * (Q2R a / Q2R c)) with (Q2R a) in H by (field; lra).
    exact H. }
  pose proof (exp_ineq1_le (x - l)) as E. pose proof (exp_pos (x - l)) as P.
  replace x with (l + (x - l)) at 2 by ring. rewrite exp_plus.
  assert (Q2R a * (1 + (x - l)) <= Q2R a * exp (x - l)) by (apply Rmult_le_compat_l; assumption).
  assert (Q2R a * exp (x - l) <= Q2R c * exp l * exp (x - l)) by (apply Rmult_le_compat_r; lra). lra.
Qed.

Lemma share_at_most a c : (0 < c)%Q -> (a <= c)%Q -> Q2R (a / c) <= exp (Q2R (log_above (a / c))).
Proof. intros C H. apply log_is_above. apply Qle_shift_div_r; [exact C|]. rewrite Qmult_1_l. exact H. Qed.

Lemma part_of_sum (l : list Q) : Forall (fun a => 0 <= a)%Q l -> (0 <= sum l)%Q /\ forall a, In a l -> (a <= sum l)%Q.
Proof.
  induction 1 as [|a l P F [N IH]]; [split; [discriminate|intros a []]|]. cbn [sum fold_right]. fold (sum l).
  split; [Lqa.lra|]. intros b [<-|I]; [Lqa.lra|]. specialize (IH b I). Lqa.lra.
Qed.

Lemma rivalry_plane w t : fair t ->
  Q2R (entropy_below (stake t) (map fst (rivals t))) - real_sum (fun e => Q2R (fst e) * real_dot w (snd e)) (rivals t)
  <= rivalry_loss w t.
Proof.
  intros (C & P & T). unfold rivalry_loss. set (c := stake t) in *. set (l := rivals t) in *.
  set (s := softmax_loss _ l). pose proof (shares_of_one (fun e => real_dot w (snd e)) l) as One. cbv zeta in One.
  fold s in One. unfold entropy_below. set (b := sum (map fst l)) in *.
  assert (P' : Forall (fun a => 0 <= a)%Q (map fst l)) by (apply Forall_map; exact P).
  apply part_of_sum in P' as [B Each]. fold b in B, Each.
  assert (rest : Q2R (c - b) * (1 + - s - Q2R (log_above ((c - b) / c))) <= Q2R c * exp (- s)).
  { apply share_adds; [Lqa.lra|exact C|]. apply share_at_most; [exact C|]. Lqa.lra. }
  assert (all : real_sum (fun e => Q2R (fst e) * (1 + (- real_dot w (snd e) - s) - Q2R (log_above (fst e / c)))) l
    <= real_sum (fun e => Q2R c * exp (- real_dot w (snd e) - s)) l).
  { apply real_sum_at_most. intros e I. rewrite Forall_forall in P. apply share_adds; [exact (P e I)|exact C|].
    apply share_at_most; [exact C|]. specialize (Each (fst e) (in_map fst _ _ I)). Lqa.lra. }
  rewrite real_sum_times in all.
  rewrite (real_sum_same (fun e : Q * signed_point => Q2R (fst e) * _) (fun e => (1 - s) * Q2R (fst e)
    + - (1) * (Q2R (fst e) * real_dot w (snd e)) + - (1) * (Q2R (fst e) * Q2R (log_above (fst e / c)))) l) in all
    by (intros [a z] _; cbn [fst snd]; ring).
  rewrite !real_sum_plus, !real_sum_times, <- Q2R_sum in all. fold b in all.
  rewrite Q2R_opp, Q2R_plus, Q2R_mult, map_map, Q2R_sum.
  rewrite (real_sum_same (fun i => Q2R (fst i * log_above (fst i / c))) (fun i => Q2R (fst i) * Q2R (log_above (fst i /
    c))))
    by (intros; apply Q2R_mult).
  rewrite Q2R_minus in *. apply Qlt_Rlt in C. rewrite RMicromega.Q2R_0 in C. nra.
Qed.

(* ---- Products over keys *)

Lemma real_dot_cons w k j v z : real_dot w ((k, j, v) :: z) = w k j * Q2R v + real_dot w z.
Proof. reflexivity. Qed.
Lemma real_dot_app w a b : real_dot w (a ++ b) = real_dot w a + real_dot w b.
Proof. apply real_sum_app. Qed.
Lemma real_dot_times w c z : real_dot w (place_times c z) = Q2R c * real_dot w z.
Proof.
  unfold real_dot, place_times. rewrite real_sum_map, <- real_sum_times. apply real_sum_same. intros [[k j] v] _.
  rewrite Q2R_mult. ring.
Qed.

Lemma real_dot_by_keys w z keys : NoDup keys -> (forall e, In e z -> In (fst e) keys) ->
  real_dot w z = real_inner_on keys w (real_value_at z).
Proof.
  intros U. unfold real_inner_on. induction z as [|[[k j] v] z IH]; intros H.
  - symmetry. apply real_sum_zero. intros [k j] _. unfold real_value_at. change (Q2R (value_at [] k j)) with (Q2R 0).
    rewrite RMicromega.Q2R_0. ring.
  - rewrite real_dot_cons, IH by (intros e I; apply H; right; exact I).
    rewrite (real_sum_same (fun '(k', j') => w k' j' * real_value_at ((k, j, v) :: z) k' j')
      (fun i => (if key_dec i (k, j) then w k j * Q2R v else 0) + (let '(k',
        j') := i in w k' j' * real_value_at z k' j'))).
    + rewrite real_sum_plus. f_equal. specialize (H _ (or_introl eq_refl)). cbn [fst] in H. clear IH.
      induction U as [|i keys N U IH]; [destruct H|]. rewrite real_sum_cons. destruct (key_dec i (k, j)) as [->|D].
      * rewrite real_sum_zero; [ring|]. intros i I. destruct (key_dec i (k, j)) as [->|]; [contradiction|reflexivity].
      * destruct H as [->|H]; [congruence|]. rewrite <- IH by exact H. ring.
    + intros [k' j'] _. unfold real_value_at. rewrite (Qeq_eqR _ _ (value_at_cons k j v z k' j')), Q2R_plus.
      unfold at_key.
      destruct (key_dec (k', j') (k, j)) as [[= -> ->]|D].
      * rewrite Nat.eqb_refl, N.eqb_refl. cbn [andb]. ring.
      * destruct (Nat.eqb_spec k' k) as [->|], (N.eqb_spec j' j) as [->|]; try congruence; cbn [andb];
          rewrite RMicromega.Q2R_0; ring.
Qed.

(* What is 0 elsewhere has its products here. *)
Lemma real_dot_on keys w z : NoDup keys -> (forall k j, ~ In (k, j) keys -> (value_at z k j == 0)%Q) ->
  real_dot w z = real_inner_on keys w (real_value_at z).
Proof.
  intros U O. set (rest := filter (fun i => if in_dec key_dec i keys then false else true) (nodup key_dec (map fst z))).
  assert (apart : forall i, In i rest -> ~ In i keys).
  { intros i I. apply filter_In in I as [_ I]. destruct (in_dec key_dec i keys); [discriminate|assumption]. }
  rewrite (real_dot_by_keys w z (rest ++ keys)).
  - unfold real_inner_on. rewrite real_sum_app, real_sum_zero; [ring|]. intros [k j] I. unfold real_value_at.
    rewrite (Qeq_eqR _ _ (O k j (apart _ I))), RMicromega.Q2R_0. ring.
  - apply once_apart; [apply NoDup_filter, NoDup_nodup|exact U|exact apart].
  - intros e I. apply in_or_app. destruct (in_dec key_dec (fst e) keys) as [K|K]; [right; exact K|left].
    apply filter_In. split; [apply nodup_In, in_map, I|].
    destruct (in_dec key_dec (fst e) keys); [contradiction|reflexivity].
Qed.

Lemma real_dot_pulled w terms :
  real_dot w (pulled terms) = real_sum (fun t => real_sum (fun e => Q2R (fst e) * real_dot w (snd e)) (rivals t)) terms.
Proof.
  induction terms as [|t terms IH]; [reflexivity|]. cbn [pulled flat_map]. fold (pulled terms).
  rewrite real_dot_app, IH, real_sum_cons. f_equal. induction (rivals t) as [|e l IHl]; [reflexivity|].
  cbn [flat_map]. rewrite real_dot_app, real_dot_times, real_sum_cons, IHl. reflexivity.
Qed.

Section Keys.
Variable keys : list (nat * N).

Lemma real_distance_expands u w :
  real_distance_on keys u w = real_inner_on keys u u - 2 * real_inner_on keys u w + real_inner_on keys w w.
Proof.
  unfold real_distance_on, real_inner_on. induction keys as [|[k j] l IH]; [unfold real_sum; cbn; ring|].
  rewrite !real_sum_cons, IH. ring.
Qed.

Lemma real_distance_nonneg u w : 0 <= real_distance_on keys u w.
Proof. apply real_sum_nonneg. intros [k j]. pose proof (Rle_0_sqr (u k j - w k j)) as S. exact S. Qed.

Lemma real_distance_sym u w : real_distance_on keys u w = real_distance_on keys w u.
Proof. apply real_sum_same. intros [k j] _. ring. Qed.

(* ---- Weak duality *)

Lemma real_gap_at_least terms w : NoDup keys -> evenly keys terms -> Forall fair terms ->
  real_distance_on keys w (real_value_at (pulled terms)) / 2 <= real_primal_on keys terms w - real_dual_on keys terms.
Proof.
  intros U B F. set (v := real_value_at (pulled terms)).
  assert (H : real_sum (fun t => Q2R (entropy_below (stake t) (map fst (rivals t))) +
      - 1 * real_sum (fun e => Q2R (fst e) * real_dot w (snd e)) (rivals t)) terms
    <= real_sum (rivalry_loss w) terms).
  { apply real_sum_at_most. intros t I. rewrite Forall_forall in F. pose proof (rivalry_plane w t (F t I)). lra. }
  rewrite real_sum_plus, real_sum_times, <- real_dot_pulled, (real_dot_on keys w _ U B) in H. fold v in H.
  rewrite real_distance_expands. unfold real_primal_on, real_dual_on. fold v. lra.
Qed.

(* ---- Strong convexity: a step from the minimum u towards w cannot lower the objective. *)

Definition real_between (s : R) (u w : real_weights) : real_weights := fun k j => (1 - s) * u k j + s * w k j.

Lemma real_dot_between s u w z : real_dot (real_between s u w) z = (1 - s) * real_dot u z + s * real_dot w z.
Proof.
  unfold real_dot. rewrite <- !real_sum_times, <- real_sum_plus. apply real_sum_same. intros [[k j] v] _.
  unfold real_between. ring.
Qed.

Lemma real_length_between s u w : real_inner_on keys (real_between s u w) (real_between s u w) =
  (1 - s) * real_inner_on keys u u + s * real_inner_on keys w w - s * (1 - s) * real_distance_on keys u w.
Proof.
  unfold real_distance_on, real_inner_on. induction keys as [|[k j] l IH]; [unfold real_sum; cbn; ring|].
  rewrite !real_sum_cons, IH. unfold real_between. ring.
Qed.

Lemma real_primal_between terms s u w : Forall fair terms -> 0 <= s <= 1 ->
  real_primal_on keys terms (real_between s u w) <= (1 - s) * real_primal_on keys terms u
    + s * real_primal_on keys terms w - s * (1 - s) * real_distance_on keys u w / 2.
Proof.
  intros F B. unfold real_primal_on. rewrite real_length_between.
  assert (K : real_sum (rivalry_loss (real_between s u w)) terms
    <= real_sum (fun t => (1 - s) * rivalry_loss u t + s * rivalry_loss w t) terms).
  { apply real_sum_at_most. intros t I. rewrite Forall_forall in F. destruct (F t I) as (C & _). apply Qlt_Rlt in C.
    rewrite RMicromega.Q2R_0 in C. unfold rivalry_loss.
    pose proof (softmax_is_convex (fun e => real_dot u (snd e)) (fun e => real_dot w (snd e))
      (fun e => real_dot (real_between s u w) (snd e)) s (rivals t) B
      (fun e => real_dot_between s u w (@snd Q signed_point e))) as E. nra. }
  rewrite real_sum_plus, !real_sum_times in K. lra.
Qed.

Lemma near_a_real_minimum terms u w : Forall fair terms -> real_minimizes (real_primal_on keys terms) u ->
  real_distance_on keys w u <= 2 * (real_primal_on keys terms w - real_primal_on keys terms u).
Proof.
  intros F M. rewrite real_distance_sym. pose proof (M w) as W. pose proof (real_distance_nonneg u w) as D.
  set (d := real_distance_on keys u w) in *. set (g := real_primal_on keys terms w - real_primal_on keys terms u).
  assert (step : forall s, 0 < s <= 1 -> (1 - s) * d <= 2 * g).
  { intros s B. pose proof (real_primal_between terms s u w F ltac:(lra)) as K. fold d in K.
    pose proof (M (real_between s u w)). apply (Rmult_le_reg_l s); [lra|]. unfold g. lra. }
  apply Rnot_lt_le. intros far.
  (* A step s with s d = (d - 2 g) / 2 leaves (1 - s) d above 2 g. *)
  assert (P : 0 < d) by (unfold g in *; lra). assert (E : (d - 2 * g) / (2 * d) * d = (d - 2 * g) / 2) by (field; lra).
  set (s := (d - 2 * g) / (2 * d)) in *. assert (G : 0 <= 2 * g) by (unfold g; lra).
  assert (L : 0 < s) by (apply (Rmult_lt_reg_r d); lra). assert (U : s <= 1) by (apply (Rmult_le_reg_r d); lra).
  pose proof (step s (conj L U)). lra.
Qed.
End Keys.

Theorem softmax_duality : Softmax_duality.
Proof.
  intros keys terms U B F w p d. pose proof (fun v => real_gap_at_least keys terms v U B F) as G. fold p d in G.
  pose proof (fun v => real_distance_nonneg keys v (real_value_at (pulled terms))) as D. split.
  - pose proof (G w). pose proof (D w). lra.
  - intros u M. pose proof (near_a_real_minimum keys terms u w F M) as C. fold p in C.
    pose proof (G u). pose proof (D u). lra.
Qed.
