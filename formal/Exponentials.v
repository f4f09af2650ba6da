(* The bounds of Logarithms.v hold of the exponential and the logarithm of Coq's real numbers. *)

From Coq Require Import List ZArith QArith Qround Reals Qreals Lia Lra.
Require Import Statements Real Logarithms.
Import ListNotations.
#[local] Open Scope R_scope.

(* ---- Sums *)

Section Sums.
Context {A : Type}.
Implicit Types (f g : A -> R) (l : list A).

Lemma real_sum_cons f i l : real_sum f (i :: l) = f i + real_sum f l.
Proof. reflexivity. Qed.
Lemma real_sum_app f l m : real_sum f (l ++ m) = real_sum f l + real_sum f m.
Proof. induction l as [|i l IH]; cbn [app]; rewrite ?real_sum_cons, ?IH; [unfold real_sum; cbn|]; ring. Qed.
Lemma real_sum_plus f g l : real_sum (fun i => f i + g i) l = real_sum f l + real_sum g l.
Proof. induction l as [|i l IH]; rewrite ?real_sum_cons, ?IH; [unfold real_sum; cbn|]; ring. Qed.
Lemma real_sum_times s f l : real_sum (fun i => s * f i) l = s * real_sum f l.
Proof. induction l as [|i l IH]; rewrite ?real_sum_cons, ?IH; [unfold real_sum; cbn|]; ring. Qed.
Lemma real_sum_same f g l : (forall i, In i l -> f i = g i) -> real_sum f l = real_sum g l.
Proof.
  induction l as [|i l IH]; intros H; [reflexivity|]. rewrite !real_sum_cons, IH by (intros x I; apply H; right;
    exact I).
  rewrite (H i) by (left; reflexivity). reflexivity.
Qed.
Lemma real_sum_at_most f g l : (forall i, In i l -> f i <= g i) -> real_sum f l <= real_sum g l.
Proof.
  induction l as [|i l IH]; intros H; [right; reflexivity|]. rewrite !real_sum_cons. apply Rplus_le_compat.
  - apply H. left. reflexivity.
  - apply IH. intros x I. apply H. right. exact I.
Qed.
Lemma real_sum_zero f l : (forall i, In i l -> f i = 0) -> real_sum f l = 0.
Proof.
  intros H. rewrite (real_sum_same f (fun _ => 0 * 0) l) by (intros i I; rewrite (H i I); ring).
  rewrite real_sum_times. ring.
Qed.
Lemma real_sum_nonneg f l : (forall i, 0 <= f i) -> 0 <= real_sum f l.
Proof. intros H. rewrite <- (real_sum_zero (fun _ => 0) l); [apply real_sum_at_most; auto|reflexivity]. Qed.
End Sums.

Lemma real_sum_map {A B} (f : B -> R) (g : A -> B) l : real_sum f (map g l) = real_sum (fun i => f (g i)) l.
Proof. unfold real_sum. rewrite map_map. reflexivity. Qed.

Lemma Q2R_sum {A} (f : A -> Q) l : Q2R (sum (map f l)) = real_sum (fun i => Q2R (f i)) l.
Proof.
  induction l as [|i l IH]; [apply RMicromega.Q2R_0|]. cbn [map]. unfold sum in *. cbn [fold_right].
  rewrite Q2R_plus, IH. reflexivity.
Qed.

(* ---- Units *)

(* The number that y over 2^208, or x over 2^104, stands for. *)
Definition over_squared (y : Z) : R := IZR y / IZR unity_squared.
Definition over_unity (x : Z) : R := IZR x / IZR (Zpos unity).

Lemma unity_squared_positive : 0 < IZR unity_squared.
Proof. apply IZR_lt. reflexivity. Qed.
Lemma unity_positive : 0 < IZR (Zpos unity).
Proof. apply IZR_lt. reflexivity. Qed.
Lemma unity_squared_is : IZR unity_squared = IZR (2 ^ Z.of_nat doublings) * IZR (Zpos unity).
Proof. rewrite <- mult_IZR. f_equal. Qed.
Lemma doublings_positive : 0 < IZR (2 ^ Z.of_nat doublings).
Proof. apply IZR_lt. reflexivity. Qed.
#[local] Opaque unity_squared unity doublings.

Lemma over_squared_le y b : IZR y <= b * IZR unity_squared <-> over_squared y <= b.
Proof.
  pose proof unity_squared_positive. unfold over_squared. split; intros H1.
  - apply (Rmult_le_reg_r (IZR unity_squared)); [assumption|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
  - apply (Rmult_le_compat_r (IZR unity_squared)) in H1; [|lra]. unfold Rdiv in H1. rewrite Rmult_assoc, Rinv_l in H1;
    lra.
Qed.

Lemma Q2R_over n d : Q2R (n # d) = IZR n / IZR (Zpos d).
Proof. reflexivity. Qed.

Lemma Q2R_unity x : Q2R (x # unity) = over_unity x.
Proof. reflexivity. Qed.

Lemma over_unity_le x b : x <= b * IZR (Zpos unity) <-> x / IZR (Zpos unity) <= b.
Proof.
  pose proof unity_positive. split; intros H1.
  - apply (Rmult_le_reg_r (IZR (Zpos unity))); [assumption|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
  - apply (Rmult_le_compat_r (IZR (Zpos unity))) in H1; [|lra]. unfold Rdiv in H1. rewrite Rmult_assoc, Rinv_l in H1;
    lra.
Qed.

(* ---- Shifts *)

Lemma shifted_below n : IZR (Z.shiftr n 208) * IZR unity_squared <= IZR n.
Proof.
  rewrite Z.shiftr_div_pow2 by discriminate. change (2 ^ 208)%Z with unity_squared. rewrite <- mult_IZR. apply IZR_le.
  rewrite Z.mul_comm. apply Z.mul_div_le. apply lt_IZR, unity_squared_positive.
Qed.

Lemma shifted_above n : IZR n <= IZR (- Z.shiftr (- n) 208) * IZR unity_squared.
Proof. pose proof (shifted_below (- n)) as H. rewrite !opp_IZR in *. lra. Qed.

(* ---- Exponentials *)

Lemma exp_double z : exp (2 * z) = exp z * exp z.
Proof. rewrite <- exp_plus. f_equal. lra. Qed.

Lemma squared_below n : forall y z, (0 <= y)%Z -> over_squared y <= exp z ->
  over_squared (squared_often product_below n y) <= exp (IZR (2 ^ Z.of_nat n) * z).
Proof.
  pose proof unity_squared_positive as W. induction n as [|n IH]; intros y z P H.
  - change (2 ^ Z.of_nat 0)%Z with 1%Z. rewrite Rmult_1_l. exact H.
  - replace (IZR (2 ^ Z.of_nat (S n)) * z) with (IZR (2 ^ Z.of_nat n) * (2 * z)).
    2: { rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. rewrite mult_IZR. lra. }
    cbn [squared_often]. apply IH.
    + unfold product_below. rewrite Z.shiftr_nonneg. lia.
    + apply over_squared_le in H. apply over_squared_le. rewrite exp_double. pose proof (shifted_below (y * y)) as S.
      rewrite mult_IZR in S. apply (Rmult_le_reg_r (IZR unity_squared)); [exact W|]. apply IZR_le in P.
      unfold product_below. eapply Rle_trans; [exact S|].
      replace (exp z * exp z * IZR unity_squared * IZR unity_squared) with ((exp z * IZR unity_squared) * (exp z * IZR
        unity_squared)) by ring.
      apply Rmult_le_compat; assumption.
Qed.

Lemma squared_above n : forall y z, exp z <= over_squared y ->
  exp (IZR (2 ^ Z.of_nat n) * z) <= over_squared (squared_often product_above n y).
Proof.
  pose proof unity_squared_positive as W. induction n as [|n IH]; intros y z H.
  - change (2 ^ Z.of_nat 0)%Z with 1%Z. rewrite Rmult_1_l. exact H.
  - replace (IZR (2 ^ Z.of_nat (S n)) * z) with (IZR (2 ^ Z.of_nat n) * (2 * z)).
    2: { rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. rewrite mult_IZR. lra. }
    cbn [squared_often]. apply IH. rewrite exp_double. pose proof (exp_pos z) as E.
    assert (S : exp z * exp z <= over_squared y * over_squared y) by (apply Rmult_le_compat; lra).
    eapply Rle_trans; [exact S|]. pose proof (shifted_above (y * y)) as U. rewrite mult_IZR in U.
    unfold over_squared, product_above. apply (Rmult_le_reg_r (IZR unity_squared * IZR unity_squared)); [nra|].
    replace (IZR y / IZR unity_squared * (IZR y / IZR unity_squared) * (IZR unity_squared * IZR unity_squared)) with
      (IZR y * IZR y) by (field; lra).
    replace (IZR (- Z.shiftr (- (y * y)) 208) / IZR unity_squared * (IZR unity_squared * IZR unity_squared))
      with (IZR (- Z.shiftr (- (y * y)) 208) * IZR unity_squared) by (field; lra). exact U.
Qed.

Lemma of_doublings x : IZR (2 ^ Z.of_nat doublings) * over_squared x = over_unity x.
Proof.
  pose proof doublings_positive. pose proof unity_positive. unfold over_squared, over_unity. rewrite unity_squared_is.
  field. lra.
Qed.

Lemma exponential_is_below x : over_squared (exponential_below x) <= exp (over_unity x).
Proof.
  pose proof unity_squared_positive as W. unfold exponential_below.
  destruct (Z.leb_spec 0 (unity_squared + x)) as [L|L].
  - rewrite <- of_doublings. apply squared_below; [exact L|]. eapply Rle_trans; [|apply exp_ineq1_le].
    unfold over_squared. rewrite plus_IZR. right. field. lra.
  - unfold over_squared, Rdiv. rewrite Rmult_0_l. left. apply exp_pos.
Qed.

Lemma exponential_is_above x : (0 <= x)%Z -> exp (- over_unity x) <= over_squared (exponential_above x).
Proof.
  intros P. pose proof unity_squared_positive as W. unfold exponential_above. destruct (Z.eqb_spec x 0) as [->|_].
  { unfold over_unity, over_squared, Rdiv. rewrite Rmult_0_l, Ropp_0, exp_0, Rinv_r; lra. }
  set (y := (_ / _ + 1)%Z).
  replace (- over_unity x) with (IZR (2 ^ Z.of_nat doublings) * - over_squared x) by (rewrite <- of_doublings; lra).
  apply squared_above. apply IZR_le in P. rewrite exp_Ropp.
  assert (H : IZR unity_squared * IZR unity_squared <= IZR y * (IZR unity_squared + IZR x)).
  { unfold y. rewrite <- plus_IZR, <- !mult_IZR. apply IZR_le.
    assert (0 < unity_squared + x)%Z by (apply lt_IZR; rewrite plus_IZR; lra).
    pose proof (Z.div_mod (unity_squared * unity_squared) (unity_squared + x) ltac:(lia)).
    pose proof (Z.mod_pos_bound (unity_squared * unity_squared) (unity_squared + x) ltac:(lia)). lia. }
  pose proof (exp_ineq1_le (over_squared x)) as E.
  assert (N : 0 <= over_squared x) by (apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat, W]).
  apply (Rmult_le_reg_r (exp (over_squared x))); [apply exp_pos|]. rewrite Rinv_l by (apply Rgt_not_eq, exp_pos).
  assert (Y : 1 <= over_squared y * (1 + over_squared x)).
  { unfold over_squared. apply (Rmult_le_reg_r (IZR unity_squared * IZR unity_squared)); [nra|].
    replace (IZR y / IZR unity_squared * (1 + IZR x / IZR unity_squared) * (IZR unity_squared * IZR unity_squared))
      with (IZR y * (IZR unity_squared + IZR x)) by (field; lra). lra. }
  assert (0 <= over_squared y) by nra. nra.
Qed.

(* ---- Logarithms *)

(* n / d <= e^l *)
Lemma logarithm_is_above otherwise n d : (0 < d)%Z -> IZR n <= exp (over_unity otherwise) * IZR d ->
  IZR n <= exp (over_unity (logarithm_above otherwise n d)) * IZR d.
Proof.
  intros D O. pose proof unity_squared_positive as W. apply IZR_lt in D. unfold logarithm_above.
  set (l := if (0 <? _)%Z then _ else _). destruct (Z.leb_spec (n * unity_squared) (exponential_below l * d)) as [H|_];
    [|exact O].
  apply IZR_le in H. rewrite !mult_IZR in H. pose proof (exponential_is_below l) as E. apply over_squared_le in E.
  apply (Rmult_le_reg_r (IZR unity_squared)); [exact W|]. nra.
Qed.

Lemma log_is_above q : (q <= 1)%Q -> Q2R q <= exp (Q2R (log_above q)).
Proof.
  intros H. apply Qle_Rle in H. change (Q2R 1) with (1 / 1) in H. unfold log_above, fixed_log_above. rewrite Q2R_unity.
  destruct (_ || _)%bool; [unfold over_unity, Rdiv; rewrite Rmult_0_l, exp_0; lra|].
  destruct q as [n d]. cbn [Qnum Qden]. rewrite Q2R_over in *.
  assert (D : 0 < IZR (Zpos d)) by (apply IZR_lt; reflexivity).
  apply (Rmult_le_reg_r (IZR (Zpos d))); [exact D|]. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  apply logarithm_is_above; [reflexivity|]. unfold over_unity, Rdiv. rewrite Rmult_0_l, exp_0, Rmult_1_l.
  apply (Rmult_le_compat_r (IZR (Zpos d))) in H; [|lra]. unfold Rdiv in H. rewrite Rmult_assoc, Rinv_l in H; lra.
Qed.

(* ---- The loss *)

(* ln (1 + sum of e^-m) *)
Definition softmax_loss {A} (margin : A -> R) (l : list A) : R := ln (1 + real_sum (fun i => exp (- margin i)) l).

Lemma softmax_argument {A} (f : A -> R) l : 0 < 1 + real_sum (fun i => exp (- f i)) l.
Proof. pose proof (real_sum_nonneg (fun i => exp (- f i)) l (fun i => Rlt_le _ _ (exp_pos _))). lra. Qed.

Lemma softmax_loss_at_most {A} (f : A -> R) l b : 1 + real_sum (fun i => exp (- f i)) l <= exp b -> softmax_loss f l <=
  b.
Proof.
  intros H. unfold softmax_loss. apply Rnot_lt_le. intros L. apply exp_increasing in L.
  rewrite exp_ln in L by apply softmax_argument. lra.
Qed.

Lemma softmax_loss_falls {A} (f g : A -> R) l : (forall i, f i <= g i) -> softmax_loss g l <= softmax_loss f l.
Proof.
  intros H. apply softmax_loss_at_most. unfold softmax_loss. rewrite exp_ln by apply softmax_argument.
  apply Rplus_le_compat_l, real_sum_at_most. intros i _. destruct (H i) as [L|<-]; [|right; reflexivity].
  left. apply exp_increasing. lra.
Qed.

Lemma over_unity_plus a b : over_unity (a + b) = over_unity a + over_unity b.
Proof. pose proof unity_positive. unfold over_unity. rewrite plus_IZR. field. lra. Qed.
Lemma over_squared_plus a b : over_squared (a + b) = over_squared a + over_squared b.
Proof. pose proof unity_squared_positive. unfold over_squared. rewrite plus_IZR. field. lra. Qed.

(* What is added to 1 is at least this, rounded upwards. *)
Lemma excess_is_above n : over_squared n <= 1 + over_unity (Z.shiftr (n - unity_squared) fraction_bits + 1).
Proof.
  pose proof unity_squared_positive as W. pose proof unity_positive as U.
  set (x := (n - unity_squared)%Z). replace n with (unity_squared + x)%Z by (unfold x; ring). rewrite over_squared_plus.
  assert (E : over_squared unity_squared = 1) by (unfold over_squared; field; lra). rewrite E. apply Rplus_le_compat_l.
  apply over_squared_le. unfold over_unity. rewrite unity_squared_is.
  assert (S : IZR x <= IZR (Z.shiftr x fraction_bits + 1) * IZR (2 ^ 104)).
  { rewrite <- mult_IZR. apply IZR_le. unfold fraction_bits. rewrite Z.shiftr_div_pow2 by discriminate.
    pose proof (Z.div_mod x (2 ^ 104) ltac:(discriminate)). pose proof (Z.mod_pos_bound x (2 ^ 104) eq_refl). lia. }
  change (IZR (2 ^ Z.of_nat doublings)) with (IZR (2 ^ 104)).
  replace (IZR (Z.shiftr x fraction_bits + 1) / IZR (Zpos unity) * (IZR (2 ^ 104) * IZR (Zpos unity))) with
    (IZR (Z.shiftr x fraction_bits + 1) * IZR (2 ^ 104)) by (field; lra). exact S.
Qed.

Lemma softmax_is_above l : softmax_loss over_unity l <= over_unity (softmax_above l).
Proof.
  apply softmax_loss_at_most. unfold softmax_above. set (t := fold_right (fun m => Z.max (- m)) 0%Z l).
  set (s := fold_right _ _ l). set (x := logarithm_above _ _ _).
  assert (T : (0 <= t)%Z /\ forall m, In m l -> (0 <= m + t)%Z).
  { unfold t. induction l as [|m l [P IH]]; cbn [fold_right]; [split; [reflexivity|intros m []]|].
    split; [lia|]. intros n [<-|I]; [lia|]. specialize (IH n I). lia. }
  destruct T as [T Each].
  assert (S : exp (- over_unity t) * (1 + real_sum (fun m => exp (- over_unity m)) l) <= over_squared s).
  { unfold s. clearbody t. clear s x. induction l as [|m l IH]; cbn [fold_right].
    - unfold real_sum. cbn. rewrite Rplus_0_r, Rmult_1_r. apply exponential_is_above, T.
    - rewrite real_sum_cons, over_squared_plus. specialize (IH (fun n I => Each n (or_intror I))).
      pose proof (exponential_is_above (m + t) (Each m (or_introl eq_refl))) as E. rewrite over_unity_plus in E.
      replace (- (over_unity m + over_unity t)) with (- over_unity t + - over_unity m) in E by ring.
      rewrite exp_plus in E. lra. }
  assert (F : over_squared s <= exp (over_unity x)).
  { apply over_squared_le. apply logarithm_is_above; [apply lt_IZR, unity_squared_positive|]. apply over_squared_le.
    eapply Rle_trans; [apply excess_is_above|apply exp_ineq1_le]. }
  rewrite over_unity_plus, exp_plus. pose proof (exp_pos (over_unity t)) as P.
  assert (Z : exp (over_unity t) * exp (- over_unity t) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
  assert (H : exp (over_unity t) * (exp (- over_unity t) * (1 + real_sum (fun m => exp (- over_unity m)) l))
    <= exp (over_unity t) * exp (over_unity x)) by (apply Rmult_le_compat_l; lra).
  rewrite <- Rmult_assoc, Z, Rmult_1_l in H. exact H.
Qed.

Lemma fixed_is_below q : over_unity (fixed_below q) <= Q2R q.
Proof.
  unfold fixed_below. pose proof (Qle_Rle _ _ (Qfloor_le (q * inject_Z (Zpos unity)))) as H. rewrite Q2R_mult in H.
  unfold over_unity. apply over_unity_le. unfold inject_Z in H. rewrite !Q2R_over in H.
  replace (IZR (Zpos unity) / 1) with (IZR (Zpos unity)) in H by lra.
  replace (IZR (Qfloor (q * (Zpos unity # 1))) / 1) with (IZR (Qfloor (q * (Zpos unity # 1)))) in H by lra. exact H.
Qed.

Lemma softmax_loss_is_above l : softmax_loss Q2R l <= Q2R (softmax_loss_above l).
Proof.
  unfold softmax_loss_above, fixed_loss_above. rewrite Q2R_unity. eapply Rle_trans; [|apply softmax_is_above].
  unfold softmax_loss. rewrite real_sum_map. apply (softmax_loss_falls (fun q => over_unity (fixed_below q)) Q2R).
  exact fixed_is_below.
Qed.
