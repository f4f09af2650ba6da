(* What an accepted certificate of a multinomial loss states is so, in rational numbers: the pass measures the bound of
   the objective, and the dual variables show the stated dual. *)

From Coq Require Import List FinFun ZArith NArith QArith Qminmax Lia Lqa.
Require Import Statements Decimals Tries Reading Algebra Elimination Objective Checker Measure Combine Mistakes Figures.
Require Import Runs Optimum Coefficients Minimum.
Import ListNotations.

Lemma whole_sum_is l : inject_Z (whole_sum l) == sum (map inject_Z l).
Proof.
  induction l as [|a l IH]; [reflexivity|]. cbn [whole_sum map fold_right]. fold (whole_sum l).
  rewrite inject_Z_plus, IH. reflexivity.
Qed.

Lemma sum_of_same {A} (f g : A -> Q) l : (forall i, f i == g i) -> sum (map f l) == sum (map g l).
Proof. intros E. induction l as [|i l IH]; [reflexivity|]. rewrite !sum_map_cons, IH, E. reflexivity. Qed.

Lemma sum_of_multiples {A} c (f : A -> Q) l : sum (map (fun i => c * f i) l) == c * sum (map f l).
Proof. induction l as [|i l IH]; [unfold sum; cbn; ring|]. rewrite !sum_map_cons, IH. ring. Qed.

Section Joint.
Variable d : description.
Variable o : minimization.
Hypothesis clear : costs_are_clear d o = true.
Let p := pricing_of o.
Let over := joint_over o.
Let ms := map (meter_of p 0) (solutions o).
Let w := joint_weights o.
Let count_of := inject_Z (costs_over p).
Let u := inject_Z (Zpos unity).

Definition joint_numerator (r : row) (i : nat) : Z := nth i (map (dual_in (source r, number r)) ms) 0%Z.
Definition joint_dual_of (r : row) (i : nat) : Q := inject_Z (joint_numerator r i) / inject_Z over.
Let a := joint_dual_of.

Definition share_of (r : row) : Q :=
  match class r with Some k => entropy_below (nth k (costs o) 0) (map (a r) (others d k)) | None => 0 end.
Definition row_fits (r : row) : Prop := forall k, class r = Some k ->
  Forall (fun i => 0 <= a r i) (others d k) /\ sum (map (a r) (others d k)) <= nth k (costs o) 0.

Definition join_row (s : joint_sums) (e : exact_row) : joint_sums :=
  match row_class e with Some k => weigh_jointly d p over ms s k e | None => s end.

Record joint_holds (rows : list row) (s : joint_sums) : Prop := {
  joint_losses_hold : inject_Z (joint_losses s) == u * count_of * sum (map (joint_row_loss d o w) rows);
  joint_entropies_hold : inject_Z (joint_entropies s) == u * count_of * inject_Z over * sum (map share_of rows);
  joint_rows_hold : forall v, dot v (bank_point (joint_rows s)) == inject_Z over * dot v (joint_dual_point d rows a);
  joint_range_holds : joint_in_range s = true -> Forall row_fits rows
}.

Lemma over_is_positive : 0 < inject_Z over.
Proof. unfold over, joint_over. generalize (solutions o). intros [|s l]; reflexivity. Qed.
Lemma units_are_positive : 0 < u /\ 0 < count_of.
Proof.
  destruct (clear_costs d o clear) as (_ & _ & C & _). rewrite (Zlt_Qlt 0) in C. split; [reflexivity|exact C].
Qed.

(* -- Scores *)

