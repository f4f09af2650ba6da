(* What an accepted certificate states of a minimum is so: the sums of the pass are those of Optimum.v. *)

From Coq Require Import List FinFun ZArith NArith QArith Qminmax Qround Lia Lqa.
Require Import Statements Decimals Tries Reading Algebra Elimination Objective Checker Measure Combine Mistakes Figures.
Require Import Runs Optimum Coefficients.
Import ListNotations.

(* ---- Costs *)

Lemma over_spec n l : are_over n l = true -> (0 < n)%Z /\
  forall k, inject_Z (nth k (numerators_over n l) 0%Z) == inject_Z n * nth k l 0.
Proof.
  unfold are_over, numerators_over. intros H. apply Bool.andb_true_iff in H as [P H]. apply Z.ltb_lt in P.
  split; [exact P|]. induction l as [|q l IH]; intros k; [destruct k; cbn; change (inject_Z 0) with 0; ring|].
  cbn [forallb] in H. apply Bool.andb_true_iff in H as [E H]. destruct k as [|k]; cbn [map nth]; [|exact (IH H k)].
  apply Z.eqb_eq in E. destruct q as [a b]. cbn [Qnum Qden] in *. set (x := (n / Zpos b)%Z) in *.
  unfold Qeq, Qmult, inject_Z. cbn [Qnum Qden]. rewrite ?Z.mul_1_r, ?Pos.mul_1_l. lia.
Qed.

Lemma fixed_below_same p q : p == q -> fixed_below p = fixed_below q.
Proof. intros E. apply Qfloor_comp. rewrite E. reflexivity. Qed.

Lemma fixed_loss_map {A} (f g : A -> Q) l : (forall i, f i == g i) ->
  fixed_loss_above (map f l) = fixed_loss_above (map g l).
Proof.
  intros E. unfold fixed_loss_above. f_equal. rewrite !map_map. apply map_ext. intros i. apply fixed_below_same, E.
Qed.

Lemma fixed_loss_same p q : p == q -> fixed_loss_above [p] = fixed_loss_above [q].
Proof. intros E. exact (fixed_loss_map (fun _ => p) (fun _ => q) [tt] (fun _ => E)). Qed.

Lemma loss_at_same l p q : p == q -> loss_at l p == loss_at l q.
Proof.
  intros E. assert (M : Qmax 0 (1 - p) == Qmax 0 (1 - q)) by (rewrite E; reflexivity).
  unfold loss_at. destruct l; rewrite ?M; [reflexivity|reflexivity|]. unfold softmax_loss_above.
  rewrite (fixed_loss_same p q E). reflexivity.
Qed.

