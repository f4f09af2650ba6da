(* What an accepted certificate of logistic or multinomial losses states of a minimum is so, in real numbers: its
   rational bounds (Statements.v) hold of the real losses and entropies (Exponentials.v), and weak duality (Softmax.v)
   does the rest. *)

From Coq Require Import List ZArith NArith QArith Reals Qreals Lia Lra.
Require Import Statements Real Logarithms Exponentials Algebra Checker Measure Minimum Multinomial Soundness Softmax.
Import ListNotations.
#[local] Open Scope R_scope.

Lemma real_dot_of_rational w z : real_dot (real w) z = Q2R (dot w z).
Proof.
  unfold real_dot, dot. rewrite Q2R_sum. apply real_sum_same. intros [[k j] v] _. unfold real. symmetry. apply Q2R_mult.
Qed.

Lemma Q2R_half q : Q2R (q / 2) = Q2R q / 2.
Proof. rewrite Q2R_div by discriminate. f_equal. unfold Q2R. cbn. lra. Qed.

Lemma Q2R_nonneg q : (0 <= q)%Q -> 0 <= Q2R q.
Proof. intros H. rewrite <- RMicromega.Q2R_0. apply Qle_Rle, H. Qed.

Lemma cost_nonneg o k : Forall (fun q => 0 < q)%Q (costs o) -> 0 <= Q2R (nth k (costs o) 0%Q).
Proof.
  intros C. apply Q2R_nonneg. destruct (nth_in_or_default k (costs o) 0%Q) as [I|E]; [|rewrite E; discriminate].
  rewrite Forall_forall in C. apply Qlt_le_weak, C, I.
Qed.

(* An objective, and a distance, that are those of Softmax.v *)
Lemma from_duality keys terms (p : real_weights -> R) (distance : real_weights -> real_weights -> R) (q : R) :
  NoDup keys -> evenly keys terms -> Forall fair terms -> q <= real_dual_on keys terms ->
  (forall w, p w = real_primal_on keys terms w) -> (forall w u, distance w u = real_distance_on keys w u) ->
  forall w, q <= p w /\ forall u, (forall v, p u <= p v) -> distance w u <= 2 * (p w - q).
Proof.
  intros U B F V P D w. destruct (softmax_duality keys terms U B F w) as [Low Near]. rewrite P. split; [lra|].
  intros u M. rewrite D. eapply Rle_trans; [apply Near|lra]. intros v. rewrite <- !P. apply M.
Qed.

Section Solution.
Variable d : description.
Variable rows : list row.
Variable o : minimization.
Variable own : nat.

Definition rivalry_of (a : row -> Q) (r : row) : list rivalry :=
  match class r with
  | None => []
  | Some k => [{| stake := nth k (costs o) 0%Q; rivals := [(a r, place 0 (side own k) (values r))] |}]
  end.

Definition block : list (nat * N) := map (fun j => (0%nat, j)) (penalized d o).

Lemma logistic_objective_is a w :
  logistic_objective d rows o own w = real_primal_on block (flat_map (rivalry_of a) rows) w.
Proof.
  unfold logistic_objective, real_primal_on, block, real_inner_on. rewrite real_sum_map. f_equal.
  induction rows as [|r rest IH]; [reflexivity|]. cbn [flat_map]. rewrite real_sum_cons, real_sum_app, IH. f_equal.
  unfold logistic_row_loss, rivalry_of. destruct (class r) as [k|]; [|reflexivity].
  unfold real_sum, rivalry_loss, softmax_loss. cbn [map fold_right stake rivals snd]. unfold real_sum.
  cbn [map fold_right].
  rewrite !Rplus_0_r. reflexivity.
Qed.

Lemma logistic_distance_is w u : logistic_distance d o w u = real_distance_on block w u.
Proof. unfold logistic_distance, block, real_distance_on. rewrite real_sum_map. reflexivity. Qed.

Lemma pulled_is a : pulled (flat_map (rivalry_of a) rows) = dual_point rows own a.
Proof.
  unfold pulled, dual_point. induction rows as [|r rest IH]; [reflexivity|]. cbn [flat_map]. rewrite flat_map_app, IH.
  f_equal. unfold rivalry_of. destruct (class r) as [k|]; [|reflexivity]. cbn [flat_map rivals fst snd].
  rewrite !app_nil_r. reflexivity.