Lemma joint_score_is x y i : same_point x y -> nth i (map (joint_score x) ms) 0 == dot w (place i 1 y).
Proof.
  intros S. unfold ms, w. rewrite map_map.
  assert (E : nth_error (solutions o) i = None \/ exists s, nth_error (solutions o) i = Some s)
    by (destruct (nth_error (solutions o) i); eauto).
  destruct E as [E|[s E]].
  - rewrite nth_overflow by (rewrite map_length; apply nth_error_None, E).
    induction y as [|[j v] y _] in |- *; [reflexivity|].
    assert (Z : forall z, dot (joint_weights o) (place i 1 z) == 0); [|rewrite Z; reflexivity].
    induction z as [|[j' v'] z IH]; [reflexivity|]. cbn [place map]. fold (place i 1 z).
    rewrite dot_cons, IH. unfold joint_weights. rewrite E. ring.
  - rewrite (nth_error_nth _ i 0 (map_nth_error _ i _ E)). unfold joint_score.
    pose proof (score_is o 0 s x y S) as V. cbv zeta in V. fold p in V. rewrite V.
    assert (Z : dot (solution_weights s) (place 0 1 y) == dot (joint_weights o) (place i 1 y)).
    { clear V S. induction y as [|[j v] y IH]; [reflexivity|]. cbn [place map]. fold (place i 1 y) (place 0 1 y).
      rewrite !dot_cons, IH. unfold joint_weights at 2. rewrite E. reflexivity. }
    rewrite <- Z. field. discriminate.
Qed.

Lemma rival_point_is v k i x : dot v (rival_point k i x) == dot v (place k 1 x) - dot v (place i 1 x).
Proof. unfold rival_point. rewrite dot_app, (dot_place v i (-1)). ring. Qed.

(* -- Entropies *)

Lemma joint_entropy_is k l : (k < length (groups d))%nat ->
  inject_Z (joint_entropy p over (nth k (cost_numerators p) 0%Z) l) == u * count_of * inject_Z over *
    entropy_below (cost o k) (map (fun n => inject_Z n / inject_Z over) l).
Proof.
  intros K. destruct (clear_costs d o clear) as (_ & _ & _ & C & _). pose proof (cost_positive d o clear k K) as P.
  pose proof over_is_positive as O. destruct units_are_positive as [U N].
  unfold joint_entropy, entropy_below. cbv zeta. set (whole := (_ * over)%Z).
  assert (W : inject_Z whole == count_of * inject_Z over * cost o k).
  { unfold whole. rewrite inject_Z_mult. fold p in C. rewrite C. fold count_of. ring. }
  assert (W0 : ~ count_of * inject_Z over * cost o k == 0).
  { intros E. assert (0 < count_of * inject_Z over * cost o k) by (repeat apply Qmult_lt_0_compat; assumption). lra. }
  assert (term : forall n q, inject_Z n == count_of * inject_Z over * q ->
    inject_Z (n * fixed_log_above (inject_Z n / inject_Z whole)) ==
    u * count_of * inject_Z over * (q * log_above (q / cost o k))).
  { intros n q E. assert (F : inject_Z n / inject_Z whole == q / cost o k) by (rewrite E, W; field; repeat split; lra).
    rewrite inject_Z_mult, (fixed_log_above_same _ _ F), <- log_above_in_units, E. fold u. ring. }
  assert (part : forall n, inject_Z (n * costs_over p) == count_of * inject_Z over * (inject_Z n / inject_Z over)).
  { intros n. rewrite inject_Z_mult. fold count_of. field. lra. }
  rewrite inject_Z_opp, inject_Z_plus, whole_sum_is, !map_map.
  rewrite (sum_of_same _ (fun n => u * count_of * inject_Z over * (inject_Z n / inject_Z over *
    log_above (inject_Z n / inject_Z over / cost o k)))) by (intros n; apply term, part).
  rewrite sum_of_multiples. rewrite (term _ (cost o k - sum (map (fun n => inject_Z n / inject_Z over) l))); [ring|].
  unfold Z.sub. rewrite inject_Z_plus, inject_Z_opp, W, inject_Z_mult, whole_sum_is. fold count_of.
  assert (S : sum (map (fun n => inject_Z n / inject_Z over) l) == / inject_Z over * sum (map inject_Z l)).
  { rewrite <- sum_of_multiples. apply sum_of_same. intros n. field. lra. }
  rewrite S. field. lra.
