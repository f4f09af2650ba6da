(* What a certificate states about the coefficients of a regression holds, if the checker finds no part wrong.

   The points of a witness have positive weights and add up to 0, so every receding direction is 0 on them (the overlap
   of Albert and Anderson 1984). Elimination on these rows shows which coefficients such directions cannot move. What is
   0 on them is a combination of the null space; a row on which the null space is 0 is separated by no direction. *)

From Coq Require Import List ZArith NArith QArith Lia Lqa.
Require Import Statements Decimals Tries Reading Algebra Elimination Objective Checker Measure Combine.
Import ListNotations.

(* ---- Vectors and points *)

Definition weigh (v : weights) (p : path) : Q := v 0%nat (number_of p).
Definition weights_in (x : vector) : weights := fun _ j => inject_Z (at_path x (path_of j)).
Definition plain (y : point) : signed_point := place 0 1 y.

Lemma dot_plain_cons w j q y : dot w (plain ((j, q) :: y)) == w 0%nat j * q + dot w (plain y).
Proof. unfold plain. cbn [place map]. rewrite dot_cons. fold (place 0 1 y). ring. Qed.

Lemma plain_same u w y : (forall j, In j (map fst y) -> u 0%nat j == w 0%nat j) -> dot u (plain y) == dot w (plain y).
Proof.
  induction y as [|[j q] y IH]; intros H; [reflexivity|]. rewrite !dot_plain_cons, IH by (intros; apply H; right; auto).
  rewrite (H j) by (left; reflexivity). reflexivity.
Qed.

Lemma plain_sum u v w c y : (forall j, w 0%nat j == u 0%nat j + c * v 0%nat j) ->
  dot w (plain y) == dot u (plain y) + c * dot v (plain y).
Proof.
  intros H. induction y as [|[j q] y IH]; [change (0 == 0 + c * 0); ring|]. rewrite !dot_plain_cons, IH, H. ring.
Qed.

Lemma plain_zero w y : (forall j, In j (map fst y) -> w 0%nat j == 0) -> dot w (plain y) == 0.
Proof.
  intros H. induction y as [|[j q] y IH]; [reflexivity|].
  rewrite dot_plain_cons, IH by (intros; apply H; right; auto). rewrite (H j) by (left; reflexivity). ring.
Qed.

Lemma cells_are_point v x y : same_point x y -> cells_against (weigh v) x == dot v (plain y).
Proof.
  induction 1 as [|[p a] [j q] x y [P V] S IH]; [reflexivity|]. cbn [fst snd] in P, V. subst p.
  rewrite dot_plain_cons. cbn [cells_against fold_right fst snd]. fold (cells_against (weigh v) x).
  rewrite IH, V. unfold weigh. rewrite number_of_path. reflexivity.
Qed.

Lemma vector_of_row v x y : same_point x y -> exists m, 0 < m /\ against (weigh v) (vector_of x) == m * dot v (plain y).
Proof.
  intros S. destruct (vector_of_spec x) as (m & P & E). exists m. split; [exact P|].
  rewrite E, (cells_are_point v x y S). reflexivity.
Qed.

Lemma vector_of_bank v t : exists m, 0 < m /\
  against (weigh v) (vector_of (elements t)) == m * dot v (bank_point [t]).
Proof.
  destruct (vector_of_spec (elements t)) as (m & P & E). exists m. split; [exact P|]. rewrite E.
  apply Qmult_comp; [reflexivity|]. unfold bank_point. cbn [bank_entries]. rewrite app_nil_r.
  clear E. induction (elements t) as [|[p a] l IH]; [reflexivity|]. cbn [map cells_against fold_right fst snd].
  fold (cells_against (weigh v) l). rewrite IH. unfold as_point. cbn [map]. rewrite dot_cons. reflexivity.
Qed.