Qed.

(* The rational bound of P *)
Lemma objective_is_above w : loss_of o = Logistic -> Forall (fun q => 0 < q)%Q (costs o) ->
  logistic_objective d rows o own (real w) <= Q2R (objective d rows o own w).
Proof.
  intros L C. unfold objective, logistic_objective. rewrite Q2R_plus, Q2R_half, !Q2R_sum. apply Rplus_le_compat.
  - right. f_equal. apply real_sum_same. intros j _. unfold real. symmetry. apply Q2R_mult.
  - apply real_sum_at_most. intros r _. unfold logistic_row_loss, row_loss.
    destruct (class r) as [k|]; [|right; symmetry; apply RMicromega.Q2R_0].
    rewrite Q2R_mult, L. apply Rmult_le_compat_l.
    + apply cost_nonneg, C.
    + rewrite real_dot_of_rational. unfold score. rewrite (Qeq_eqR _ _ (dot_place w 0 (side own k) (values r))).
      pose proof (softmax_loss_is_above [(side own k * dot w (place 0 1 (values r)))%Q]) as H.
      unfold softmax_loss, real_sum in H. cbn [map fold_right] in H. rewrite Rplus_0_r in H. exact H.
Qed.

Theorem logistic_solution_is_so s : loss_of o = Logistic -> length (costs o) = length (groups d) ->
  Forall (fun q => 0 < q)%Q (costs o) -> Forall (class_is_known d) rows -> NoDup (penalized d o) ->
  solution_holds d rows o own s -> logistic_solution_holds d rows o own s.
Proof.
  intros L N C K U H. unfold solution_holds in H. rewrite L in H. destruct H as (P & a & R & B & D). split.
  { eapply Rle_trans; [apply (objective_is_above _ L C)|apply Qle_Rle, P]. }
  set (terms := flat_map (rivalry_of a) rows).
  assert (F : Forall fair terms).
  { apply Forall_forall. intros t I. apply in_flat_map in I as (r & I & T). unfold rivalry_of in T.
    rewrite Forall_forall in K. specialize (K r I). unfold class_is_known in K. destruct (class r) as [k|] eqn:E;
      [|destruct T].
    destruct T as [<-|[]]. specialize (R r k I E). unfold fair. cbn [stake rivals map fst sum fold_right]. split;
      [|split].
    - rewrite Forall_forall in C. apply C, nth_In. lia.
    - constructor; [exact (proj1 R)|constructor].
    - unfold sum. cbn [fold_right]. rewrite Qplus_0_r. exact (proj2 R). }
  assert (once : NoDup block) by (apply FinFun.Injective_map_NoDup; [intros i j E; congruence|exact U]).
  assert (E : evenly block terms).
  { intros k j I. unfold terms. rewrite pulled_is. apply B. intros [-> J]. apply I, in_map, J. }
  assert (V : Q2R (dual s) <= real_dual_on block terms).
  { eapply Rle_trans; [apply Qle_Rle, D|]. rewrite Q2R_minus, Q2R_half, !Q2R_sum. unfold real_dual_on.
    apply Rplus_le_compat; [right|right; f_equal; f_equal].
    - unfold terms. clear. induction rows as [|r rest IH]; [reflexivity|]. cbn [flat_map].
      rewrite real_sum_cons, real_sum_app, IH. f_equal. unfold rivalry_of.
      destruct (class r) as [k|]; [|apply RMicromega.Q2R_0]. unfold real_sum. cbn [map fold_right stake rivals fst].
      lra.
    - unfold real_inner_on, block. rewrite real_sum_map. apply real_sum_same. intros j _. unfold real_value_at, terms.
      rewrite pulled_is. apply Q2R_mult. }
  refine (from_duality block terms _ _ _ once E F V _ _).
  - intros w. apply logistic_objective_is.
  - exact logistic_distance_is.
Qed.
End Solution.

(* ---- Multinomial losses *)

Lemma real_dot_place w k c x : real_dot w (place k c x) = Q2R c * real_dot w (place k 1 x).
Proof.
  unfold real_dot, place. rewrite !real_sum_map, <- real_sum_times. apply real_sum_same. intros [j v] _.
  rewrite !Q2R_mult, RMicromega.Q2R_1. ring.
Qed.