Qed.

(* -- Rows *)

Lemma add_jointly_is v k l x y b : same_point x y ->
  dot v (bank_point (add_jointly k l x b)) == dot v (bank_point b) +
    sum (map (fun e => inject_Z (snd e) * dot v (rival_point k (fst e) y)) l).
Proof.
  intros S. unfold add_jointly.
  assert (F : forall l b,
    dot v (bank_point (fold_left (fun b '(i, n) => if (n =? 0)%Z then b else add_cells i (- n) x b) l b))
    == dot v (bank_point b) - sum (map (fun e => inject_Z (snd e) * dot v (place (fst e) 1 y)) l)).
  { clear l b. induction l as [|[i n] l IH]; intros b; cbn [fold_left]; [unfold sum; cbn; ring|].
    rewrite IH, sum_map_cons. cbn [fst snd]. destruct (Z.eqb_spec n 0) as [->|_].
    - change (inject_Z 0) with 0. ring.
    - rewrite (dot_add_row v i (- n) x y b S), inject_Z_opp. ring. }
  rewrite F. cbv zeta. set (all := whole_sum (map snd l)).
  assert (A : dot v (bank_point (if (all =? 0)%Z then b else add_cells k all x b)) ==
    dot v (bank_point b) + inject_Z all * dot v (place k 1 y)).
  { destruct (Z.eqb_spec all 0) as [->|_]; [change (inject_Z 0) with 0; ring|]. apply dot_add_row, S. }
  rewrite A. unfold all. rewrite whole_sum_is, map_map. clear F A all.
  induction l as [|[i n] l IH]; [unfold sum; cbn; ring|]. rewrite !sum_map_cons. cbn [fst snd]. rewrite rival_point_is.
  set (s := sum (map (fun e => inject_Z (snd e) * dot v (rival_point k (fst e) y)) l)) in *.
  set (s1 := sum (map (fun e => inject_Z (snd e)) l)) in *. set (s2 := sum _) in *. lra.
Qed.

Lemma dual_point_app rows r : joint_dual_point d (rows ++ [r]) a = joint_dual_point d rows a ++
  match class r with
  | Some k => flat_map (fun i => place_times (a r i) (rival_point k i (values r))) (others d k)
  | None => []
  end.
Proof. unfold joint_dual_point. rewrite flat_map_app. cbn [flat_map]. rewrite app_nil_r. reflexivity. Qed.

Lemma dot_of_duals v r k l : dot v (flat_map (fun i => place_times (a r i) (rival_point k i (values r))) l) ==
  sum (map (fun i => a r i * dot v (rival_point k i (values r))) l).
Proof.
  induction l as [|i l IH]; [reflexivity|]. cbn [flat_map]. rewrite dot_app, dot_times, IH, sum_map_cons. reflexivity.
Qed.

Lemma joining_keeps rows s e r : same_row e r -> class_is_known d r -> joint_holds rows s ->
  joint_holds (rows ++ [r]) (join_row s e).
Proof.
  intros S Known [HL HE HR HI]. pose proof S as (S1 & S2 & S3 & S4). unfold join_row. rewrite S3.
  unfold class_is_known in Known. pose proof over_is_positive as O. destruct units_are_positive as [U N].
  assert (last : forall f : row -> Q, sum (map f (rows ++ [r])) == sum (map f rows) + f r).
  { intros f. rewrite map_app, sum_app. unfold sum at 2. cbn. ring. }
  assert (RL : joint_row_loss d o w r = match class r with Some k => nth k (costs o) 0 *
    softmax_loss_above (map (fun i => dot w (rival_point k i (values r))) (others d k)) | None => 0 end) by reflexivity.
  assert (RE : share_of r = match class r with Some k =>
    entropy_below (nth k (costs o) 0) (map (a r) (others d k)) | None => 0 end) by reflexivity.
  destruct (class r) as [k|] eqn:K.
  2: { split; rewrite ?last, ?RL, ?RE.
    - rewrite HL. ring.
    - rewrite HE. ring.
    - intros v. rewrite dual_point_app, K, app_nil_r. apply HR.
    - intros I. apply Forall_app. split; [auto|]. constructor; [|constructor]. intros k E. congruence. }
  destruct (clear_costs d o clear) as (_ & _ & _ & C & _). fold p in C. fold count_of in C.
  unfold weigh_jointly. cbv zeta. rewrite S1, S2. set (pairs := map (fun i => (i, _)) (others d k)).
  assert (P : pairs = map (fun i => (i, joint_numerator r i)) (others d k)) by reflexivity.
  assert (P2 : map snd pairs = map (joint_numerator r) (others d k)) by (rewrite P, map_map; reflexivity).
  split; cbn [joint_losses joint_entropies joint_rows joint_in_range]; rewrite ?last, ?RL, ?RE.
  - rewrite inject_Z_plus, inject_Z_mult, HL, C. unfold cost, softmax_loss_above.
    rewrite (fixed_loss_map _ (fun i => dot w (rival_point k i (values r)))).
    + rewrite (Qmake_Qdiv _ unity). fold u. field. lra.
    + intros i. rewrite rival_point_is, <- !(joint_score_is _ _ _ S4). reflexivity.
  - rewrite inject_Z_plus, HE, (joint_entropy_is k _ Known), P2, map_map.
    fold (cost o k). unfold a, joint_dual_of. ring.
  - intros v. rewrite (add_jointly_is v k pairs _ _ _ S4), HR, dual_point_app, K, dot_app, dot_of_duals, P, map_map.
    cbn [fst snd]. rewrite Qmult_plus_distr_r. apply Qplus_comp; [reflexivity|]. rewrite <- sum_of_multiples.
    apply sum_of_same. intros i. unfold a, joint_dual_of. field. lra.
  - destruct (joint_in_range s); [|discriminate]. intros I. apply Bool.andb_true_iff in I as [I L]. apply Forall_app.
    split; [auto|]. constructor; [|constructor]. intros k' E. replace k' with k in * by congruence. rewrite P2 in I, L.
    rewrite forallb_forall in I. split.
    + apply Forall_forall. intros i J. specialize (I _ (in_map (joint_numerator r) _ _ J)). apply Z.leb_le in I.
      rewrite Zle_Qle in I. unfold a, joint_dual_of. apply Qle_shift_div_l; [exact O|]. rewrite Qmult_0_l. exact I.
    + apply Z.leb_le in L. rewrite Zle_Qle, !inject_Z_mult, C, whole_sum_is, map_map in L. fold count_of in L.
      assert (Q : sum (map (a r) (others d k)) == / inject_Z over *
        sum (map (fun i => inject_Z (joint_numerator r i)) (others d k))).
      { rewrite <- sum_of_multiples. apply sum_of_same. intros i. unfold a, joint_dual_of. field. lra. }
      rewrite Q. unfold cost in L. set (x := sum (map (fun i => inject_Z (joint_numerator r i)) _)) in *.
      assert (F : count_of * inject_Z over * (/ inject_Z over * x) == x * count_of) by (field; lra).
      assert (G : count_of * inject_Z over * (/ inject_Z over * x) <= count_of * inject_Z over * nth k (costs o) 0)
        by (rewrite F; lra).
      apply Qmult_le_l in G; [exact G|]. apply Qmult_lt_0_compat; assumption.
Qed.

Lemma joined_holds exact rows : Forall2 same_row exact rows -> Forall (class_is_known d) rows ->
  joint_holds rows (fold_left join_row exact no_joint_sums).
Proof.
  revert rows. induction exact as [|e exact IH] using rev_ind; intros rows S Known.
  - inversion S. cbn [fold_left]. split; cbn [joint_losses joint_entropies joint_rows no_joint_sums map].
    + unfold sum. cbn. ring.
    + unfold sum. cbn. ring.
    + intros v. unfold bank_point, as_point, joint_dual_point. cbn [bank_entries map flat_map]. rewrite !dot_nil. ring.
    + constructor.
  - apply Forall2_app_inv_l in S as (front & last & S & E & ->). inversion E as [|? r ? ? Sr N]. inversion N. subst.
    apply Forall_app in Known as [Kf Kl]. inversion_clear Kl.
    rewrite fold_left_app. cbn [fold_left]. apply joining_keeps; auto.
Qed.

(* ---- The figures *)

Lemma joint_keys_hold k j : In (k, j) (joint_keys d o) <-> (k < length (groups d))%nat /\ In j (penalized d o).
Proof.
  unfold joint_keys. rewrite in_flat_map. split.
  - intros (k' & K & I). apply in_map_iff in I as (j' & [= -> ->] & I). apply in_seq in K. split; [lia|exact I].
  - intros [K I]. exists k. split; [apply in_seq; lia|]. apply in_map, I.
Qed.

Lemma joint_keys_once : NoDup (joint_keys d o).
Proof.
  unfold joint_keys. pose proof (NoDup_filter (fun j => (penalize_bias o || negb (N.eqb j 0))%bool) (coordinates_once
    d)) as U.
  fold (penalized d o) in U. assert (S : NoDup (seq 0 (length (groups d)))) by apply seq_NoDup. revert S.
  generalize (seq 0 (length (groups d))). induction l as [|k l IH]; intros S; [constructor|].
  inversion_clear S as [|? ? N S']. cbn [flat_map]. apply once_apart.
  - apply Injective_map_NoDup; [intros i j E; congruence|exact U].
  - exact (IH S').
  - intros i I J. apply in_map_iff in I as (j & <- & _). apply in_flat_map in J as (k' & K & J).
    apply in_map_iff in J as (j' & [= -> _] & _). contradiction.
Qed.

Lemma joint_lengths : length (solutions o) = length (groups d) ->
  sum (map (fun m => inject_Z (length_at (numerator_at m) (penalized_paths d o)) / inject_Z (one m * one m)) ms) ==
  sum (map (fun '(k, j) => w k j * w k j) (joint_keys d o)).
Proof.
  intros L. unfold ms, joint_keys. rewrite map_map, <- L.
  assert (G : forall before l, solutions o = before ++ l ->
    sum (map (fun s => inject_Z (length_at (numerator_at (meter_of p 0 s)) (penalized_paths d o)) /
      inject_Z (one (meter_of p 0 s) * one (meter_of p 0 s))) l) ==
    sum (map (fun '(k, j) => w k j * w k j)
      (flat_map (fun k => map (fun j => (k, j)) (penalized d o)) (seq (length before) (length l))))).
  { intros before l. revert before. induction l as [|s l IH]; intros before E; [reflexivity|].
    cbn [length seq flat_map]. rewrite sum_map_cons, map_app, sum_app. apply Qplus_comp.
    - pose proof (length_is d o 0 s) as V. cbv zeta in V. fold p in V. rewrite V, inner_is, map_map.
      rewrite (sum_of_same _ (fun j => w (length before) j * w (length before) j)).
      + rewrite inject_Z_mult. field. discriminate.
      + intros j. unfold w, joint_weights. rewrite E, nth_error_app2, Nat.sub_diag by lia. reflexivity.
    - rewrite (IH (before ++ [s])); [|rewrite <- app_assoc; exact E].
      rewrite app_length. cbn [length]. rewrite Nat.add_1_r. reflexivity. }
  exact (G [] _ eq_refl).
Qed.

Theorem joint_minimum_is_so exact rows stated : Forall2 same_row exact rows -> Forall (class_is_known d) rows ->
  first_wrong (joint_parts d o stated ms (fold_left join_row exact no_joint_sums)) = None ->
  joint_objective d rows o w <= fst stated /\ joint_dual_is_shown d rows o (snd stated).
Proof.
  intros Same Known H. pose proof (joined_holds exact rows Same Known) as [HL HE HR HI].
  set (f := fold_left join_row exact no_joint_sums) in *.
  assert (every : forall e, In e (joint_parts d o stated ms f) -> snd e = true).
  { intros e I. unfold first_wrong in H. destruct (find _ _) as [x|] eqn:F; [discriminate|].
    apply (find_none _ _ F) in I. apply Bool.negb_false_iff, I. }
  pose proof (every (The_vectors, _) ltac:(left; reflexivity)) as L. cbn [snd] in L.
  apply Nat.eqb_eq in L.
  pose proof (every (Range_of_duals, _) ltac:(cbn; auto)) as R. cbn [snd] in R.
  pose proof (every (Sum_of_duals, _) ltac:(cbn; auto 10)) as V. cbn [snd] in V.
  pose proof (every (The_primal, _) ltac:(cbn; auto 10)) as P. cbn [snd] in P.
  pose proof (every (The_dual, _) ltac:(cbn; auto 10)) as D. cbn [snd] in D.
  pose proof over_is_positive as O. destruct units_are_positive as [U N]. split.
  - unfold joint_primal_is_so in P. apply Qle_bool_iff in P. eapply Qle_trans; [|exact P]. unfold joint_objective.
    rewrite (joint_lengths L), HL, inject_Z_mult. fold p. fold u count_of. apply Qle_lteq. right. apply Qplus_comp;
      [reflexivity|].
    field. split; lra.
  - exists a. cbv zeta. set (z := joint_dual_point d rows a) in *.
    assert (B : forall k j, ~ In (k, j) (joint_keys d o) -> value_at z k j == 0).
    { intros k j I. rewrite joint_keys_hold in I. pose proof (zero_outside _ _ _ _ (paths_are d o) V k j I) as Zero.
      pose proof (HR (at_key k j 1)) as E. rewrite !dot_at_key, Zero in E.
      assert (Z : inject_Z over * value_at z k j == 0) by lra. apply Qmult_integral in Z as [Z|Z]; [lra|exact Z]. }
    split; [|split; [exact B|]].
    + intros r k I K. specialize (HI R). rewrite Forall_forall in HI. exact (HI r I k K).
    + unfold joint_dual_is_so in D. cbv zeta in D. apply at_most_fraction_spec in D. fold p over in D.
      rewrite value_subtract, value_of_whole, value_multiply_whole, squares_are_a_length, HR, dot_symmetric, HR in D.
      rewrite (dot_on (joint_keys d o) _ _ joint_keys_once B), !inject_Z_mult, HE in D. fold u count_of in D.
      change (inject_Z 2) with 2 in D. set (e := sum (map share_of rows)) in *.
      assert (I : inner_on (joint_keys d o) (value_at z) (value_at z) ==
        sum (map (fun '(k, j) => value_at z k j * value_at z k j) (joint_keys d o))).
      { unfold inner_on, product. apply sum_of_same. intros [k j]. reflexivity. }
      rewrite I in D. change (snd stated <= e - sum (map (fun '(k, j) => value_at z k j * value_at z k j)
        (joint_keys d o)) / 2). set (x := sum (map _ (joint_keys d o))) in *.
      set (n := inject_Z over) in *. set (unit := 2 * n * n * (u * count_of)) in *.
      assert (M : 0 < unit) by (repeat apply Qmult_lt_0_compat; auto; reflexivity).
      assert (E : (e - x / 2) * unit == 2 * n * (u * count_of * n * e) - u * count_of * (n * (n * x)))
        by (unfold unit; field).
      assert (G : snd stated * unit <= (e - x / 2) * unit) by (rewrite E; lra).
      apply Qmult_le_r in G; [exact G|exact M].
Qed.
End Joint.