(* A point as what multiplies a vector's entries. *)
Definition point_at (y : point) (p : path) : Q :=
  fold_right (fun e s => (if same_path (path_of (fst e)) p then snd e else 0) + s) 0 y.

Lemma against_point y x : against (point_at y) x == dot (weights_in x) (plain y).
Proof.
  induction y as [|[j q] y IH]; [apply against_none|]. rewrite dot_plain_cons, <- IH.
  assert (S : against (point_at ((j, q) :: y)) x ==
    against (fun p => if same_path (path_of j) p then q else 0) x + 1 * against (point_at y) x).
  { apply against_sum. intros p. cbn [point_at fold_right fst snd]. fold (point_at y p). ring. }
  rewrite S, against_one. unfold weights_in. ring.
Qed.

Definition vector_of_separator (s : separator) : vector := weight_trie (nth 0 (vectors s) []).

Lemma separator_at s j : weights_of s 0%nat j = inject_Z (at_path (vector_of_separator s) (path_of j)).
Proof.
  unfold weights_of, vector_of_separator. change (at_path ?t (path_of j)) with (weight_at t j).
  rewrite weight_of_trie. reflexivity.
Qed.

Lemma separator_on_point s y : dot (weights_in (vector_of_separator s)) (plain y) == dot (weights_of s) (plain y).
Proof. apply plain_same. intros j _. rewrite separator_at. reflexivity. Qed.

(* ---- Coordinates, and sets of paths *)

Lemma numbers_are n : forall i, numbers_from i n = map N.of_nat (seq (N.to_nat i) n).
Proof.
  induction n as [|n IH]; intros i; [reflexivity|]. cbn [numbers_from seq map]. rewrite IH, N2Nat.id.
  replace (N.to_nat (i + 1)) with (S (N.to_nat i)) by lia. reflexivity.
Qed.

Lemma paths_of_coordinates d : all_coordinates d = map path_of (coordinates d).
Proof. unfold all_coordinates, coordinates. cbv zeta. rewrite numbers_are. destruct (bias d); reflexivity. Qed.

Lemma member_put p q t : member p (put q tt t) = true <-> p = q \/ member p t = true.
Proof.
  unfold member, put. destruct (same_path p q) eqn:S.
  - apply same_path_spec in S. subst q. rewrite get_change_same. tauto.
  - assert (N : p <> q) by (intros ->; rewrite (proj2 (same_path_spec q q) eq_refl) in S; discriminate).
    rewrite get_change_other by congruence. tauto.
Qed.

Lemma member_set l p : member p (set_of l) = true <-> In p l.
Proof.
  unfold set_of. assert (G : forall t, member p (fold_left (fun t q => put q tt t) l t) = true <-> In p l \/ member p
    t = true).
  { induction l as [|q l IH]; intros t; cbn [fold_left]; [cbn; tauto|]. rewrite IH, member_put. cbn. firstorder. }
  rewrite G. unfold member at 1. rewrite get_leaf. firstorder. discriminate.
Qed.

(* ---- The vectors of a triangular basis clear their pivots. *)

Lemma at_zero x p : (at_path x p =? 0)%Z = true -> inject_Z (at_path x p) == 0.
Proof. intros H. apply Z.eqb_eq in H. rewrite H. reflexivity. Qed.
Lemma at_other x p : (at_path x p =? 0)%Z = false -> ~ inject_Z (at_path x p) == 0.
Proof. intros H. apply Z.eqb_neq in H. unfold Qeq. cbn. lia. Qed.

Definition flat_on (n : basis) (y : point) : Prop := Forall (fun e => dot (weights_in (snd e)) (plain y) == 0) n.
Definition zero_at (n : basis) (j : N) : Prop := Forall (fun e => inject_Z (at_path (snd e) (path_of j)) == 0) n.

Lemma clear_pivots v n : triangular n = true -> exists w,
  Forall (fun e => weigh w (fst e) == 0) n /\
  (forall y, flat_on n y -> dot w (plain y) == dot v (plain y)) /\
  (forall j, zero_at n j -> v 0%nat j == 0 -> w 0%nat j == 0).
Proof.
  induction n as [|[p x] n IH]; intros T.
  - exists v. split; [constructor|]. split; [reflexivity|auto].
  - cbn [triangular fst snd] in T. apply Bool.andb_true_iff in T as [T R]. apply Bool.andb_true_iff in T as [A B].
    apply Bool.negb_true_iff, at_other in A. destruct (IH R) as (u & U & F & Z). rewrite forallb_forall in B.
    set (c := - (weigh u p / inject_Z (at_path x p))).
    exists (fun k j => u 0%nat j + c * weights_in x k j).
    split; [|split].
    + constructor.
      * cbn [fst]. unfold weigh at 1, weights_in. rewrite path_of_number. unfold c, weigh. field. exact A.
      * rewrite Forall_forall in U |- *. intros e I. unfold weigh at 1, weights_in. rewrite path_of_number.
        specialize (U e I). unfold weigh in U. rewrite U, (at_zero _ _ (B e I)). ring.
    + intros y Y. inversion_clear Y. rewrite (plain_sum u (weights_in x) _ c y) by reflexivity.
      cbn [snd] in *. rewrite F by assumption.
      match goal with H : dot (weights_in x) _ == 0 |- _ => rewrite H end. ring.
    + intros j Zj V. inversion_clear Zj. cbn [snd] in *. rewrite Z by assumption. unfold weights_in.
      match goal with H : inject_Z (at_path x _) == 0 |- _ => rewrite H end. ring.
Qed.

Lemma solves_spec f b : vanishes f b -> forall solved l, (forall p, member p solved = true -> f p == 0) ->
  solves solved b l = true -> forall p, In p l -> f p == 0.
Proof.
  induction 1 as [|[q x] b Z F IH]; intros solved l K S p I; cbn [solves] in S.
  - rewrite forallb_forall in S. apply K, S, I.
  - cbn [snd] in Z. apply Bool.andb_true_iff in S as [S R]. apply Bool.andb_true_iff in S as [A O].
    apply Bool.negb_true_iff, at_other in A. apply (IH (put q tt solved) l); auto.
    intros p' M. apply member_put in M as [->|M]; [|auto].
    rewrite <- (against_without solved x f K), (against_only f q _ O) in Z.
    apply Qmult_integral in Z as [Z|Z]; [exact Z|contradiction].
Qed.

(* ---- The regression *)

Section Regression.
Variable c : certificate.
Variable t : tally.
Variable l : regression.
Variable rows : list row.
Let d := about c.
Hypothesis two_means_two : asked d = Two_classes -> length (groups d) = 2%nat.
Hypothesis asks_two : asked d = Two_classes.
Hypothesis kept_rows : kept_are_rows rows (kept t).
Hypothesis exact_combinations : forall i x, nth_error (combinations c) i = Some x ->
  combination_is_exact d (kept t) x = true.
Hypothesis facts_of : forall i f, fact t i = Some f ->
  exists s, nth_error (separators c) i = Some s /\ facts_hold d (weights_of s) rows f.
Hypothesis known_coordinates : forall r, In r rows -> class r <> None -> forall j, In j (map fst (values r)) ->
  In (path_of j) (all_coordinates d).
Hypothesis always_flat : forall z, in_question d rows z -> forall e s, In e (aliased l) ->
  nth_error (separators c) (snd e) = Some s -> dot (weights_of s) z == 0.
Hypothesis flat_together : forall z, in_question d rows z -> forall i s, direction l = Some i ->
  nth_error (separators c) i = Some s -> dot (weights_of s) z == 0 ->
  forall k u, In k (null_space l) -> nth_error (separators c) k = Some u -> dot (weights_of u) z == 0.

Definition known_row (r : row) : Prop := In r rows /\ class r <> None.

Lemma point_of_row z : in_question d rows z -> exists r s, known_row r /\ z = place 0 s (values r) /\ ~ s == 0 /\
  forall w, dot w z == s * dot w (plain (values r)).
Proof.
  intros (r & I & Z). unfold signed_points in Z. rewrite asks_two in Z. destruct (class r) as [k|] eqn:K; [|destruct Z].
  destruct Z as [<-|[]]. exists r, (if Nat.eqb k 1 then 1 else -1). split; [split; [exact I|congruence]|].
  split; [reflexivity|]. split; [destruct (Nat.eqb k 1); discriminate|]. intros w. apply dot_place.
Qed.

Lemma row_has_point r : known_row r -> exists s, in_question d rows (place 0 s (values r)) /\ ~ s == 0.
Proof.
  intros [I K]. destruct (class r) as [k|] eqn:E; [|congruence]. exists (if Nat.eqb k 1 then 1 else -1). split.
  - exists r. split; [exact I|]. unfold signed_points. rewrite E, asks_two. left. reflexivity.
  - destruct (Nat.eqb k 1); discriminate.
Qed.

Lemma flat_row w r : known_row r -> (forall z, in_question d rows z -> dot w z == 0) -> dot w (plain (values r)) == 0.
Proof.
  intros K H. destruct (row_has_point r K) as (s & Q & N). specialize (H _ Q). rewrite dot_place in H.
  apply Qmult_integral in H as [H|H]; [contradiction|exact H].
Qed.

Lemma flat_point w z r s : z = place 0 s (values r) -> dot w (plain (values r)) == 0 -> dot w z == 0.
Proof. intros -> H. rewrite dot_place. unfold plain in H. rewrite H. ring. Qed.

(* -- Aliased coordinates *)

Lemma aliased_member j : member (path_of j) (set_of (aliased_paths l)) = is_aliased l j.
Proof.
  apply Bool.eq_iff_eq_true. rewrite member_set. unfold aliased_paths, is_aliased. rewrite in_map_iff, existsb_exists.
  split; intros (e & H & I); exists e.
  - apply path_of_injective in H. split; [exact I|]. apply N.eqb_eq. exact H.
  - apply N.eqb_eq in I. split; [congruence|exact H].
Qed.

Lemma fixed_at_gone v : fixes_aliased l v -> forall p, member p (set_of (aliased_paths l)) = true -> weigh v p == 0.
Proof.
  intros F p M. unfold weigh. apply F. rewrite <- aliased_member, path_of_number. exact M.
Qed.

Lemma zero_at_aliased_spec i : zero_at_aliased c l i = true -> exists s, nth_error (separators c) i = Some s /\
  separator_vector c i = Some (vector_of_separator s) /\ fixes_aliased l (weights_of s).
Proof.
  unfold zero_at_aliased, separator_vector. destruct (nth_error (separators c) i) as [s|]; [|discriminate].
  cbn [option_map]. intros H. rewrite forallb_forall in H. exists s. split; [reflexivity|]. split; [reflexivity|].
  intros j A. rewrite separator_at. apply at_zero, H. rewrite <- aliased_member in A. apply member_set in A. exact A.
Qed.

Hypothesis aliased_hold : forallb (aliased_holds c l) (aliased l) = true.

Lemma aliased_spec e : In e (aliased l) -> exists s, nth_error (separators c) (snd e) = Some s /\
  ~ weights_of s 0%nat (fst e) == 0 /\
  (forall i, is_aliased l i = true -> i <> fst e -> weights_of s 0%nat i == 0) /\
  forall z, in_question d rows z -> dot (weights_of s) z == 0.
Proof.
  intros I. rewrite forallb_forall in aliased_hold. pose proof (aliased_hold e I) as H. unfold aliased_holds in H.
  unfold separator_vector in H. destruct (nth_error (separators c) (snd e)) as [s|] eqn:S; [|discriminate].
  cbn [option_map] in H. apply Bool.andb_true_iff in H as [A B]. apply Bool.negb_true_iff, at_other in A.
  rewrite forallb_forall in B. exists s. split; [reflexivity|]. rewrite separator_at. split; [exact A|]. split.
  - intros i Ia N. unfold is_aliased in Ia. apply existsb_exists in Ia as (e' & J & E). apply N.eqb_eq in E. subst i.
    specialize (B e' J). apply Bool.orb_true_iff in B as [B|B]; [apply N.eqb_eq in B; congruence|].
    rewrite separator_at. apply at_zero, B.
  - intros z Z. exact (always_flat z Z e s I S).
Qed.

(* Every direction has one with weights 0 at aliased coordinates, and the same products. *)
Lemma without_aliased v : exists w, fixes_aliased l w /\ forall z, in_question d rows z -> dot w z == dot v z.
Proof.
  assert (G : forall a, incl a (aliased l) -> exists w, (forall e, In e a -> w 0%nat (fst e) == 0) /\
    forall z, in_question d rows z -> dot w z == dot v z).
  { induction a as [|e a IH]; intros Sub; [exists v; split; [intros ? []|reflexivity]|].
    destruct IH as (u & U & E); [intros x I; apply Sub; right; exact I|].
    destruct (aliased_spec e) as (s & _ & A & O & Z); [apply Sub; left; reflexivity|].
    set (k := - (u 0%nat (fst e) / weights_of s 0%nat (fst e))).
    exists (fun _ j => u 0%nat j + k * weights_of s 0%nat j). split.
    - intros x [<-|I]; [unfold k; field; exact A|].
      destruct (N.eq_dec (fst x) (fst e)) as [->|N]; [unfold k; field; exact A|].
      rewrite (U x I), O; [ring| |exact N]. apply existsb_exists. exists x. split; [apply Sub; right; exact I|].
      apply N.eqb_refl.
    - intros z Q. destruct (point_of_row z Q) as (r & q & _ & _ & _ & D). rewrite D.
      rewrite (plain_sum u (weights_of s) _ k) by reflexivity. rewrite <- (E z Q), (D u).
      specialize (Z z Q). rewrite D in Z.
      rewrite Qmult_plus_distr_r, Qmult_assoc, (Qmult_comm q k), <- Qmult_assoc, Z. ring. }
  destruct (G (aliased l) (incl_refl _)) as (w & W & E). exists w. split; [|exact E].
  intros j A. apply existsb_exists in A as (e & I & J). apply N.eqb_eq in J. subst j. auto.
Qed.

(* -- Coordinates *)

Lemma coordinate_paths j : In j (coordinates d) <-> In (path_of j) (all_coordinates d).
Proof.
  rewrite paths_of_coordinates, in_map_iff. split; [intros I; exists j; auto|]. intros (i & P & I).
  apply path_of_injective in P. congruence.
Qed.

Definition remaining_paths : list path :=
  filter (fun p => negb (member p (set_of (aliased_paths l)))) (all_coordinates d).

Lemma remaining_in j : In j (coordinates d) -> is_aliased l j = false -> In (path_of j) remaining_paths.
Proof.
  intros I A. apply filter_In. split; [apply coordinate_paths, I|]. rewrite aliased_member, A. reflexivity.
Qed.

Lemma zero_on_known v : fixes_aliased l v -> (forall p, In p remaining_paths -> weigh v p == 0) ->
  forall r, known_row r -> dot v (plain (values r)) == 0.
Proof.
  intros F R r [I K]. apply plain_zero. intros j J. pose proof (known_coordinates r I K j J) as P.
  destruct (is_aliased l j) eqn:A; [apply F, A|].
  assert (M : In (path_of j) remaining_paths) by (apply remaining_in; [apply coordinate_paths, P|exact A]).
  specialize (R _ M). unfold weigh in R. rewrite number_of_path in R. exact R.
Qed.

(* -- Rows by name *)

Lemma row_vectors_vanish v ids vs : row_vectors t l ids = Some vs -> fixes_aliased l v ->
  (forall i e r, In i ids -> find_id (kept t) i = Some e -> same_row e r -> known_row r ->
    dot v (plain (values r)) == 0) ->
  Forall (fun x => against (weigh v) x == 0) vs.
Proof.
  intros H F. revert vs H. induction ids as [|i ids IH]; intros vs H Z; [injection H as <-; constructor|].
  cbn [row_vectors fold_right] in H. fold (row_vectors t l ids) in H.
  destruct (row_vectors t l ids) as [rest|]; [|discriminate].
  destruct (find_id (kept t) i) as [e|] eqn:E; [|discriminate].
  destruct (row_class e) as [k|] eqn:K; [|discriminate]. injection H as <-.
  constructor; [|apply IH; [reflexivity|]; intros; eapply Z; eauto; right; assumption].
  rewrite against_without by exact (fixed_at_gone v F).
  destruct (kept_rows i e E) as (r & I & S & _). pose proof S as (_ & _ & C & P).
  destruct (vector_of_row v _ _ P) as (m & _ & ->).
  rewrite (Z i e r); [ring|left; reflexivity|exact E|exact S|]. split; [exact I|congruence].
Qed.

(* -- Combinations *)

Definition term_sign (x : term) : Q := if Nat.eqb (term_class x) 1 then 1 else -1.
Definition row_term (w : weights) (x : term) (e : exact_row) : Q :=
  inject_Z (term_weight x) * dot w (place 0 (term_sign x) (point_of_cells (cells e))).
Definition is_row (x : term) (e : exact_row) : Prop :=
  find_id (kept t) (term_id x) = Some e /\ row_class e = Some (term_class x) /\ (0 < term_weight x)%Z.

Lemma assembled_rows terms : forall b b', fold_left (assemble_term d (kept t)) terms (Some b) = Some b' ->
  exists es, Forall2 is_row terms es /\
    forall w, dot w (bank_point b') == dot w (bank_point b) + sum (map (fun e => row_term w (fst e) (snd e)) (combine
      terms es)).
Proof.
  assert (stuck : forall l, fold_left (assemble_term d (kept t)) l None = None) by (induction l0; cbn; auto).
  induction terms as [|x terms IH]; intros b b' H; cbn [fold_left] in H.
  - injection H as <-. exists []. split; [constructor|]. intros w. cbn. ring.
  - unfold assemble_term at 2 in H. destruct (find_id (kept t) (term_id x)) as [e|] eqn:F; [|rewrite stuck in H;
      discriminate].
    destruct (row_class e) as [k|] eqn:C; [|rewrite stuck in H; discriminate].
    destruct (Nat.eqb_spec k (term_class x)) as [->|]; [|rewrite stuck in H; discriminate].
    destruct (Z.ltb_spec 0 (term_weight x)) as [W|]; [|rewrite stuck in H; discriminate]. cbn [andb] in H.
    rewrite asks_two in H. apply IH in H as (es & R & D). exists (e :: es). split; [constructor; [|exact R];
      unfold is_row; auto|].
    intros w. rewrite D, dot_add_cells. cbn [combine map sum fold_right fst snd].
    fold (sum (map (fun e => row_term w (fst e) (snd e)) (combine terms es))). unfold row_term at 2, term_sign.
    rewrite (dot_place w 0 (inject_Z _)), (dot_place w 0 (if Nat.eqb _ 1 then 1 else -1)).
    destruct (Nat.eqb (term_class x) 1); rewrite ?inject_Z_opp; ring.
Qed.

Lemma row_term_point x e : is_row x e -> exists r, same_row e r /\ known_row r /\
  in_question d rows (place 0 (term_sign x) (values r)) /\
  forall w, dot w (place 0 (term_sign x) (point_of_cells (cells e))) == dot w (place 0 (term_sign x) (values r)).
Proof.
  intros (F & C & _). destruct (kept_rows _ _ F) as (r & I & S & _). pose proof S as (_ & _ & Sc & Sp). exists r.
  split; [exact S|]. split; [split; [exact I|congruence]|]. split.
  - exists r. split; [exact I|]. unfold signed_points. rewrite <- Sc, C, asks_two. left. reflexivity.
  - intros w. apply dot_same_point, Sp.
Qed.

Lemma row_terms_nonneg w terms es : recedes d rows w -> Forall2 is_row terms es ->
  0 <= sum (map (fun e => row_term w (fst e) (snd e)) (combine terms es)).
Proof.
  intros R. induction 1 as [|x e terms es H F IH]; [apply Qle_refl|]. cbn [combine map sum fold_right fst snd].
  fold (sum (map (fun e => row_term w (fst e) (snd e)) (combine terms es))).
  destruct (row_term_point x e H) as (r & _ & _ & Q & D). unfold row_term at 1. rewrite D.
  destruct H as (_ & _ & W). apply weight_is_positive in W. specialize (R _ Q). nra.
Qed.

Lemma row_terms_zero w terms es : recedes d rows w -> Forall2 is_row terms es ->
  sum (map (fun e => row_term w (fst e) (snd e)) (combine terms es)) == 0 ->
  forall i e r, In i (map term_id terms) -> find_id (kept t) i = Some e -> same_row e r ->
    dot w (plain (values r)) == 0.
Proof.
  intros R. induction 1 as [|x e terms es H F IH]; [intros _ ? ? ? []|]. cbn [combine map sum fold_right fst snd].
  fold (sum (map (fun e => row_term w (fst e) (snd e)) (combine terms es))). intros Z.
  pose proof (row_terms_nonneg w terms es R F) as P. destruct (row_term_point x e H) as (r & S & _ & Q & D).
  unfold row_term at 1 in Z. rewrite D in Z. pose proof H as (Fx & _ & W). apply weight_is_positive in W.
  specialize (R _ Q). set (p := dot w (place 0 (term_sign x) (values r))) in *.
  assert (M : 0 <= inject_Z (term_weight x) * p) by nra.
  assert (E : inject_Z (term_weight x) * p == 0) by lra.
  intros i e' r' [<-|I] F' S'; [|apply (IH ltac:(lra) i e' r' I F' S')].
  rewrite Fx in F'. injection F' as <-. apply Qmult_integral in E as [E|E]; [lra|]. unfold p in E.
  pose proof S as (_ & _ & _ & Sp). pose proof S' as (_ & _ & _ & Sp').
  unfold plain. rewrite <- (dot_same_point w 0 1 _ _ Sp'), (dot_same_point w 0 1 _ _ Sp).
  rewrite dot_place in E. apply Qmult_integral in E as [E|E]; [|exact E].
  unfold term_sign in E. destruct (Nat.eqb _ _); discriminate.
Qed.

Lemma witness_is_flat x w : (exists i, nth_error (combinations c) i = Some x) -> is_witness x = true ->
  recedes d rows w ->
  forall i e r, In i (map term_id (terms x)) -> find_id (kept t) i = Some e -> same_row e r ->
    dot w (plain (values r)) == 0.
Proof.
  intros (n & N) W R. pose proof (exact_combinations n x N) as E. unfold combination_is_exact, is_witness in *.
  destruct (assembled d (kept t) x) as [s|] eqn:A; [|discriminate]. apply is_fraction_spec in E. apply Z.eqb_eq in W.
  assert (Zero : squared_distance x == 0) by (unfold Qeq; rewrite W; reflexivity). rewrite Zero in E.
  unfold assembled in A. destruct (terms x) as [|y l'] eqn:T; [discriminate|]. rewrite <- T in *.
  destruct (fold_left (assemble_term d (kept t)) (terms x) (Some [])) as [b|] eqn:F; [|discriminate].
  injection A as <-. apply assembled_rows in F as (es & Fe & D).
  apply (row_terms_zero w _ es R Fe). specialize (D w).
  rewrite (zero_squares_zero_dot w b) in D by (rewrite E; ring).
  assert (Nil : dot w (bank_point []) == 0) by reflexivity. rewrite Nil in D. lra.
Qed.

Lemma sum_vector_spec i s v : sum_vector c t l i = Some s -> allowed d rows l v -> 0 <= against (weigh v) s.
Proof.
  intros H [R F]. unfold sum_vector in H. destruct (nth_error (combinations c) i) as [x|]; [|discriminate].
  destruct (fold_left (assemble_term (about c) (kept t)) (terms x) (Some [])) as [[|entries [|? ?]]|] eqn:A;
    try discriminate. injection H as <-. rewrite against_without by exact (fixed_at_gone v F).
  destruct (vector_of_bank v entries) as (m & P & ->). apply assembled_rows in A as (es & Fe & D).
  pose proof (row_terms_nonneg v _ _ R Fe) as G. specialize (D v).
  assert (Nil : dot v (bank_point []) == 0) by reflexivity. rewrite Nil in D.
  set (q := dot v (bank_point [entries])) in *. assert (0 <= q) by lra. nra.
Qed.

(* -- The witness's basis *)

Variable b : basis.
Hypothesis basis_is : witness_basis c t l = Some b.
Hypothesis good_kind : kind_follows c t l = true.

Lemma witness_is_one x : witness_combination c l = Some x ->
  (exists i, nth_error (combinations c) i = Some x) /\ is_witness x = true.
Proof.
  unfold witness_combination. intros W. pose proof good_kind as K. unfold kind_follows, witness_combination in K.
  apply Bool.andb_true_iff in K as [_ K]. destruct (witness l) as [i|]; [|discriminate]. rewrite W in K. eauto.
Qed.

Lemma basis_vanishes v : fixes_aliased l v ->
  (forall x, witness_combination c l = Some x -> forall i e r, In i (map term_id (terms x)) ->
    find_id (kept t) i = Some e -> same_row e r -> known_row r -> dot v (plain (values r)) == 0) ->
  vanishes (weigh v) b.
Proof.
  intros F H. unfold witness_basis in basis_is. destruct (witness_combination c l) as [x|] eqn:W.
  - destruct (row_vectors t l (map term_id (terms x))) as [vs|] eqn:V; [|discriminate].
    injection basis_is as <-. apply echelon_vanishes. eapply row_vectors_vanish; [exact V|exact F|].
    exact (H x eq_refl).
  - injection basis_is as <-. constructor.
Qed.

Lemma allowed_vanishes v : allowed d rows l v -> vanishes (weigh v) b.
Proof.
  intros [R F]. apply basis_vanishes; [exact F|]. intros x W i e r I E S _.
  destruct (witness_is_one x W) as [N Wi]. exact (witness_is_flat x v N Wi R i e r I E S).
Qed.

Lemma determined j v : allowed d rows l v -> determines b (path_of j) = true -> v 0%nat j == 0.
Proof.
  intros A D. pose proof (reduced_to_zero _ _ _ (allowed_vanishes v A) D) as Z. unfold unit_vector in Z.
  rewrite against_single in Z. unfold weigh in Z. rewrite number_of_path in Z. change (inject_Z 1) with 1 in Z. lra.
Qed.

(* -- The direction *)

Hypothesis good_direction : direction_follows t l = true.
Hypothesis direction_fixes : match direction l with Some i => zero_at_aliased c l i | None => true end = true.

Lemma no_wrong_recedes i : no_wrong t i = true -> exists s, nth_error (separators c) i = Some s /\
  recedes d rows (weights_of s).
Proof.
  unfold no_wrong. destruct (fact t i) as [f|] eqn:F; [|discriminate]. intros W. apply N.eqb_eq in W.
  destruct (facts_of i f F) as (s & S & _ & _ & H & _). exists s. split; [exact S|]. exact (H W).
Qed.

Lemma direction_recedes : allowed d rows l (direction_of c l).
Proof.
  unfold direction_of. pose proof good_direction as G. unfold direction_follows in G.
  destruct (direction l) as [i|] eqn:D.
  - apply Bool.andb_true_iff in G as [G _]. apply no_wrong_recedes in G as (s & S & R). rewrite S. split; [exact R|].
    destruct (zero_at_aliased_spec i direction_fixes) as (s' & S' & _ & F). rewrite S in S'.
    injection S' as <-. exact F.
  - split; [|intros j _; reflexivity]. intros z Z. destruct (point_of_row z Z) as (r & q & _ & _ & _ & E). rewrite E.
    rewrite plain_zero by reflexivity. lra.
Qed.

Lemma direction_at j : direction_of c l 0%nat j == inject_Z (at_path (direction_vector c l) (path_of j)).
Proof.
  unfold direction_of, direction_vector, separator_vector. destruct (direction l) as [i|].
  - destruct (nth_error (separators c) i) as [s|]; cbn [option_map]; [rewrite separator_at; reflexivity|].
    unfold at_path. rewrite get_leaf. reflexivity.
  - unfold at_path. rewrite get_leaf. reflexivity.
Qed.

Hypothesis finite_follow :
  forallb (fun p => if (at_path (direction_vector c l) p =? 0)%Z then determines b p else true) remaining_paths = true.
Hypothesis signs_follow : forallb (sign_holds c t l b) (signs l) = true.

Lemma same_ray_spec f x y : same_ray x y = true -> 0 <= against f y -> 0 <= against f x.
Proof.
  unfold same_ray. destruct (pivot Leaf x) as [p|]; [|discriminate]. intros H P.
  apply Bool.andb_true_iff in H as [A Z]. apply Z.ltb_lt in A. pose proof (zero_against _ Z f) as E.
  rewrite against_mix, inject_Z_opp in E. rewrite (Zlt_Qlt 0), inject_Z_mult in A. change (inject_Z 0) with 0 in A.
  set (a := inject_Z (at_path x p)) in *. set (q := inject_Z (at_path y p)) in *.
  set (fx := against f x) in *. set (fy := against f y) in *. assert (G : q * fx == a * fy) by lra.
  destruct (Qlt_le_dec fx 0) as [N|N]; [|exact N]. exfalso.
  destruct (Qlt_le_dec 0 a) as [Pa|Pa].
  - assert (0 < q) by nra. nra.
  - assert (a < 0) by nra. assert (q < 0) by nra. nra.
Qed.

Lemma unit_reduced v j : allowed d rows l v ->
  exists m, 0 < m /\ against (weigh v) (reduce b (unit_vector (path_of j))) == m * v 0%nat j.
Proof.
  intros A. destruct (reduce_spec _ _ (allowed_vanishes v A) (unit_vector (path_of j))) as (m & P & E).
  exists m. split; [exact P|]. rewrite E. unfold unit_vector. rewrite against_single. unfold weigh.
  rewrite number_of_path. change (inject_Z 1) with 1. ring.
Qed.

Lemma sum_reduced v i s : allowed d rows l v -> sum_vector c t l i = Some s -> 0 <= against (weigh v) (reduce b s).
Proof.
  intros A S. destruct (reduce_spec _ _ (allowed_vanishes v A) s) as (m & P & E). rewrite E.
  pose proof (sum_vector_spec i s v S A). nra.
Qed.

Lemma coefficient_is_so j : In j (coordinates d) -> coefficient_holds d rows l j (coefficient_of c l j).
Proof.
  intros I. unfold coefficient_of. destruct (is_aliased l j) eqn:A.
  { pose proof A as A'. apply existsb_exists in A as (e & J & E). apply N.eqb_eq in E. subst j.
    destruct (aliased_spec e J) as (s & _ & N & O & Z). exists (weights_of s). auto. }
  pose proof direction_recedes as R. set (w := direction_of c l) in *. pose proof (direction_at j) as E. fold w in E.
  destruct (Qeq_bool (w 0%nat j) 0) eqn:Z.
  { apply Qeq_bool_iff in Z. intros v V. apply (determined j v V). rewrite forallb_forall in finite_follow.
    specialize (finite_follow _ (remaining_in j I A)).
    destruct (Z.eqb_spec (at_path (direction_vector c l) (path_of j)) 0) as [_|N]; [exact finite_follow|].
    exfalso. rewrite Z in E. unfold Qeq in E. cbn in E. lia. }
  apply Qeq_bool_neq in Z. destruct (find _ (signs l)) as [[k proof]|] eqn:F; [|exists w; auto].
  apply find_some in F as [Is Ek]. cbn [fst] in Ek. apply N.eqb_eq in Ek. subst k.
  rewrite forallb_forall in signs_follow. specialize (signs_follow _ Is). unfold sign_holds in signs_follow.
  cbn [fst snd] in signs_follow. apply Bool.andb_true_iff in signs_follow as [_ H].
  destruct proof as [i|i|i].
  - destruct (sum_vector c t l i) as [s|] eqn:S; [|discriminate].
    assert (P : forall v, allowed d rows l v -> 0 <= v 0%nat j).
    { intros v V. pose proof (same_ray_spec (weigh v) _ _ H (sum_reduced v i s V S)) as G.
      destruct (unit_reduced v j V) as (m & Pm & Em). rewrite Em in G. nra. }
    split; [exact P|]. exists w. split; [exact R|]. specialize (P w R). lra.
  - destruct (sum_vector c t l i) as [s|] eqn:S; [|discriminate].
    assert (P : forall v, allowed d rows l v -> v 0%nat j <= 0).
    { intros v V. pose proof (same_ray_spec (weigh v) _ _ H (sum_reduced v i s V S)) as G.
      rewrite against_scale in G. destruct (unit_reduced v j V) as (m & Pm & Em). rewrite Em in G.
      change (inject_Z (-1)) with (-1) in G. nra. }
    split; [exact P|]. exists w. split; [exact R|]. specialize (P w R). lra.
  - apply Bool.andb_true_iff in H as [H S]. apply Bool.andb_true_iff in H as [W F].
    apply no_wrong_recedes in W as (s & N & Rs). destruct (zero_at_aliased_spec i F) as (s' & N' & Vec & Fs).
    rewrite N in N'. injection N' as <-. rewrite Vec in S. apply Z.ltb_lt in S.
    rewrite Zlt_Qlt, inject_Z_mult, <- separator_at, <- E in S. change (inject_Z 0) with 0 in S.
    assert (As : allowed d rows l (weights_of s)) by (split; assumption).
    destruct (Qlt_le_dec 0 (w 0%nat j)) as [Pw|Nw].
    + split; [exists w; auto|]. exists (weights_of s). split; [exact As|nra].
    + assert (w 0%nat j < 0) by lra. split; [|exists w; auto]. exists (weights_of s). split; [exact As|nra].
Qed.

(* -- What is identified *)

Variable rank : basis.
Hypothesis rank_is : rank_basis c t l = Some rank.
Hypothesis rank_follows : forallb (determines rank) remaining_paths = true.

Lemma coordinates_are_identified : identified d rows l.
Proof.
  intros w F Z j I. destruct (is_aliased l j) eqn:A; [apply F, A|].
  unfold rank_basis in rank_is. destruct (row_vectors t l (rank_rows l)) as [vs|] eqn:V; [|discriminate].
  injection rank_is as <-. rewrite forallb_forall in rank_follows.
  pose proof (rank_follows _ (remaining_in j I A)) as D.
  assert (H : vanishes (weigh w) (echelon Leaf (length remaining_paths) vs)).
  { apply echelon_vanishes. eapply row_vectors_vanish; [exact V|exact F|]. intros i e r _ _ _ K.
    apply flat_row; assumption. }
  pose proof (reduced_to_zero _ _ _ H D) as E. unfold unit_vector in E. rewrite against_single in E.
  unfold weigh in E. rewrite number_of_path in E. change (inject_Z 1) with 1 in E. lra.
Qed.

(* -- Which rows are separated *)

Hypothesis span_follows : match witness l with Some _ => spans c l b | None => true end = true.

Lemma null_is_flat y : (forall k u, In k (null_space l) -> nth_error (separators c) k = Some u ->
  dot (weights_of u) (plain y) == 0) -> flat_on (null_basis c l b) y.
Proof.
  intros H. unfold null_basis. assert (V : vanishes (point_at y) (echelon (set_of (map fst b)) (length (null_space l))
    (null_vectors c l))).
  { apply echelon_vanishes. apply Forall_forall. intros x I. unfold null_vectors in I.
    apply in_flat_map in I as (k & K & I). unfold separator_vector in I.
    destruct (nth_error (separators c) k) as [u|] eqn:U; [|destruct I]. destruct I as [<-|[]]. rewrite against_point.
    change (weight_trie (nth 0 (vectors u) [])) with (vector_of_separator u).
    rewrite separator_on_point. exact (H k u K U). }
  eapply Forall_impl; [|exact V]. intros e E. cbn beta in E. rewrite against_point in E. exact E.
Qed.

Lemma unmoved_rows i w x : direction l = Some i -> witness_combination c l = Some x -> witness l <> None ->
  recedes d rows w -> forall z, in_question d rows z -> dot (direction_of c l) z == 0 -> dot w z == 0.
Proof.
  intros D W Wl Rw z Z Flat. destruct (without_aliased w) as (v & F & E).
  assert (R : recedes d rows v) by (intros y Q; rewrite E by exact Q; auto).
  rewrite <- (E z Z). clear Rw E w. pose proof direction_recedes as [RD _]. pose proof Flat as Flat'.
  unfold direction_of in RD, Flat, Flat'. rewrite D in RD, Flat, Flat'.
  destruct (nth_error (separators c) i) as [s|] eqn:S.
  2: { exfalso. pose proof direction_fixes as G. rewrite D in G. destruct (zero_at_aliased_spec i G) as (s & S' & _).
       congruence. }
  pose proof span_follows as H. destruct (witness l) as [at_witness|]; [|congruence]. unfold spans in H.
  cbv zeta in H. set (n := null_basis c l b) in *. apply Bool.andb_true_iff in H as [H Sol].
  apply Bool.andb_true_iff in H as [H Ali].
  apply Bool.andb_true_iff in H as [_ Tri].
  assert (null_flat : forall r, known_row r -> dot (weights_of s) (plain (values r)) == 0 -> flat_on n (values r)).
  { intros r K Zr. apply null_is_flat. intros k u Ik U. destruct (row_has_point r K) as (q & Q & N).
    assert (G : dot (weights_of u) (place 0 q (values r)) == 0).
    { apply (flat_together _ Q i s D S) with (k := k); auto. apply (flat_point _ _ r q); auto. }
    rewrite dot_place in G. apply Qmult_integral in G as [G|G]; [contradiction|exact G]. }
  destruct (clear_pivots v n Tri) as (w & Piv & Same & Keep).
  assert (Fw : fixes_aliased l w).
  { intros j A. apply Keep; [|apply F, A]. apply Forall_forall. intros e I. rewrite forallb_forall in Ali.
    specialize (Ali e I). rewrite forallb_forall in Ali. apply at_zero, Ali.
    rewrite <- aliased_member in A. apply member_set in A. exact A. }
  destruct (witness_is_one x W) as [Nx Wx].
  assert (Van : vanishes (weigh w) b).
  { apply basis_vanishes; [exact Fw|]. intros x' W' id e r I Fe Sr K. rewrite W in W'. injection W' as <-.
    rewrite Same; [exact (witness_is_flat x v Nx Wx R id e r I Fe Sr)|].
    apply null_flat; [exact K|]. exact (witness_is_flat x _ Nx Wx RD id e r I Fe Sr). }
  assert (Zero : forall p, In p remaining_paths -> weigh w p == 0).
  { apply (solves_spec (weigh w) b Van (set_of (map fst n)) remaining_paths); [|exact Sol].
    intros p M. apply member_set, in_map_iff in M as (e & <- & I). rewrite Forall_forall in Piv. exact (Piv e I). }
  destruct (point_of_row z Z) as (r & q & K & -> & N & Dz). rewrite Dz in Flat' |- *.
  assert (Zr : dot (weights_of s) (plain (values r)) == 0).
  { apply Qmult_integral in Flat' as [G|G]; [contradiction|exact G]. }
  rewrite <- (Same _ (null_flat r K Zr)), (zero_on_known w Fw Zero r K). ring.
Qed.

Lemma overlap_is_unmoved : direction l = None -> forall w, recedes d rows w -> forall z, in_question d rows z ->
  dot w z == 0.
Proof.
  intros D w Rw z Z. destruct (without_aliased w) as (v & F & E). rewrite <- (E z Z).
  assert (R : recedes d rows v) by (intros y Q; rewrite E by exact Q; auto).
  destruct (point_of_row z Z) as (r & q & K & -> & _ & ->).
  rewrite (zero_on_known v F); [ring| |exact K]. intros p I. rewrite <- (path_of_number p) in *.
  unfold weigh. rewrite number_of_path. apply determined; [split; assumption|].
  rewrite forallb_forall in finite_follow. specialize (finite_follow _ I).
  unfold direction_vector in finite_follow. rewrite D in finite_follow. unfold at_path in finite_follow.
  rewrite get_leaf in finite_follow. exact finite_follow.
Qed.

Lemma points_are_covered : covered d rows.
Proof.
  intros z Z k j v I. destruct (point_of_row z Z) as (r & s & [Ir K] & -> & _). apply coordinate_paths.
  apply (known_coordinates r Ir K). unfold place in I. apply in_map_iff in I as ([i q] & E & I). injection E as _ <- _.
  apply in_map_iff. exists (i, q). auto.
Qed.

Theorem regression_is_so : regression_holds d rows c l.
Proof.
  split; [exact asks_two|]. split; [exact points_are_covered|]. split; [exact coefficient_is_so|].
  split; [exact coordinates_are_identified|].
  pose proof good_kind as K. unfold kind_follows in K. apply Bool.andb_true_iff in K as [K Wi].
  pose proof good_direction as G. unfold direction_follows in G. pose proof direction_recedes as [R _].
  pose proof unmoved_rows as Unmoved. pose proof overlap_is_unmoved as Overlap_unmoved.
  pose proof witness_is_one as One.
  unfold kind_of. destruct (direction l) as [i|] eqn:D.
  - apply Bool.andb_true_iff in G as [_ G]. destruct (fact t i) as [f|] eqn:F; [|discriminate].
    destruct (facts_of i f F) as (s & S & Low & Right & _ & _).
    destruct (witness l) as [k|] eqn:W.
    + destruct (witness_combination c l) as [x|] eqn:X; [|discriminate]. destruct (One x eq_refl) as [[n N] Wx].
      split; [split|].
      * apply (witness_forbids_separation d rows two_means_two (kept t) kept_rows x); [|exact Wx].
        exact (exact_combinations n x N).
      * apply Bool.negb_true_iff, N.eqb_neq in G. destruct (Right G) as (z & Z & P). exists (weights_of s). split.
        -- unfold direction_of in R. rewrite D, S in R. exact R.
        -- exists z. auto.
      * split; [exact R|]. intros z Z Flat u Ru. apply (Unmoved i u x); auto. congruence.
    + apply Bool.andb_true_iff in K as [_ K]. unfold is_right in K.
      assert (P : forall z, in_question d rows z -> 0 < dot (weights_of s) z).
      { intros z Z. destruct (Low z Z) as (a & La & Le). rewrite La in K. apply Z.ltb_lt, value_positive in K. lra. }
      split; [exists (weights_of s); exact P|]. split; [exact R|]. intros z Z Flat. exfalso. specialize (P z Z).
      unfold direction_of in Flat. rewrite D, S in Flat. lra.
  - split; [exact (Overlap_unmoved eq_refl)|]. split; [exact R|]. intros z Z _ u Ru.
    exact (Overlap_unmoved eq_refl u Ru z Z).
Qed.
End Regression.