Lemma sum_with_own (f : nat -> R) k l : NoDup l -> In k l ->
  real_sum f l = f k + real_sum f (filter (fun i => negb (Nat.eqb i k)) l).
Proof.
  assert (away : forall l, ~ In k l -> filter (fun i => negb (Nat.eqb i k)) l = l).
  { induction l0 as [|i l0 IH]; intros N; [reflexivity|]. cbn [filter].
    destruct (Nat.eqb_spec i k) as [->|_]; [exfalso; apply N; left; reflexivity|]. cbn [negb].
    rewrite IH by (intros I; apply N; right; exact I). reflexivity. }
  induction 1 as [|i l N U IH]; intros I; [destruct I|]. cbn [filter]. rewrite real_sum_cons.
  destruct (Nat.eqb_spec i k) as [->|D]; cbn [negb].
  - rewrite away by exact N. reflexivity.
  - destruct I as [E|I]; [congruence|]. rewrite real_sum_cons, (IH I). ring.
Qed.

Section Joint.
Variable d : description.
Variable rows : list row.
Variable o : minimization.
Hypothesis known : Forall (class_is_known d) rows.
Let keys := joint_keys d o.

Definition joint_rivalry (a : row -> nat -> Q) (r : row) : list rivalry :=
  match class r with
  | None => []
  | Some k => [{| stake := nth k (costs o) 0%Q;
                  rivals := map (fun i => (a r i, rival_point k i (values r))) (others d k) |}]
  end.

Lemma multinomial_loss_is w k r : (k < length (groups d))%nat ->
  ln (real_sum (fun i => exp (real_score w i r)) (seq 0 (length (groups d)))) - real_score w k r =
  softmax_loss (fun i => real_dot w (rival_point k i (values r))) (others d k).
Proof.
  intros K. unfold softmax_loss.
  set (s := real_sum (fun i => exp (- real_dot w (rival_point k i (values r)))) (others d k)).
  pose proof (softmax_argument (fun i => real_dot w (rival_point k i (values r))) (others d k)) as P. fold s in P.
  rewrite (sum_with_own _ k) by (apply seq_NoDup || (apply in_seq; lia)). fold (others d k).
  rewrite (real_sum_same _ (fun i => exp (real_score w k r) * exp (- real_dot w (rival_point k i (values r)))) (others
    d k)).
  - rewrite real_sum_times. fold s. replace (exp (real_score w k r) + exp (real_score w k r) * s) with
      (exp (real_score w k r) * (1 + s)) by ring. rewrite ln_mult, ln_exp by (apply exp_pos || exact P). ring.
  - intros i _. rewrite <- exp_plus. f_equal. unfold rival_point. rewrite real_dot_app, (real_dot_place w i (-1)).
    unfold real_score. replace (Q2R (-1)) with (-1) by (unfold Q2R; cbn; lra). ring.
Qed.

Lemma multinomial_objective_is a w :
  multinomial_objective d rows o w = real_primal_on keys (flat_map (joint_rivalry a) rows) w.
Proof.
  unfold multinomial_objective, real_primal_on. f_equal. induction known as [|r rest K L IH]; [reflexivity|].
  cbn [flat_map]. rewrite real_sum_cons, real_sum_app, (IH L). f_equal. unfold multinomial_row_loss, joint_rivalry.
  unfold class_is_known in K. destruct (class r) as [k|]; [|reflexivity]. rewrite (multinomial_loss_is w k r K).
  unfold real_sum at 1. cbn [map fold_right]. rewrite Rplus_0_r. unfold rivalry_loss, softmax_loss. cbn [stake rivals].
  rewrite real_sum_map. reflexivity.
Qed.

Lemma joint_pulled_is a : pulled (flat_map (joint_rivalry a) rows) = joint_dual_point d rows a.
Proof.
  unfold pulled, joint_dual_point. clear known. induction rows as [|r rest IH]; [reflexivity|]. cbn [flat_map].
  rewrite flat_map_app, IH. f_equal. unfold joint_rivalry. destruct (class r) as [k|]; [|reflexivity].
  cbn [flat_map rivals]. rewrite app_nil_r. induction (others d k) as [|i l IHl]; [reflexivity|].
  cbn [map flat_map fst snd]. rewrite IHl. reflexivity.
Qed.

