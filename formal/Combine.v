(* What combinations prove: nothing separates the rows of a sum that is 0, the length of a sum bounds the margin, and
   disjoint witnesses force errors. *)

From Coq Require Import Ascii List ZArith NArith QArith Lia Lqa.
Require Import Statements Decimals Tries Reading Algebra Checker Measure.
Import ListNotations.

(* ---- Maps by file and row *)

Lemma find_put_same {A} i (a : A) m : find_id (put_id i a m) i = Some a.
Proof. unfold find_id, put_id. rewrite get_change_same. unfold put. rewrite get_change_same. reflexivity. Qed.

Lemma find_put_other {A} i j (a : A) m : i <> j -> find_id (put_id i a m) j = find_id m j.
Proof.
  intros N. unfold find_id, put_id. destruct i as [s n], j as [s' n']. cbn [fst snd].
  destruct (N.eq_dec s s') as [->|Ns].
  - rewrite get_change_same. unfold put. rewrite get_change_other.
    + destruct (get m (path_of s')); [reflexivity|apply get_leaf].
    + intros E. apply path_of_injective in E. congruence.
  - rewrite get_change_other; [reflexivity|]. intros E. apply path_of_injective in E. congruence.
Qed.

Lemma id_eq_dec (i j : id) : {i = j} + {i <> j}.
Proof. decide equality; apply N.eq_dec. Qed.

Definition id_of (r : row) : id := (source r, number r).

(* ---- The terms of a combination are points of the question *)

Section Terms.
Variable d : description.
Variable rows : list row.

Definition is_point (t : term) (rz : row * signed_point) : Prop :=
  In (fst rz) rows /\ id_of (fst rz) = term_id t /\ class (fst rz) = Some (term_class t) /\
  In (snd rz) (signed_points d (fst rz)) /\ (0 < term_weight t)%Z.

(* The rows that were kept, as rows of the files. *)
Definition kept_are_rows (m : id_map exact_row) : Prop :=
  forall i c, find_id m i = Some c -> exists r, In r rows /\ same_row c r /\ id_of r = i.

Definition weighted (w : weights) (l : list (term * (row * signed_point))) : Q :=
  sum (map (fun e => inject_Z (term_weight (fst e)) * dot w (snd (snd e))) l).

Lemma weighted_cons w t r z l : weighted w ((t, (r, z)) :: l) == inject_Z (term_weight t) * dot w z + weighted w l.
Proof. reflexivity. Qed.

Lemma dot_same_point w k n x y : same_point x y -> dot w (place k n (point_of_cells x)) == dot w (place k n y).
Proof.
  induction 1 as [|[p v] [j q] x y [P V] S IH]; [reflexivity|]. cbn [fst snd] in P, V. subst p.
  cbn [point_of_cells place map]. fold (point_of_cells x). rewrite !dot_cons.
    fold (place k n (point_of_cells x)) (place k n y).
  rewrite IH, V, number_of_path. reflexivity.
Qed.

Lemma dot_add_row w k n x y b : same_point x y ->
  dot w (bank_point (add_cells k n x b)) == dot w (bank_point b) + inject_Z n * dot w (place k 1 y).
Proof. intros S. rewrite dot_add_cells, (dot_same_point w k _ x y S), dot_place. reflexivity. Qed.

Hypothesis two_means_two : asked d = Two_classes -> length (groups d) = 2%nat.

Lemma assembled_terms m : kept_are_rows m -> forall l b b', fold_left (assemble_term d m) l (Some b) = Some b' ->
  exists points, Forall2 is_point l points /\ Forall2 (fun t rz => snd rz = term_point d t (fst rz)) l points /\
    forall w, dot w (bank_point b') == dot w (bank_point b) + weighted w (combine l points).
Proof.
  intros K.
  assert (stuck : forall l, fold_left (assemble_term d m) l None = None) by (induction l; cbn; auto).
  induction l as [|t l IH]; intros b b' H; cbn [fold_left] in H.
  - injection H as <-. exists []. split; [constructor|]. split; [constructor|]. intros w. unfold weighted. cbn. ring.
  - unfold assemble_term at 2 in H. destruct (find_id m (term_id t)) as [c|] eqn:F; [|rewrite stuck in H; discriminate].
    destruct (K _ _ F) as (r & I & (Ss & Sn & Sc & Sv) & E).
    destruct (row_class c) as [k|] eqn:C; [|rewrite stuck in H; discriminate].
    destruct (Nat.eqb_spec k (term_class t)) as [->|]; [|rewrite stuck in H; discriminate].
    destruct (Z.ltb_spec 0 (term_weight t)) as [W|]; [|rewrite stuck in H; discriminate]. cbn [andb] in H.
    destruct (asked d) eqn:Q.
    + apply IH in H as (points & P & X & D).
      exists ((r, place 0 (if Nat.eqb (term_class t) 1 then 1 else -1) (values r)) :: points). split; [|split].
      * constructor; [|exact P]. unfold is_point. cbn [fst snd]. repeat split; auto.
        unfold signed_points. rewrite <- Sc, Q. left. reflexivity.
      * constructor; [|exact X]. unfold term_point. rewrite Q. reflexivity.
      * intros w. cbn [combine]. rewrite weighted_cons, D, (dot_add_row w 0 _ _ _ b Sv).
        rewrite (dot_place w 0 (if Nat.eqb _ 1 then 1 else -1)).
          destruct (Nat.eqb (term_class t) 1); rewrite ?inject_Z_opp; ring.
    + destruct (Nat.eqb_spec (term_rival t) (term_class t)) as [|N]; [rewrite stuck in H; discriminate|].
      destruct (Nat.ltb_spec (term_rival t) (length (groups d))) as [L|]; [|rewrite stuck in H; discriminate].
      cbn [negb andb] in H. apply IH in H as (points & P & X & D).
      exists ((r, place (term_class t) 1 (values r) ++ place (term_rival t) (-1) (values r)) :: points).
        split; [|split].
      * constructor; [|exact P]. unfold is_point. cbn [fst snd]. repeat split; auto.
        unfold signed_points. rewrite <- Sc, Q. apply in_map_iff. exists (term_rival t). split; [reflexivity|].
        apply filter_In. split; [apply in_seq; lia|]. destruct (Nat.eqb_spec (term_rival t) (term_class t));
          [congruence|reflexivity].
      * constructor; [|exact X]. unfold term_point. rewrite Q. reflexivity.
      * intros w. cbn [combine]. rewrite weighted_cons, D, !(dot_add_row w _ _ _ _ _ Sv), dot_app.
        rewrite (dot_place w (term_rival t) (-1)), inject_Z_opp. ring.
Qed.

Lemma assembled_spec m c s : kept_are_rows m -> assembled d m c = Some s ->
  exists points b, (Forall2 is_point (terms c) points /\
      Forall2 (fun t rz => snd rz = term_point d t (fst rz)) (terms c) points) /\ terms c <> [] /\ s = squares b /\
    forall w, dot w (bank_point b) == weighted w (combine (terms c) points).
Proof.
  intros K H. unfold assembled in H. destruct (terms c) as [|t l] eqn:T; [discriminate|].
  destruct (fold_left (assemble_term d m) (t :: l) (Some [])) as [b|] eqn:F; [|discriminate]. injection H as <-.
  apply (assembled_terms m K) in F as (points & P & X & D). exists points, b. repeat split; auto; [discriminate|].
  intros w. rewrite D. unfold bank_point. cbn. unfold as_point, dot. cbn. ring.
Qed.

(* ---- Sums with positive weights *)

Lemma weight_is_positive t : (0 < term_weight t)%Z -> 0 < inject_Z (term_weight t).
Proof. intros H. rewrite (Zlt_Qlt 0) in H. exact H. Qed.

Definition weight_sum (l : list term) : Q := sum (map (fun t => inject_Z (term_weight t)) l).

Lemma weighted_at_least w g l points : Forall2 is_point l points -> (forall rz, In rz points -> g <= dot w (snd rz)) ->
  weight_sum l * g <= weighted w (combine l points).
Proof.
  induction 1 as [|t [r z] l points P F IH]; intros H; [unfold weight_sum, weighted; cbn; lra|].
  cbn [combine]. rewrite weighted_cons.
  assert (E : weight_sum (t :: l) == inject_Z (term_weight t) + weight_sum l) by reflexivity. rewrite E.
  assert (I : weight_sum l * g <= weighted w (combine l points)) by (apply IH; intros rz I; apply H; right; exact I).
  destruct P as (_ & _ & _ & _ & W). apply weight_is_positive in W.
  assert (G : g <= dot w z) by (apply (H (r, z)); left; reflexivity). nra.
Qed.

Lemma weight_sum_positive l points : Forall2 is_point l points -> l <> [] -> 0 < weight_sum l.
Proof.
  induction 1 as [|t [r z] l points P F IH]; intros N; [congruence|].
  assert (E : weight_sum (t :: l) == inject_Z (term_weight t) + weight_sum l) by reflexivity. rewrite E.
  destruct P as (_ & _ & _ & _ & W). apply weight_is_positive in W. destruct l as [|t' l].
  - unfold weight_sum. cbn. lra.
  - assert (0 < weight_sum (t' :: l)) by (apply IH; discriminate). lra.
Qed.

Lemma weighted_positive w l points : Forall2 is_point l points -> (forall rz, In rz points -> 0 <= dot w (snd rz)) ->
  (exists rz, In rz points /\ 0 < dot w (snd rz)) -> 0 < weighted w (combine l points).
Proof.
  induction 1 as [|t [r z] l points P F IH]; intros H (rz & I & Pos); [destruct I|].
  cbn [combine]. rewrite weighted_cons. destruct P as (_ & _ & _ & _ & W). apply weight_is_positive in W.
  assert (G : 0 <= dot w z) by (apply (H (r, z)); left; reflexivity).
  assert (rest : 0 <= weighted w (combine l points)).
  { assert (A : weight_sum l * 0 <= weighted w (combine l points)) by (apply weighted_at_least; [exact F|intros x J;
    apply H; right; exact J]).
    lra. }
  destruct I as [<-|I].
  - cbn [snd] in Pos. nra.
  - assert (0 < weighted w (combine l points)) by (apply IH; [intros x J; apply H; right; exact J|exists rz; auto]).
    nra.
Qed.

(* ---- What an exact combination proves *)

Variable m : id_map exact_row.
Hypothesis kept_rows : kept_are_rows m.

Lemma points_are_in_question l points rz : Forall2 is_point l points -> In rz points -> in_question d rows (snd rz).
Proof.
  induction 1 as [|t [r z] l points P F IH]; intros I; [destruct I|]. destruct I as [<-|I]; [|auto].
  destruct P as (Ir & _ & _ & Iz & _). exists r. auto.
Qed.

Lemma total_weight_is_sum c : inject_Z (total_weight c) == weight_sum (terms c).
Proof.
  unfold total_weight. assert (E : forall l n, inject_Z (fold_left (fun n t => n + term_weight t)%Z l n) == inject_Z
    n + weight_sum l).
  { induction l as [|t l IH]; intros n; cbn [fold_left]; [unfold weight_sum; cbn; ring|].
    rewrite IH, inject_Z_plus. unfold weight_sum. cbn [map sum fold_right].
      fold (sum (map (fun t => inject_Z (term_weight t)) l)). ring. }
  rewrite E. change (inject_Z 0) with 0. ring.
Qed.

Theorem exact_combination_bounds_margin c : combination_is_exact d m c = true ->
  forall w b g, squared_length_at_most w b -> 0 <= g -> (forall z, in_question d rows z -> g <= dot w z) ->
    g * g <= squared_distance c * b.
Proof.
  unfold combination_is_exact. destruct (assembled d m c) as [s|] eqn:A; [|discriminate]. intros E w b g B G H.
  apply is_fraction_spec in E. rewrite inject_Z_mult, total_weight_is_sum in E.
  apply (assembled_spec m c s kept_rows) in A as (points & bank & (P & X) & N & -> & D).
  assert (T : weight_sum (terms c) * g <= dot w (bank_point bank)).
  { rewrite D. apply weighted_at_least; [exact P|]. intros rz I. apply H. eapply points_are_in_question; eassumption. }
  pose proof (weight_sum_positive _ _ P N) as W. pose proof (bank_cauchy_schwarz w b bank B) as C. rewrite E in C.
  set (t := weight_sum (terms c)) in *. set (x := dot w (bank_point bank)) in *. set (q := squared_distance c) in *.
  assert (S : (t * g) * (t * g) <= x * x) by (assert (0 <= t * g) by nra; nra).
  assert (S' : (t * t) * (g * g) <= (t * t) * (q * b)) by lra.
  assert (0 < t * t) by nra. apply (Qmult_le_l _ _ (t * t)); assumption.
Qed.

Lemma witness_sum_is_zero c : combination_is_exact d m c = true -> is_witness c = true ->
  exists points, Forall2 is_point (terms c) points /\ terms c <> [] /\ forall w,
    weighted w (combine (terms c) points) == 0.
Proof.
  unfold combination_is_exact, is_witness. destruct (assembled d m c) as [s|] eqn:A; [|discriminate]. intros E W.
  apply is_fraction_spec in E. apply Z.eqb_eq in W.
  assert (Zero : squared_distance c == 0) by (unfold Qeq; rewrite W; reflexivity). rewrite Zero in E.
  apply (assembled_spec m c s kept_rows) in A as (points & bank & (P & X) & N & -> & D).
  exists points. repeat split; auto. intros w. rewrite <- D. apply zero_squares_zero_dot. rewrite E. ring.
Qed.

Lemma some_point l points : Forall2 is_point l points -> l <> [] -> exists rz, In rz points.
Proof. intros F N. destruct F as [|t rz l points]; [congruence|]. exists rz. left. reflexivity. Qed.

Theorem witness_forbids_separation c : combination_is_exact d m c = true -> is_witness c = true ->
  ~ exists w, forall z, in_question d rows z -> 0 < dot w z.
Proof.
  intros E W (w & H). destruct (witness_sum_is_zero c E W) as (points & P & N & Z).
  assert (0 < weighted w (combine (terms c) points)).
  { destruct (some_point _ _ P N) as (rz & I). apply weighted_positive; [exact P| |].
    - intros x J. apply Qlt_le_weak, H. eapply points_are_in_question; eassumption.
    - exists rz. split; [exact I|]. apply H. eapply points_are_in_question; eassumption. }
  rewrite Z in H0. lra.
Qed.

(* ---- Errors *)

Hypothesis asks_two : asked d = Two_classes.

(* Without an error, agreements are not negative; where 0 is an error, they are positive. *)
Lemma right_row_agrees t w r z k : In r rows -> class r = Some k -> In z (signed_points d r) -> errs t w r = false ->
  0 <= dot w z /\ (t = B \/ k = 0%nat -> 0 < dot w z).
Proof.
  intros I K S E. unfold signed_points in S. rewrite K, asks_two in S. destruct S as [<-|[]].
  rewrite dot_place. fold (score w r). unfold errs in E. rewrite K in E.
  destruct (Nat.eqb_spec k 1) as [->|N].
  - destruct t.
    + apply less_false in E. split; [lra|]. intros [C|C]; discriminate.
    + apply le_false in E. split; intros; lra.
  - apply le_false in E. split; intros; lra.
Qed.

Lemma negative_term l points : Forall2 is_point l points -> existsb (fun t => Nat.eqb (term_class t) 0) l = true ->
  exists rz, In rz points /\ class (fst rz) = Some 0%nat.
Proof.
  induction 1 as [|t rz l points P F IH]; [discriminate|]. cbn [existsb]. rewrite Bool.orb_true_iff. intros [H|H].
  - apply Nat.eqb_eq in H. exists rz. split; [left; reflexivity|]. destruct P as (_ & _ & C & _). congruence.
  - destruct (IH H) as (x & I & C). exists x. split; [right; exact I|exact C].
Qed.

(* Each of its terms has a row, and weights err on one of them. *)
Theorem forced_error c t w : combination_is_exact d m c = true -> forces_error t c = true ->
  exists x r, In x (terms c) /\ In r rows /\ id_of r = term_id x /\ errs t w r = true.
Proof.
  intros E F. unfold forces_error in F. apply Bool.andb_true_iff in F as [W T].
  destruct (witness_sum_is_zero c E W) as (points & P & N & Z).
  assert (step : forall l ps, Forall2 is_point l ps ->
    (exists x r, In x l /\ In r rows /\ id_of r = term_id x /\ errs t w r = true) \/
    (forall rz, In rz ps -> In (fst rz) rows /\ In (snd rz) (signed_points d (fst rz)) /\ errs t w (fst rz) = false)).
  { induction 1 as [|x rz l ps Px F IH]; [right; intros ? []|].
    pose proof Px as (Ir & Ix & C & Iz & _). destruct (errs t w (fst rz)) eqn:Er.
    - left. exists x, (fst rz). repeat split; auto. left. reflexivity.
    - destruct IH as [(y & r & Iy & R)|R].
      + left. exists y, r. split; [right; exact Iy|exact R].
      + right. intros q [<-|I]; auto. }
  destruct (step _ _ P) as [S|S]; [exact S|exfalso].
  assert (classy : forall rz, In rz points -> exists k, class (fst rz) = Some k).
  { clear - P. induction P as [|x rz l ps Px F IH]; [intros ? []|]. intros q [<-|I]; [|auto].
    destruct Px as (_ & _ & C & _). exists (term_class x). exact C. }
  assert (0 < weighted w (combine (terms c) points)).
  { apply weighted_positive; [exact P| |].
    - intros rz I. destruct (S rz I) as (Ir & Iz & Er). destruct (classy rz I) as (k & C).
      exact (proj1 (right_row_agrees t w _ _ k Ir C Iz Er)).
    - destruct t.
      + destruct (negative_term _ _ P T) as (rz & I & C). exists rz. split; [exact I|].
        destruct (S rz I) as (Ir & Iz & Er). apply (proj2 (right_row_agrees A w _ _ 0 Ir C Iz Er)). right. reflexivity.
      + destruct (some_point _ _ P N) as (rz & I). exists rz. split; [exact I|].
        destruct (S rz I) as (Ir & Iz & Er). destruct (classy rz I) as (k & C).
        apply (proj2 (right_row_agrees B w _ _ k Ir C Iz Er)). left. reflexivity. }
  rewrite Z in H. lra.
Qed.

(* ---- Trees of witnesses *)

Variable all : list combination.
Hypothesis all_exact : forall i c, nth_error all i = Some c -> combination_is_exact d m c = true.
Variable t : tie.
Variable w : weights.

(* So many rows outside of [gone] are errors. *)
Definition erring (gone : id_map unit) (n : N) : Prop :=
  exists ids : list id, NoDup ids /\ N.of_nat (length ids) = n /\
    forall i, In i ids -> find_id gone i = None /\ exists r, In r rows /\ id_of r = i /\ errs t w r = true.

Lemma fresh_spec gone i c : fresh all t gone i = Some c ->
  exists x r, In x (terms c) /\ In r rows /\ id_of r = term_id x /\ errs t w r = true /\ find_id gone (term_id x) =
    None.
Proof.
  unfold fresh. destruct (nth_error all i) as [c'|] eqn:E; [|discriminate].
  destruct (forces_error t c') eqn:F; [|discriminate]. cbn [andb].
  destruct (forallb _ (terms c')) eqn:U; [|discriminate]. intros [= <-].
  destruct (forced_error c' t w (all_exact _ _ E) F) as (x & r & I & R). exists x, r.
  rewrite forallb_forall in U. specialize (U x I). unfold unused in U.
  destruct (find_id gone (term_id x)); [discriminate|]. tauto.
Qed.

Lemma erring_more gone gone' x n :
  find_id gone x = None -> (exists r, In r rows /\ id_of r = x /\ errs t w r = true) ->
  (forall i, find_id gone' i = None -> find_id gone i = None) -> find_id gone' x <> None ->
  erring gone' n -> erring gone (N.succ n).
Proof.
  intros F R Sub G (ids & U & L & H). exists (x :: ids). split; [|split].
  - constructor; [|exact U]. intros I. apply G. apply (H x I).
  - cbn [length]. lia.
  - intros i [<-|I]; [auto|]. destruct (H i I) as [A B]. auto.
Qed.

Lemma find_after_terms l : forall gone i, find_id (fold_left (fun m x => put_id (term_id x) tt m) l gone) i = None ->
  find_id gone i = None /\ forall x, In x l -> term_id x <> i.
Proof.
  induction l as [|x l IH]; intros gone i H; cbn [fold_left] in H; [split; [exact H|intros ? []]|].
  apply IH in H as [H N]. destruct (id_eq_dec (term_id x) i) as [<-|D].
  - rewrite find_put_same in H. discriminate.
  - rewrite find_put_other in H by exact D. split; [exact H|]. intros y [<-|I]; auto.
Qed.

Lemma packing_value_spec l : forall gone n, packing_value all t gone l = Some n -> erring gone n.
Proof.
  induction l as [|i l IH]; intros gone n H; cbn [packing_value] in H.
  - injection H as <-. exists []. split; [constructor|]. split; [reflexivity|]. intros i [].
  - destruct (fresh all t gone i) as [c|] eqn:F; [|discriminate].
    destruct (packing_value all t _ l) as [k|] eqn:P; [|discriminate]. injection H as <-. apply IH in P.
    apply fresh_spec in F as (x & r & I & Ir & E & Er & G).
    eapply (erring_more gone _ (term_id x)); [exact G|exists r; auto| | |exact P].
    + intros j H. apply find_after_terms in H. tauto.
    + intros H. apply find_after_terms in H as [_ H]. exact (H x I eq_refl).
Qed.

Fixpoint tree_induction (P : tree -> Prop) (packing : forall l, P (Packing l))
  (witness : forall i branches, Forall P branches -> P (Witness i branches)) (this : tree) : P this :=
  match this with
  | Packing l => packing l
  | Witness i branches =>
      witness i branches ((fix every (l : list tree) : Forall P l :=
        match l with [] => Forall_nil P | b :: rest => Forall_cons b (tree_induction P packing witness b) (every
          rest) end) branches)
  end.

Lemma front_once (l m' : list id) : NoDup (l ++ m') -> NoDup l.
Proof.
  induction l as [|i l IH]; cbn; intros H; constructor; inversion_clear H as [|? ? N U]; [|auto].
  intros I. apply N, in_or_app. auto.
Qed.

Lemma erring_less gone fewer n : (fewer <= n)%N -> erring gone n -> erring gone fewer.
Proof.
  intros L (ids & U & E & H). exists (firstn (N.to_nat fewer) ids). split; [|split].
  - rewrite <- (firstn_skipn (N.to_nat fewer) ids) in U. exact (front_once _ _ U).
  - rewrite firstn_length. lia.
  - intros i I. apply H. rewrite <- (firstn_skipn (N.to_nat fewer) ids). apply in_or_app. left. exact I.
Qed.

Lemma put_is_more gone i j : find_id (put_id i tt gone) j = None -> find_id gone j = None.
Proof.
  intros H. destruct (id_eq_dec i j) as [<-|N]; [rewrite find_put_same in H; discriminate|].
  rewrite find_put_other in H by exact N. exact H.
Qed.

Lemma tree_value_spec this : forall gone n, tree_value all t gone this = Some n -> erring gone n.
Proof.
  induction this as [l|i branches IH] using tree_induction; intros gone n H; [apply (packing_value_spec l), H|].
  cbn [tree_value] in H. destruct (fresh all t gone i) as [c|] eqn:F; [|discriminate].
  apply fresh_spec in F as (x & r & I & Ir & E & Er & G).
  assert (step : exists k, (n <= N.succ k)%N /\ erring (put_id (term_id x) tt gone) k).
  { revert n H I. generalize (terms c). induction IH as [|one b Hone Hb IHb]; intros l n H I.
    - destruct l as [|y [|z l]]; discriminate.
    - destruct l as [|y l]; [discriminate|].
      destruct l as [|y' l].
      + destruct b as [|b1 b].
        * destruct I as [<-|[]]. destruct (tree_value all t _ one) as [k|] eqn:V; [|discriminate]. injection H as <-.
          exists k. split; [lia|]. apply Hone, V.
        * exfalso. destruct (tree_value all t (put_id (term_id y) tt gone) one); discriminate H.
      + destruct b as [|b1 b]; [exfalso; destruct l, (tree_value all t (put_id (term_id y) tt gone) one);
        discriminate H|].
        destruct (tree_value all t (put_id (term_id y) tt gone) one) as [k|] eqn:V; [|discriminate].
        match type of H with match ?e with _ => _ end = _ => destruct e as [rest|] eqn:R; [|discriminate] end.
        injection H as <-. destruct I as [<-|I].
        * exists k. split; [lia|]. apply Hone, V.
        * destruct (IHb (y' :: l) rest R I) as (k' & L & Ek). exists k'. split; [lia|exact Ek]. }
  destruct step as (k & L & Ek). apply (erring_less gone n (N.succ k) L).
  eapply (erring_more gone _ (term_id x)); [exact G|exists r; auto|apply put_is_more| |exact Ek].
  rewrite find_put_same. discriminate.
Qed.

Lemma erring_counts gone n : erring gone n -> (n <= errors rows t w)%N.
Proof.
  intros (ids & U & <- & H). unfold errors.
  assert (L : (length ids <= length (map id_of (filter (errs t w) rows)))%nat).
  { apply NoDup_incl_length; [exact U|]. intros i I. destruct (H i I) as [_ (r & Ir & E & Er)].
    apply in_map_iff. exists r. split; [exact E|]. apply filter_In. auto. }
  rewrite map_length in L. lia.
Qed.
End Terms.
