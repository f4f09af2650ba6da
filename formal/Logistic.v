(* What an accepted certificate of logistic losses states of a minimum is so, in real numbers: its rational bounds
   (Statements.v) hold of the real losses and entropies (Exponentials.v), and weak duality (Softmax.v) does the rest. *)

From Coq Require Import List ZArith NArith QArith Reals Qreals Lia Lra.
Require Import Statements Real Logarithms Exponentials Algebra Checker Measure Minimum Soundness Softmax.
Import ListNotations.
#[local] Open Scope R_scope.

Lemma real_dot_of_rational w z : real_dot (real w) z = Q2R (dot w z).
Proof.
  unfold real_dot, dot. rewrite Q2R_sum. apply real_sum_same. intros [[k j] v] _. unfold real. symmetry. apply Q2R_mult.
Qed.

Lemma Q2R_half q : Q2R (q / 2) = Q2R q / 2.
Proof. rewrite Q2R_div by discriminate. f_equal. unfold Q2R. cbn. lra. Qed.

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
    + rewrite <- RMicromega.Q2R_0. apply Qle_Rle. destruct (nth_in_or_default k (costs o) 0%Q) as [I|E]; [|rewrite E;
      discriminate].
      rewrite Forall_forall in C. apply Qlt_le_weak, C, I.
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
  intros w. destruct (softmax_duality block terms once E F w) as [Low Near]. unfold terms in *.
  rewrite (logistic_objective_is a). split; [lra|]. intros u M. rewrite logistic_distance_is.
  eapply Rle_trans; [apply Near|lra]. intros v. rewrite <- !logistic_objective_is. apply M.
Qed.
End Solution.

Theorem logistic_minima_are_sound : Logistic_minima_are_sound check.
Proof.
  intros c sources o H O L. destruct (check_is_sound c sources H) as (rows & R & Unique & _ & _ & _ & _ & _ & M).
  rewrite O in M. destruct M as (N & C & S). exists rows. split; [exact R|]. split; [exact Unique|].
  pose proof (sources_are_known _ _ _ _ R) as K.
  induction S as [|own s owns all Hs _ IH]; constructor; [|exact IH].
  apply logistic_solution_is_so; auto. apply NoDup_filter, coordinates_once.
Qed.