Lemma joint_objective_is_above w : Forall (fun q => 0 < q)%Q (costs o) ->
  multinomial_objective d rows o (real w) <= Q2R (joint_objective d rows o w).
Proof.
  intros C. unfold joint_objective, multinomial_objective. rewrite Q2R_plus, Q2R_half, !Q2R_sum. apply Rplus_le_compat.
  - right. f_equal. apply real_sum_same. intros [k j] _. unfold real. symmetry. apply Q2R_mult.
  - apply real_sum_at_most. intros r I. rewrite Forall_forall in known. specialize (known r I).
    unfold multinomial_row_loss, joint_row_loss, class_is_known in *.
    destruct (class r) as [k|]; [|right; symmetry; apply RMicromega.Q2R_0].
    rewrite Q2R_mult, (multinomial_loss_is _ k r known). apply Rmult_le_compat_l; [apply cost_nonneg, C|].
    eapply Rle_trans; [|apply softmax_loss_is_above]. unfold softmax_loss. rewrite real_sum_map. right. f_equal.
    f_equal.
    apply real_sum_same. intros i _. rewrite real_dot_of_rational. reflexivity.
Qed.

Theorem multinomial_minimum_is_so primal dual : length (costs o) = length (groups d) ->
  Forall (fun q => 0 < q)%Q (costs o) -> NoDup keys ->
  (joint_objective d rows o (joint_weights o) <= primal)%Q -> joint_dual_is_shown d rows o dual ->
  multinomial_minimum_holds d rows o primal dual.
Proof.
  intros N C U P (a & R & B & D). split; [eapply Rle_trans; [apply (joint_objective_is_above _ C)|apply Qle_Rle, P]|].
  set (terms := flat_map (joint_rivalry a) rows).
  assert (F : Forall fair terms).
  { apply Forall_forall. intros t I. apply in_flat_map in I as (r & I & T). unfold joint_rivalry in T.
    pose proof known as K. rewrite Forall_forall in K. specialize (K r I). unfold class_is_known in K.
    destruct (class r) as [k|] eqn:E; [|destruct T]. destruct T as [<-|[]]. destruct (R r k I E) as [R1 R2].
    unfold fair. cbn [stake rivals]. split; [|split].
    - rewrite Forall_forall in C. apply C, nth_In. lia.
    - apply Forall_map. exact R1.
    - rewrite map_map. exact R2. }
  assert (E : evenly keys terms) by (intros k j I; unfold terms; rewrite joint_pulled_is; apply B, I).
  assert (V : Q2R dual <= real_dual_on keys terms).
  { eapply Rle_trans; [apply Qle_Rle, D|]. rewrite Q2R_minus, Q2R_half, !Q2R_sum. unfold real_dual_on.
    apply Rplus_le_compat; [right|right; f_equal; f_equal].
    - unfold terms. clear. induction rows as [|r rest IH]; [reflexivity|]. cbn [flat_map].
      rewrite real_sum_cons, real_sum_app, IH. f_equal. unfold joint_rivalry.
      destruct (class r) as [k|]; [|apply RMicromega.Q2R_0]. unfold real_sum. cbn [map fold_right stake rivals].
      rewrite map_map, Rplus_0_r. reflexivity.
    - unfold real_inner_on. apply real_sum_same. intros [k j] _. unfold real_value_at, terms.
      rewrite joint_pulled_is. apply Q2R_mult. }
  refine (from_duality keys terms _ _ _ U E F V _ _).
  - intros w. apply multinomial_objective_is.
  - reflexivity.
Qed.
End Joint.

Theorem logistic_minima_are_sound : Logistic_minima_are_sound check.
Proof.
  intros c sources o H O L. destruct (check_is_sound c sources H) as (rows & R & Unique & _ & _ & _ & _ & _ & M).
  rewrite O in M. destruct M as (N & C & S). exists rows. split; [exact R|]. split; [exact Unique|].
  pose proof (sources_are_known _ _ _ _ R) as K. destruct (joint o) as [[primal dual]|].
  - destruct S as [P D]. apply multinomial_minimum_is_so; auto. apply joint_keys_once.
  - destruct L as [L|L]; [|congruence]. induction S as [|own s owns all Hs _ IH]; constructor; [|exact IH].
    apply logistic_solution_is_so; auto. apply NoDup_filter, coordinates_once.
Qed.