Lemma fixed_log_above_same p q : p == q -> fixed_log_above p = fixed_log_above q.
Proof.
  intros E. unfold fixed_log_above. rewrite (Qleb_comp _ _ E 0 0), (Qleb_comp 1 1 (Qeq_refl 1) _ _ E) by reflexivity.
  destruct (_ || _)%bool; [reflexivity|]. destruct p as [n d], q as [n' d']. unfold Qeq in E. cbn [Qnum Qden] in *.
  unfold logarithm_above. cbv zeta.
  assert (Y : (n * unity_squared / Zpos d = n' * unity_squared / Zpos d')%Z).
  { rewrite <- (Z.div_mul_cancel_r (n * unity_squared) (Zpos d) (Zpos d')) by discriminate.
    rewrite <- (Z.div_mul_cancel_r (n' * unity_squared) (Zpos d') (Zpos d)) by discriminate.
    f_equal; [|apply Z.mul_comm]. transitivity (n * Zpos d' * unity_squared)%Z; [ring|]. rewrite E. ring. }
  rewrite Y. set (e := exponential_below _). set (k := unity_squared).
  assert (W : (0 < k)%Z) by reflexivity. clearbody e k.
  assert (H : (n * k <=? e * Zpos d)%Z = (n' * k <=? e * Zpos d')%Z).
  { apply Bool.eq_iff_eq_true. rewrite !Z.leb_le. split; intros H; nia. }
  rewrite H. reflexivity.
Qed.

Lemma log_above_same p q : p == q -> log_above p == log_above q.
Proof. intros E. unfold log_above. rewrite (fixed_log_above_same p q E). reflexivity. Qed.

Lemma log_above_in_units p : log_above p * inject_Z (Zpos unity) == inject_Z (fixed_log_above p).
Proof. unfold log_above. rewrite Qmake_Qdiv. field. discriminate. Qed.

Lemma zero_outside blocks l js b : l = map path_of js -> vanishes_outside blocks l b = true ->
  forall k j, ~ ((k < blocks)%nat /\ In j js) -> value_at (bank_point b) k j == 0.
Proof.
  intros L V k j N. unfold vanishes_outside in V. rewrite forallb_forall in V. unfold bank_point. revert V.
  induction (bank_entries 0 b) as [|[[k' q] v] rest IH]; intros V; [reflexivity|].
  unfold as_point. cbn [map]. fold (as_point rest).
  rewrite value_at_cons, IH by (intros x I; apply V; right; exact I).
  specialize (V _ (or_introl eq_refl)). apply Bool.orb_true_iff in V as [V|V].
  - apply Z.eqb_eq, value_zero in V. unfold at_key. destruct (_ && _)%bool; rewrite ?V; ring.
  - apply Bool.andb_true_iff in V as [K M]. apply Nat.ltb_lt in K. apply member_set in M.
    unfold at_key. destruct (Nat.eqb_spec k k') as [->|]; [|cbn; ring].
    destruct (N.eqb_spec j (number_of q)) as [->|]; [|cbn; ring]. exfalso. apply N. split; [exact K|].
    rewrite L in M. apply in_map_iff in M as (i & <- & I). rewrite number_of_path. exact I.
Qed.

(* ---- The sums of a meter *)

Definition meter_row (m : meter) (f : sums) (e : exact_row) : sums :=
  match row_class e with Some k => weigh_row m f k e | None => f end.

Section Solution.
Variable d : description.
Variable o : minimization.
Variable own : nat.
Variable s : solution.
Hypothesis clear : costs_are_clear d o = true.
Let p := pricing_of o.
Let m := meter_of p own s.
Let l := loss_of o.
Let w := solution_weights s.

Definition cost (k : nat) : Q := nth k (costs o) 0.

Lemma clear_costs : length (costs o) = length (groups d) /\ Forall (fun q => 0 < q) (costs o) /\
  (0 < costs_over p)%Z /\ (forall k, inject_Z (nth k (cost_numerators p) 0%Z) == inject_Z (costs_over p) * cost k) /\
  (0 < inverses_over p)%Z /\ (l = Squared_hinge -> forall k, (k < length (groups d))%nat ->
    inject_Z (nth k (inverse_numerators p) 0%Z) == inject_Z (inverses_over p) * / cost k).
Proof.
  unfold costs_are_clear in clear. fold p in clear.
  apply Bool.andb_true_iff in clear as [H I]. apply Bool.andb_true_iff in H as [H C].
  apply Bool.andb_true_iff in H as [L P]. apply Nat.eqb_eq in L. split; [exact L|]. split.
  { rewrite forallb_forall in P. apply Forall_forall. intros q Q. specialize (P q Q). apply Z.ltb_lt in P.
    unfold Qlt. cbn. lia. }
  apply over_spec in C as [C0 C], I as [I0 I]. split; [exact C0|]. split; [exact C|]. split; [exact I0|].
  intros S k K. unfold l in S. unfold p, pricing_of in I |- *. cbn [inverse_numerators inverses_over] in *.
  rewrite S in *. rewrite I. apply Qmult_comp; [reflexivity|].
  change 0 with (/ 0) at 1. rewrite map_nth. reflexivity.
Qed.

Lemma loss_is_priced : priced_loss (prices m) = l.
Proof. reflexivity. Qed.

Lemma cost_positive k : (k < length (groups d))%nat -> 0 < cost k.
Proof.
  intros K. destruct clear_costs as (L & P & _). rewrite Forall_forall in P. apply P, nth_In. lia.
Qed.

Definition dual_numerator (r : row) : Z := dual_in (source r, number r) m.
Definition term_of (k : nat) (r : row) : term_of_loss :=
  {| price := cost k; dual_variable := dual_numerator r # dual_variables_over s;
     at_point := place 0 (side own k) (values r) |}.
Definition terms_of (rows : list row) : list term_of_loss :=
  flat_map (fun r => match class r with Some k => [term_of k r] | None => [] end) rows.

Definition unit_of_losses : Q := inject_Z (costs_over p) *
  inject_Z (match l with Hinge => one m | Squared_hinge => one m * one m | Logistic => Zpos unity end)%Z.

Record sums_hold (terms : list term_of_loss) (f : sums) : Prop := {
  losses_hold : value (losses f) == unit_of_losses * total (fun t => price t * loss_at l (dot w (at_point t))) terms;
  duals_hold : inject_Z (duals f) == inject_Z (dual_one m) * total dual_variable terms;
  lacks_hold : inject_Z (dual_lacks f) ==
    4 * inject_Z (inverses_over p) * (inject_Z (dual_one m) * inject_Z (dual_one m)) *
      total (fun t => dual_variable t - own_part l t) terms;
  rows_hold : forall u, dot u (bank_point (dual_rows f)) == inject_Z (dual_one m) * dot u (combined terms);
  range_holds : in_range f = true -> Forall (within l) terms
}.

(* -- The score of a row, in units of the weights' denominator *)

Definition numerator_weights : weights := fun _ j => inject_Z (nth (N.to_nat j) (numerators s) 0%Z).

Lemma over_positive n q : (n # q) * inject_Z (Zpos q) == inject_Z n.
Proof. unfold Qeq, Qmult, inject_Z. cbn [Qnum Qden]. lia. Qed.

Lemma numerators_are z : dot numerator_weights z == inject_Z (one m) * dot w z.
Proof.
  induction z as [|[[k j] v] z IH]; [rewrite !dot_nil; ring|]. rewrite !dot_cons, IH.
  unfold numerator_weights, w, solution_weights. cbn [one m meter_of].
  rewrite <- (over_positive (nth (N.to_nat j) (numerators s) 0%Z) (weights_over s)). ring.
Qed.

Lemma score_is x y : same_point x y ->
  value (score_of (numerator_at m) x) == inject_Z (one m) * dot w (place 0 1 y).
Proof.
  intros S. rewrite <- numerators_are. unfold score_of. cbn [numerator_at m meter_of].
  rewrite (score_from _ numerator_weights 0 x y); [rewrite value_of_zero; ring| |exact S].
  intros j. rewrite weight_of_trie. reflexivity.
Qed.

Lemma one_positive : 0 < inject_Z (one m).
Proof. reflexivity. Qed.

Lemma loss_is k x y before : same_point x y ->
  value (with_loss m k x before) ==
  value before + unit_of_losses * (cost k * loss_at l (dot w (place 0 (side own k) y))).
Proof.
  intros S. unfold with_loss. cbv zeta. rewrite loss_is_priced. cbn [prices own_class m meter_of]. fold m.
  set (found := if Nat.eqb k own then _ else _). set (margin := dot w (place 0 (side own k) y)).
  assert (F : value found == inject_Z (one m) * margin).
  { unfold found, margin. rewrite (dot_place w 0 (side own k) y). unfold side.
    pose proof (score_is x y S) as E. destruct (Nat.eqb k own); rewrite ?value_negate, E; ring. }
  set (lack := subtract (Scaled (one m) 0) found).
  assert (V : value lack == inject_Z (one m) * (1 - margin)).
  { unfold lack. rewrite value_subtract, value_of_whole, F. ring. }
  destruct clear_costs as (_ & _ & _ & C & _). pose proof one_positive as P. unfold unit_of_losses.
  assert (M : if (0 <? mantissa lack)%Z then Qmax 0 (1 - margin) == 1 - margin else Qmax 0 (1 - margin) == 0).
  { destruct (Z.ltb_spec 0 (mantissa lack)) as [L|L].
    - apply value_positive in L. rewrite V in L. apply Q.max_r. nra.
    - assert (N : ~ 0 < value lack) by (intros H; apply value_positive in H; lia). rewrite V in N. apply Q.max_l. nra. }
  unfold loss_at. destruct l.
  1, 2: destruct (0 <? mantissa lack)%Z; rewrite M, ?value_add, ?value_multiply_whole, ?C, ?value_multiply, ?V,
    ?inject_Z_mult; ring.
  rewrite value_add, value_of_whole, inject_Z_mult, C. unfold softmax_loss_above.
  assert (E : value found / inject_Z (one m) == margin) by (rewrite F; field; lra).
  rewrite (fixed_loss_same _ _ E), (Qmake_Qdiv _ unity). field. discriminate.
Qed.

(* -- One row more *)

Lemma terms_app rows r : terms_of (rows ++ [r]) =
  terms_of rows ++ match class r with Some k => [term_of k r] | None => [] end.
Proof. unfold terms_of. rewrite flat_map_app. cbn [flat_map]. rewrite app_nil_r. reflexivity. Qed.

Lemma combined_app a b : combined (a ++ b) = combined a ++ combined b.
Proof. apply flat_map_app. Qed.

Lemma total_one (f : term_of_loss -> Q) t : total f [t] == f t.
Proof. rewrite total_cons. unfold total. cbn. ring. Qed.

Lemma dual_is_over a : inject_Z (dual_one m) * (a # dual_variables_over s) == inject_Z a.
Proof. rewrite <- (over_positive a (dual_variables_over s)). cbn [dual_one m meter_of]. ring. Qed.

Lemma dual_in_range k a r : (k < length (groups d))%nat -> dual_numerator r = a -> dual_fits m k a = true ->
  within l (term_of k r).
Proof.
  intros K A H. unfold dual_fits in H. cbn [prices m meter_of] in H. fold m in H.
  apply Bool.andb_true_iff in H as [L U]. apply Z.leb_le in L.
  assert (N : 0 <= dual_variable (term_of k r)).
  { cbn [dual_variable term_of]. rewrite A. unfold Qle. cbn. lia. }
  assert (B : bounded_by_cost l = true -> dual_variable (term_of k r) <= cost k).
  { intros T. change (priced_loss p) with l in U. rewrite T in U. cbn [negb orb] in U. apply Z.leb_le in U.
    destruct clear_costs as (_ & _ & C0 & C & _). rewrite Zle_Qle, !inject_Z_mult, C in U.
    rewrite (Zlt_Qlt 0) in C0. cbn [price dual_variable term_of]. rewrite A.
    rewrite <- (dual_is_over a) in U. assert (D : 0 < inject_Z (dual_one m)) by reflexivity.
    set (q := a # dual_variables_over s) in *.
    assert (E : (inject_Z (dual_one m) * inject_Z (costs_over p)) * q
      <= (inject_Z (dual_one m) * inject_Z (costs_over p)) * cost k) by lra.
    apply Qmult_le_l in E; [exact E|]. apply Qmult_lt_0_compat; assumption. }
  unfold within. pose proof (cost_positive k K). destruct l; cbn [price term_of]; auto.
Qed.

Lemma add_dual_cells a k x y b u : same_point x y ->
  dot u (bank_point (add_cells 0 (if Nat.eqb k own then a else - a) x b)) ==
  dot u (bank_point b) + inject_Z a * dot u (place 0 (side own k) y).
Proof.
  intros S. rewrite (dot_add_row u 0 _ x y b S), (dot_place u 0 (side own k)). unfold side.
  destruct (Nat.eqb k own); rewrite ?inject_Z_opp; ring.
Qed.

Lemma own_difference k r : (k < length (groups d))%nat ->
  4 * inject_Z (inverses_over p) * (inject_Z (dual_one m) * inject_Z (dual_one m)) *
    (dual_variable (term_of k r) - own_part l (term_of k r)) == inject_Z (dual_lack m k (dual_numerator r)).
Proof.
  intros K. destruct clear_costs as (_ & _ & C0 & C & _ & I). unfold dual_lack. cbv zeta. rewrite loss_is_priced.
  pose proof (cost_positive k K) as Z0. pose proof (dual_is_over (dual_numerator r)) as A.
  change (prices m) with p. unfold own_part. destruct l eqn:L.
  - change (inject_Z 0) with 0. ring.
  - cbn [dual_variable price term_of]. rewrite !inject_Z_mult, (I eq_refl k K), <- !A. field. lra.
  - unfold entropy_below. cbn [sum map fold_right dual_variable price term_of]. set (a := dual_numerator r # _) in *.
    rewrite (Zlt_Qlt 0) in C0. change (inject_Z 0) with 0 in C0. set (n := inject_Z (costs_over p)) in *.
    assert (D0 : 0 < inject_Z (dual_one m)) by reflexivity. set (u := inject_Z (dual_one m)) in *.
    set (whole := (nth k (cost_numerators p) 0 * dual_one m)%Z). set (part := (dual_numerator r * costs_over p)%Z).
    assert (W : inject_Z whole == u * n * cost k) by (unfold whole; rewrite inject_Z_mult, C; fold u; ring).
    assert (X : inject_Z part == u * n * a) by (unfold part; rewrite inject_Z_mult, <- A; fold n; ring).
    assert (Y : inject_Z (whole - part) == u * n * (cost k - a)).
    { unfold Z.sub. rewrite inject_Z_plus, inject_Z_opp, W, X. ring. }
    assert (nonzero : ~ u * n * cost k == 0).
    { intros E. assert (0 < u * n * cost k) by (repeat apply Qmult_lt_0_compat; assumption). lra. }
    assert (X1 : inject_Z part / inject_Z whole == a / cost k) by (rewrite X, W; field; repeat split; lra).
    assert (Y1 : inject_Z (whole - part) / inject_Z whole == (cost k - (a + 0)) / cost k)
      by (rewrite Y, W; field; repeat split; lra).
    rewrite (fixed_log_above_same _ _ X1), (fixed_log_above_same _ _ Y1). rewrite !inject_Z_mult, !inject_Z_plus.
    rewrite !inject_Z_mult, X, Y, <- !log_above_in_units. fold u. unfold p, pricing_of. cbn [inverses_over]. fold l.
    rewrite L, inject_Z_mult. change (inject_Z (common_denominator (costs o))) with n. ring.
Qed.

Lemma nothing_below c a : 0 < c -> a == 0 -> entropy_below c [a] == 0.
Proof.
  intros C A. unfold entropy_below. cbn [sum map fold_right].
  assert (E : (c - (a + 0)) / c == 1) by (rewrite A; field; lra).
  assert (L : log_above ((c - (a + 0)) / c) == 0) by (rewrite (log_above_same _ _ E); reflexivity).
  rewrite L. generalize (log_above (a / c)). intros x. rewrite A. ring.
Qed.

Lemma meter_keeps_sums rows f e r : same_row e r -> class_is_known d r ->
  sums_hold (terms_of rows) f -> sums_hold (terms_of (rows ++ [r])) (meter_row m f e).
Proof.
  intros S Known [HL HD HS HR HB]. rewrite terms_app. unfold meter_row. pose proof S as (S1 & S2 & S3 & S4).
  rewrite S3. unfold class_is_known in Known. destruct (class r) as [k|]; [|rewrite app_nil_r; split; assumption].
  assert (L : value (with_loss m k (cells e) (losses f)) == unit_of_losses *
    total (fun t => price t * loss_at l (dot w (at_point t))) (terms_of rows ++ [term_of k r])).
  { rewrite (loss_is k _ _ _ S4), HL, total_app, total_one. cbn [price at_point term_of]. ring. }
  unfold weigh_row. cbn [prices own_class m meter_of]. fold m. rewrite S1, S2.
  destruct (find_id (dual_at m) (source r, number r)) as [a|] eqn:F.
  - assert (A : dual_numerator r = a) by (unfold dual_numerator, dual_in; rewrite F; reflexivity).
    split; cbn [losses duals dual_lacks dual_rows in_range]; [exact L| | | |].
    + rewrite inject_Z_plus, HD, total_app, total_one. cbn [dual_variable term_of]. rewrite A.
      rewrite <- (dual_is_over a). ring.
    + rewrite total_app, total_one, inject_Z_plus, HS, <- A, <- (own_difference k r Known). ring.
    + intros u. rewrite (add_dual_cells a k _ _ _ u S4), HR, combined_app, dot_app. cbn [combined flat_map].
      rewrite app_nil_r, dot_times. cbn [dual_variable at_point term_of]. rewrite A, <- (dual_is_over a). ring.
    + destruct (in_range f); [|discriminate]. intros H. apply Forall_app. split; [auto|]. constructor; [|constructor].
      apply (dual_in_range k a r Known A H).
  - assert (A : dual_numerator r = 0%Z) by (unfold dual_numerator, dual_in; rewrite F; reflexivity).
    assert (V : dual_variable (term_of k r) == 0) by (cbn [dual_variable term_of]; rewrite A; reflexivity).
    assert (O : own_part l (term_of k r) == 0).
    { unfold own_part. destruct l; rewrite ?V; [reflexivity|unfold Qdiv; ring|]. apply nothing_below; [|exact V].
      apply cost_positive, Known. }
    split; cbn [losses duals dual_lacks dual_rows in_range]; [exact L| | | |].
    + rewrite HD, total_app, total_one, V. ring.
    + rewrite HS, total_app, total_one, V, O. ring.
    + intros u. rewrite HR, combined_app, dot_app. cbn [combined flat_map]. rewrite app_nil_r, dot_times, V. ring.
    + intros H. apply Forall_app. split; [auto|]. constructor; [|constructor]. pose proof (cost_positive k Known).
      unfold within. destruct l; rewrite ?V; cbn [price term_of]; repeat split; lra.
Qed.

Lemma metered_sums_hold exact rows : Forall2 same_row exact rows -> Forall (class_is_known d) rows ->
  sums_hold (terms_of rows) (fold_left (meter_row m) exact no_sums).
Proof.
  revert rows. induction exact as [|e exact IH] using rev_ind; intros rows S Known.
  - inversion S. cbn [fold_left]. split; cbn [losses duals dual_lacks dual_rows in_range no_sums terms_of flat_map].
    + rewrite value_of_zero. unfold total. cbn. ring.
    + unfold total. cbn. change (inject_Z 0) with 0. ring.
    + unfold total. cbn [map sum fold_right]. change (inject_Z 0) with 0. ring.
    + intros u. unfold bank_point, as_point. cbn [bank_entries map combined flat_map]. rewrite dot_nil. ring.
    + constructor.
  - apply Forall2_app_inv_l in S as (front & last & S & E & ->). inversion E as [|? r ? ? Sr N]. inversion N. subst.
    apply Forall_app in Known as [Kf Kl]. inversion_clear Kl.
    rewrite fold_left_app. cbn [fold_left]. apply meter_keeps_sums; auto.
Qed.

(* ---- The coordinates with a penalty *)

Definition keys : list (nat * N) := map (fun j => (0%nat, j)) (penalized d o).

Lemma coordinates_once : NoDup (coordinates d).
Proof.
  unfold coordinates. cbv zeta. assert (U : NoDup (map N.of_nat (seq 1 (N.to_nat (features d))))).
  { apply Injective_map_NoDup; [intros i j E; lia|apply seq_NoDup]. }
  destruct (bias d); [|exact U]. constructor; [|exact U]. intros I. apply in_map_iff in I as (i & E & I).
  apply in_seq in I. lia.
Qed.

Lemma keys_once : NoDup keys.
Proof. apply Injective_map_NoDup; [intros i j E; congruence|]. apply NoDup_filter, coordinates_once. Qed.

Lemma paths_are : penalized_paths d o = map path_of (penalized d o).
Proof.
  unfold penalized_paths, penalized. rewrite paths_of_coordinates.
  induction (coordinates d) as [|j rest IH]; [reflexivity|].
  cbn [map filter]. rewrite IH.
  assert (E : match path_of j with Top => penalize_bias o | _ => true end = (penalize_bias o || negb (N.eqb j 0))%bool).
  { destruct j as [|q]; [cbn; rewrite Bool.orb_false_r; reflexivity|].
    rewrite Bool.orb_true_r. destruct q; reflexivity. }
  rewrite E. destruct (penalize_bias o || negb (N.eqb j 0))%bool; reflexivity.
Qed.

Lemma length_is : inject_Z (length_at (numerator_at m) (penalized_paths d o)) ==
  inject_Z (one m) * inject_Z (one m) * inner_on keys w w.
Proof.
  unfold length_at, inner_on, keys. rewrite paths_are.
  assert (G : forall n js, inject_Z
      (fold_left (fun n q => n + at_path (numerator_at m) q * at_path (numerator_at m) q)%Z (map path_of js) n) ==
    inject_Z n + inject_Z (one m) * inject_Z (one m) *
    product (weight_of w) (weight_of w) (map (fun j => (0%nat, j)) js)).
  { intros n js. revert n. induction js as [|j js IH]; intros n; cbn [map fold_left]; [rewrite product_nil; ring|].
    rewrite IH, product_cons, inject_Z_plus, inject_Z_mult.
    assert (A : inject_Z (at_path (numerator_at m) (path_of j)) == inject_Z (one m) * weight_of w (0%nat, j)).
    { change (at_path (numerator_at m) (path_of j)) with (weight_at (weight_trie (numerators s)) j).
      rewrite weight_of_trie. unfold weight_of, w, solution_weights. cbn [one m meter_of snd].
      rewrite <- (over_positive (nth (N.to_nat j) (numerators s) 0%Z) (weights_over s)). ring. }
    rewrite A. ring. }
  rewrite G. change (inject_Z 0) with 0. ring.
Qed.

Lemma inner_is u : inner_on keys u u == sum (map (fun j => u 0%nat j * u 0%nat j) (penalized d o)).
Proof.
  unfold inner_on, keys. induction (penalized d o) as [|j js IH]; [reflexivity|].
  rewrite sum_map_cons, <- IH. cbn [map]. rewrite product_cons. reflexivity.
Qed.

Lemma objective_is rows u : objective d rows o own u == primal_on l keys (terms_of rows) u.
Proof.
  unfold objective, primal_on. apply Qplus_comp.
  - rewrite inner_is. reflexivity.
  - induction rows as [|r rows IH]; [reflexivity|]. rewrite sum_map_cons, IH. unfold terms_of at 2. cbn [flat_map].
    fold (terms_of rows). rewrite total_app. unfold row_loss at 1.
    destruct (class r) as [k|]; [|unfold total; cbn; ring].
    rewrite total_one. cbn [price at_point term_of]. unfold score.
    rewrite (loss_at_same (loss_of o) _ _ (Qeq_sym _ _ (dot_place u 0 (side own k) (values r)))). reflexivity.
Qed.

Lemma distance_is u v : squared_distance_of d o u v == distance_on keys u v.
Proof.
  unfold squared_distance_of, distance_on, inner_on, keys. induction (penalized d o) as [|j js IH]; [reflexivity|].
  rewrite sum_map_cons, IH. cbn [map]. rewrite product_cons. reflexivity.
Qed.

(* ---- The sum of rows *)

Lemma dual_one_positive : 0 < inject_Z (dual_one m).
Proof. reflexivity. Qed.

Lemma rows_balance terms f : sums_hold terms f -> vanishes_outside 1 (penalized_paths d o) (dual_rows f) = true ->
  balanced keys terms.
Proof.
  intros [_ _ _ R _] V k j N.
  assert (B : value_at (bank_point (dual_rows f)) k j == 0).
  { apply (zero_outside _ _ _ _ paths_are V). intros [K I]. apply N. replace k with 0%nat by lia. apply in_map, I. }
  pose proof (R (at_key k j 1)) as E. rewrite !dot_at_key, B in E. pose proof dual_one_positive as P.
  assert (Z : inject_Z (dual_one m) * value_at (combined terms) k j == 0) by lra.
  apply Qmult_integral in Z as [Z|Z]; [lra|exact Z].
Qed.

Lemma squares_are terms f : sums_hold terms f -> balanced keys terms ->
  value (squares (dual_rows f)) ==
  inject_Z (dual_one m) * inject_Z (dual_one m) * inner_on keys (value_at (combined terms)) (value_at (combined terms)).
Proof.
  intros [_ _ _ R _] B. rewrite squares_are_a_length, R, dot_symmetric, R, (dot_on keys _ _ keys_once B). ring.
Qed.

(* ---- The figures *)

Definition compares (l : loss_kind) (a b : Q) : Prop :=
  match l with Hinge | Squared_hinge => a == b | Logistic => a <= b end.

(* What is compared has the unit n. *)
Lemma comparison a n x q : 0 < n -> value a == x * n ->
  (match l with Hinge | Squared_hinge => is_fraction | Logistic => at_most_fraction end) a (q * n) = true ->
  compares l x q.
Proof.
  intros N V H. unfold compares. destruct l.
  1, 2: apply is_fraction_spec in H; rewrite V, Qmult_inj_r in H by lra; exact H.
  apply at_most_fraction_spec in H. rewrite V, Qmult_le_r in H by exact N. exact H.
Qed.

Lemma primal_is terms f q : sums_hold terms f -> primal_is_so m f (penalized_paths d o) q = true ->
  compares l (primal_on l keys terms w) q.
Proof.
  intros [L _ _ _ _] H. unfold primal_is_so in H. cbv zeta in H. destruct clear_costs as (_ & _ & C & _).
  rewrite (Zlt_Qlt 0) in C. pose proof one_positive as P. change (prices m) with p in H.
  change (priced_loss p) with l in H.
  eapply comparison; [| |exact H].
  - change 0 with (inject_Z 0). rewrite <- Zlt_Qlt. rewrite <- Zlt_Qlt in C.
    repeat apply Z.mul_pos_pos; try reflexivity; [exact C|]. destruct l; reflexivity.
  - rewrite value_add, value_of_whole, value_multiply_whole, L, !inject_Z_mult, length_is. unfold unit_of_losses,
    primal_on.
    set (x := inner_on keys w w). destruct l; rewrite ?inject_Z_mult; change (inject_Z 1) with 1;
      change (inject_Z 2) with 2;
      field.
Qed.

Lemma dual_is terms f q : sums_hold terms f -> balanced keys terms -> dual_is_so m f q = true ->
  compares l (- dual_on l keys terms) (- q).
Proof.
  intros S B H. unfold dual_is_so in H. cbv zeta in H. pose proof (squares_are terms f S B) as V.
  destruct S as [_ D X _ _]. destruct clear_costs as (_ & _ & _ & _ & C & _). rewrite (Zlt_Qlt 0) in C.
  pose proof dual_one_positive as P. change (prices m) with p in H. change (priced_loss p) with l in H.
  eapply comparison; [| |exact H].
  - rewrite !inject_Z_mult. repeat apply Qmult_lt_0_compat; assumption || reflexivity.
  - rewrite value_subtract, value_of_whole, value_multiply_whole, V. unfold Z.sub.
    rewrite inject_Z_plus, inject_Z_opp, !inject_Z_mult, D, X, total_difference. unfold dual_on.
    change (inject_Z 4) with 4. change (inject_Z 2) with 2. field.
Qed.

(* ---- The dual variables of a certificate *)

Definition dual_of_row (r : row) : Q := dual_numerator r # dual_variables_over s.

Lemma combined_is rows : combined (terms_of rows) = dual_point rows own dual_of_row.
Proof.
  induction rows as [|r rows IH]; [reflexivity|]. unfold terms_of. cbn [flat_map]. fold (terms_of rows).
  rewrite combined_app, IH. unfold dual_point at 2. cbn [flat_map]. fold (dual_point rows own dual_of_row).
  destruct (class r); [|reflexivity]. cbn [combined flat_map]. rewrite app_nil_r. reflexivity.
Qed.

Lemma own_parts_are rows : l = Logistic -> total (own_part l) (terms_of rows) == sum (map (fun r =>
  match class r with Some k => entropy_below (nth k (costs o) 0) [dual_of_row r] | None => 0 end) rows).
Proof.
  intros L. induction rows as [|r rows IH]; [reflexivity|]. unfold terms_of. cbn [flat_map]. fold (terms_of rows).
  rewrite total_app, sum_map_cons, IH. apply Qplus_comp; [|reflexivity].
  destruct (class r) as [k|]; [rewrite total_one, L; reflexivity|reflexivity].
Qed.

Lemma shown_by_duals rows q : l = Logistic -> balanced keys (terms_of rows) -> Forall (within l) (terms_of rows) ->
  q <= dual_on l keys (terms_of rows) -> dual_is_shown d rows o own q.
Proof.
  intros L B W H. exists dual_of_row. cbv zeta. rewrite <- combined_is. rewrite L in W, H. split; [|split].
  - intros r k I K. rewrite Forall_forall in W. specialize (W (term_of k r)). unfold terms_of in W.
    rewrite in_flat_map in W.
    apply W. exists r. rewrite K. split; [exact I|left; reflexivity].
  - intros k j N. apply B. intros I. apply N. unfold keys in I. apply in_map_iff in I as (i & [= <- <-] & I). auto.
  - eapply Qle_trans; [exact H|]. unfold dual_on. rewrite <- L, (own_parts_are rows L), inner_is. apply Qle_refl.
Qed.

Theorem solution_is_so exact rows : Forall2 same_row exact rows -> Forall (class_is_known d) rows ->
  first_wrong (solution_parts (penalized_paths d o) s m (fold_left (meter_row m) exact no_sums)) = None ->
  solution_holds d rows o own s.
Proof.
  intros Same Known H. pose proof (metered_sums_hold exact rows Same Known) as S.
  set (f := fold_left (meter_row m) exact no_sums) in *.
  assert (every : forall e, In e (solution_parts (penalized_paths d o) s m f) -> snd e = true).
  { intros e I. unfold first_wrong in H. destruct (find _ _) as [x|] eqn:F; [discriminate|].
    apply (find_none _ _ F) in I. apply Bool.negb_false_iff, I. }
  pose proof (every (Range_of_duals, _) ltac:(cbn; auto)) as R. cbn [snd] in R.
  pose proof (every (Sum_of_duals, _) ltac:(cbn; auto)) as V. cbn [snd] in V.
  pose proof (every (The_primal, _) ltac:(cbn; auto)) as P. cbn [snd] in P.
  pose proof (every (The_dual, _) ltac:(cbn; auto 10)) as D. cbn [snd] in D.
  pose proof (rows_balance _ f S V) as B. apply (primal_is _ f _ S) in P. apply (dual_is _ f _ S B) in D.
  destruct S as [_ _ _ _ W]. specialize (W R). unfold solution_holds. fold l.
  assert (G : l <> Logistic -> dual_on l keys (terms_of rows) == dual s -> forall u,
    dual s <= objective d rows o own u /\ forall v, (forall x, objective d rows o own v <= objective d rows o own x) ->
      squared_distance_of d o u v <= 2 * (objective d rows o own u - dual s)).
  { intros N E u. destruct (duality l N keys (terms_of rows) keys_once B W u) as (L & _ & M).
    rewrite objective_is, <- E. split; [exact L|].
    intros v Least. rewrite distance_is, objective_is, <- E. apply M. intros x. rewrite <- !objective_is. apply Least. }
  destruct l eqn:L.
  1, 2: split; [rewrite objective_is, L; exact P|apply G; [discriminate|]]; cbn [compares] in D; lra.
  split; [rewrite objective_is, L; exact P|]. apply (shown_by_duals _ _ L B); rewrite L; [exact W|].
  cbn [compares] in D. lra.
Qed.
End Solution.
