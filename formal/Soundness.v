(* The theorem: what [check] accepts is so. *)

From Coq Require Import Ascii List ZArith NArith QArith Lia Lqa.
Require Import Statements Decimals Tries Reading Algebra Checker Measure Combine Mistakes.
Import ListNotations.

(* ---- The plan *)

Record plan_is_for (c : certificate) (p : plan) : Prop := {
  plan_certificate : plan_of p = c;
  plan_table : table p = label_table (about c);
  plan_bias : same_point (bias_cells p) (with_bias (about c) []);
  plan_labels : labels_distinct (label_table (about c)) = true;
  plan_classes : asked (about c) = Two_classes -> length (groups (about c)) = 2%nat
}.

Lemma prepare_spec c p : prepare c = inl p -> plan_is_for c p.
Proof.
  unfold prepare. destruct (labels_distinct (label_table (about c))) eqn:L; [|discriminate]. cbn [negb].
  destruct (match asked (about c) with Two_classes => _ | Many_classes => _ end) eqn:G; [|discriminate]. cbn [negb].
  assert (two : asked (about c) = Two_classes -> length (groups (about c)) = 2%nat).
  { intros T. rewrite T in G. apply Nat.eqb_eq, G. }
  destruct (bias (about c)) as [q|] eqn:B.
  - destruct (scaled_of q) as [v|] eqn:V; [|discriminate]. intros [= <-]. split; auto. cbn.
    unfold with_bias. rewrite B. constructor; [|constructor]. split; [reflexivity|]. apply scaled_of_spec, V.
  - intros [= <-]. split; auto. cbn. unfold with_bias. rewrite B. constructor.
Qed.

(* ---- The rows that were folded *)

Lemma read_files_sound c p : plan_is_for c p -> forall files file stated used t used' t',
  read_files p file stated used t files = inl (used', t') ->
  exists exact rows, files_read (about c) file files rows /\ Forall2 same_row exact rows /\
    t' = fold_left (plan_row p) exact t.
Proof.
  intros P. induction files as [|bytes files IH]; intros file stated used t used' t' H.
  - destruct stated; [|discriminate]. injection H as <- <-. exists [], []. repeat split; constructor.
  - destruct stated as [|size stated]; [discriminate|]. cbn [read_files] in H.
    match type of H with match ?x with _ => _ end = _ => destruct x as [[u v]|] eqn:A; [|discriminate] end.
    apply IH in H as (exact & rows & F & S & ->).
    unfold after_file in A. unfold plan_end, plan_byte in A. rewrite (plan_certificate c p P) in A.
    match type of A with match ?x with _ => _ end = _ => destruct x as [line next u' rows'|] eqn:E; [|discriminate] end.
    destruct (N.eqb next (size + 1)); [|discriminate]. injection A as <- <-.
    unfold begin_file in E.
    apply (read_file_sound (about c) (table p) (bias_cells p) tally (plan_row p) (plan_table c p P) (plan_bias c p P)
      file bytes) in E.
    destruct E as (exact0 & rows0 & F0 & S0 & ->).
    exists (exact0 ++ exact), (rows0 ++ rows). split; [apply next_file; assumption|].
    split; [apply Forall2_app; assumption|]. rewrite fold_left_app. reflexivity.
Qed.

(* ---- The parts of the tally *)

Section Tally.
Variable d : description.
Variable wanted : id_map unit.
Variable with_radius : bool.

Lemma measured_part exact : forall t, measured (fold_left (add_row d wanted with_radius) exact t) =
  map (fun '(tries, f) => (tries, fold_left (measure d tries) exact f)) (measured t).
Proof.
  induction exact as [|r exact IH]; intros t; cbn [fold_left].
  - induction (measured t) as [|[tries f] l IH]; [reflexivity|]. cbn [map]. rewrite <- IH. reflexivity.
  - rewrite IH. unfold add_row. destruct (row_class r) as [k|] eqn:K; cbn [measured].
    + rewrite map_map. apply map_ext. intros [tries f]. reflexivity.
    + apply map_ext. intros [tries f]. unfold measure at 3. rewrite K. reflexivity.
Qed.

Lemma kept_part exact : forall t i c, find_id (kept (fold_left (add_row d wanted with_radius) exact t)) i = Some c ->
  find_id (kept t) i = Some c \/ In c exact /\ i = (row_source c, row_number c).
Proof.
  induction exact as [|r exact IH]; intros t i c H; cbn [fold_left] in H; [left; exact H|].
  apply IH in H as [H|[I E]]; [|right; split; [right; exact I|exact E]].
  unfold add_row in H. destruct (row_class r); cbn [kept] in H; [|left; exact H].
  destruct (find_id wanted _); [|left; exact H].
  destruct (id_eq_dec (row_source r, row_number r) i) as [<-|N].
  - rewrite find_put_same in H. injection H as <-. right. split; [left; reflexivity|reflexivity].
  - rewrite find_put_other in H by exact N. left. exact H.
Qed.

Lemma radius_grows exact : with_radius = true -> forall t,
  value (radius t) <= value (radius (fold_left (add_row d wanted with_radius) exact t)) /\
  forall c, In c exact -> row_class c <> None ->
    value (length_of (cells c)) <= value (radius (fold_left (add_row d wanted with_radius) exact t)).
Proof.
  intros W. induction exact as [|r exact IH]; intros t; cbn [fold_left]; [split; [apply Qle_refl|intros ? []]|].
  destruct (IH (add_row d wanted with_radius t r)) as [G A].
  assert (step : value (radius t) <= value (radius (add_row d wanted with_radius t r)) /\
    (row_class r <> None -> value (length_of (cells r)) <= value (radius (add_row d wanted with_radius t r)))).
  { unfold add_row. rewrite W. destruct (row_class r) as [k|]; cbn [radius]; [|split; [apply Qle_refl|congruence]].
    destruct (below (radius t) (length_of (cells r))) eqn:B.
    - apply below_spec in B. split; [lra|intros _; apply Qle_refl].
    - apply below_false in B. split; [apply Qle_refl|intros _; exact B]. }
  destruct step as [S1 S2]. split; [lra|]. intros c [<-|I] N; [specialize (S2 N); lra|auto].
Qed.
End Tally.

(* ---- Rows of the files have known classes *)

Lemma class_of_is_known d label k : class_of d label k ->
  match k with Some i => (i < length (groups d))%nat | None => True end.
Proof.
  intros (group & E & _). destruct k as [i|]; [|exact I]. apply nth_error_Some. congruence.
Qed.

Lemma rows_are_known d s n l rows : rows_of d s n l rows -> Forall (class_is_known d) rows.
Proof.
  induction 1 as [|n line rest rows W R IH|n line label more rest x k rows W C E K R IH]; auto.
  constructor; [|exact IH]. unfold class_is_known. cbn. apply class_of_is_known in K. exact K.
Qed.

Lemma files_are_known d s files rows : files_read d s files rows -> Forall (class_is_known d) rows.
Proof.
  induction 1 as [|s file rest rows more F R IH]; [constructor|]. apply Forall_app. split; [|exact IH].
  eapply rows_are_known, F.
Qed.

(* ---- What [finish] has checked *)

Lemma first_false_none l : forall i, first_false i l = None -> Forall (fun b => b = true) l.
Proof.
  induction l as [|b l IH]; intros i H; [constructor|]. cbn in H. destruct b; [|discriminate].
    constructor; [reflexivity|].
  exact (IH _ H).
Qed.

Lemma finish_accepts c used t : finish c used t = Accepted ->
  Forall (fun x => combination_is_exact (about c) (kept t) x = true) (combinations c) /\
  Forall (fun x => claim_follows c t x = true) (claims c) /\ verdict_follows c = true.
Proof.
  unfold finish. destruct (negb (Z.eqb _ _)); [discriminate|]. destruct (negb (_ && _ && _)); [discriminate|].
  destruct (_ && _)%bool; [discriminate|].
  destruct (first_false 0 (map _ (combine _ _))); [discriminate|].
  destruct (first_false 0 (map (combination_is_exact _ _) _)) eqn:E; [discriminate|].
  destruct (first_false 0 (map (claim_follows c t) _)) eqn:F; [discriminate|].
  destruct (verdict_follows c); [|discriminate]. intros _.
  apply first_false_none in E, F. rewrite Forall_map in E, F. auto.
Qed.

(* ---- Claims *)

Lemma find_exact_row exact rows : Forall2 same_row exact rows -> forall r, In r rows ->
  exists e, In e exact /\ same_row e r.
Proof.
  induction 1 as [|e r l m S F IH]; intros r' I; [destruct I|]. destruct I as [<-|I].
  - exists e. split; [left; reflexivity|exact S].
  - destruct (IH r' I) as (e' & J & S'). exists e'. split; [right; exact J|exact S'].
Qed.

Lemma find_row exact rows : Forall2 same_row exact rows -> forall e, In e exact -> exists r, In r rows /\ same_row e r.
Proof.
  induction 1 as [|e r l m S F IH]; intros e' I; [destruct I|]. destruct I as [<-|I].
  - exists r. split; [left; reflexivity|exact S].
  - destruct (IH e' I) as (r' & J & S'). exists r'. split; [right; exact J|exact S'].
Qed.

Section Claims.
Variable c : certificate.
Variable p : plan.
Hypothesis good_plan : plan_is_for c p.
Variable files : list text.
Variable exact : list exact_row.
Variable rows : list row.
Hypothesis read : files_read (about c) 0 files rows.
Hypothesis same : Forall2 same_row exact rows.
Let t := fold_left (plan_row p) exact (first_tally c).
Hypothesis exact_combinations : Forall (fun x => combination_is_exact (about c) (kept t) x = true) (combinations c).
Let d := about c.

Lemma two_means_two : asked d = Two_classes -> length (groups d) = 2%nat.
Proof. exact (plan_classes c p good_plan). Qed.

Lemma tally_is : t = fold_left (add_row d (wanted p) (asks_for_radius c)) exact (first_tally c).
Proof. unfold t, plan_row. rewrite (plan_certificate c p good_plan). reflexivity. Qed.

Lemma kept_rows : kept_are_rows rows (kept t).
Proof.
  intros i e F. rewrite tally_is in F. apply kept_part in F as [F|[I ->]].
  - unfold find_id in F. cbn in F. discriminate.
  - destruct (find_row _ _ same e I) as (r & J & S). exists r. split; [exact J|]. split; [exact S|].
    destruct S as (S1 & S2 & _). unfold id_of. rewrite S1, S2. reflexivity.
Qed.

Lemma all_combinations i x : nth_error (combinations c) i = Some x -> combination_is_exact d (kept t) x = true.
Proof. intros H. rewrite Forall_forall in exact_combinations. apply exact_combinations. eapply nth_error_In, H. Qed.

Lemma facts_of i f : option_map snd (nth_error (measured t) i) = Some f ->
  exists s, nth_error (separators c) i = Some s /\ facts_hold d (weights_of s) rows f.
Proof.
  rewrite tally_is, measured_part. unfold first_tally. cbn [measured]. rewrite map_map, nth_error_map.
  destruct (nth_error (separators c) i) as [s|]; [|discriminate]. cbn. intros [= <-]. exists s. split; [reflexivity|].
  apply measured_facts_hold; [exact two_means_two|exact same|]. eapply files_are_known, read.
Qed.

Lemma radius_bounds_points : asks_for_radius c = true -> 0 <= value (radius t) /\
  forall z, in_question d rows z -> dot (value_at z) z <= point_factor d * value (radius t).
Proof.
  intros A. rewrite tally_is. destruct (radius_grows d (wanted p) (asks_for_radius c) exact A (first_tally c)) as [G R].
  cbn [first_tally radius] in G. rewrite value_of_zero in G. split; [exact G|].
  intros z (r & I & Z). destruct (find_exact_row _ _ same r I) as (e & J & (_ & _ & K & S)).
  rewrite (point_length d r z (file_coordinates_once d _ _ _ _ read I) Z).
  assert (B : row_class e <> None).
  { rewrite K. intros N. unfold signed_points in Z. rewrite N in Z. destruct Z. }
  specialize (R e J B). rewrite (length_of_cells _ _ S) in R. unfold point_factor. destruct (asked d); lra.
Qed.

Lemma claim_holds this : In this (claims c) -> claim_follows c t this = true -> holds d rows c this.
Proof.
  intros Here. destruct this as [i|i|i|i n|i|i|i|i tie n|tie n proof]; cbn [claim_follows holds].
  - (* separable *)
    destruct (option_map snd _) as [f|] eqn:F; [|discriminate]. apply facts_of in F as (s & _ & (L & _)). intros R.
    exists (weights_of s). intros z Z. destruct (L z Z) as (a & La & H). unfold is_right in R. rewrite La in R.
    apply Z.ltb_lt, value_positive in R. lra.
  - (* not separable *)
    destruct (nth_error (combinations c) i) as [x|] eqn:X; [|discriminate]. intros W.
    apply (witness_forbids_separation d rows two_means_two (kept t) kept_rows x); [eapply all_combinations, X|exact W].
  - (* margin at most *)
    destruct (nth_error (combinations c) i) as [x|] eqn:X; [|discriminate]. intros _. exists x. split; [reflexivity|].
    apply (exact_combination_bounds_margin d rows two_means_two (kept t) kept_rows x). eapply all_combinations, X.
  - (* mistakes at most *)
    destruct (option_map snd _) as [f|] eqn:F; [|discriminate]. apply facts_of in F as (s & -> & (L & _)).
    destruct (least f) as [a|] eqn:La; [|discriminate].
    fold d. intros H w m P. apply Bool.andb_true_iff in H as [H U]. apply Bool.andb_true_iff in H as [A _].
    apply Z.ltb_lt, value_positive in A. apply below_spec in U. rewrite !value_multiply_whole, value_multiply in U.
    assert (Ask : asks_for_radius c = true).
    { apply existsb_exists. eexists. split; [exact Here|reflexivity]. }
    destruct (radius_bounds_points Ask) as [R0 R].
    assert (B : count m * (value a * value a) <= point_factor d * value (radius t) * inject_Z (norm_of s)).
    { apply (novikoff d rows (weights_of s) _ (value a) (point_factor d * value (radius t))) with (w := w).
      - apply norm_bounds_length.
      - exact A.
      - unfold point_factor. destruct (asked d); lra.
      - intros z Z. destruct (L z Z) as (b & Lb & Hz). injection Lb as <-. exact Hz.
      - exact R.
      - exact P. }
    rewrite inject_Z_mult in U.
    assert (E : inject_Z (if two_classes d then 1 else 2) == point_factor d) by (unfold two_classes, point_factor;
      destruct (asked d); reflexivity).
    rewrite E in U.
    assert (V : count m * (value a * value a) < inject_Z (Z.of_N n + 1) * (value a * value a)) by lra.
    apply Qmult_lt_r in V; [|nra]. unfold count in V. rewrite <- Zlt_Qlt in V. lia.
  - (* rule A *)
    destruct (option_map snd _) as [f|] eqn:F; [|discriminate]. apply facts_of in F as (s & _ & (_ & _ & _ & E)).
      intros H.
    apply Bool.andb_true_iff in H as [T H]. apply N.eqb_eq in H. unfold two_classes in T. fold d in T.
    destruct (asked d); [|discriminate]. destruct (E eq_refl) as [EA _]. exists (weights_of s). congruence.
  - (* not rule A *)
    destruct (nth_error (combinations c) i) as [x|] eqn:X; [|discriminate]. intros H (w & W).
    apply Bool.andb_true_iff in H as [T H]. unfold two_classes in T. fold d in T.
    destruct (asked d) eqn:Q; [|discriminate].
    destruct (forced_error d rows two_means_two (kept t) kept_rows Q x A w (all_combinations _ _ X) H)
      as (y & r & _ & I & _ & Er).
    unfold errors in W. assert (K : In r (filter (errs A w) rows)) by (apply filter_In; auto).
    destruct (filter (errs A w) rows); [destruct K|cbn in W; lia].
  - (* closed half-space *)
    destruct (option_map snd _) as [f|] eqn:F; [|discriminate]. apply facts_of in F as (s & _ & (_ & R & W & _)).
      intros H.
    apply Bool.andb_true_iff in H as [H N]. apply Bool.andb_true_iff in H as [_ Z].
    apply N.eqb_eq in Z. apply Bool.negb_true_iff, N.eqb_neq in N. exists (weights_of s). auto.
  - (* errors at most *)
    destruct (option_map snd _) as [f|] eqn:F; [|discriminate]. apply facts_of in F as (s & _ & (_ & _ & _ & E)).
      intros H.
    apply Bool.andb_true_iff in H as [T H]. apply N.eqb_eq in H. unfold two_classes in T. fold d in T.
    destruct (asked d); [|discriminate]. destruct (E eq_refl) as [EA EB]. exists (weights_of s).
    destruct tie; [rewrite EA|rewrite EB]; lia.
  - (* errors at least *)
    intros H w. apply Bool.andb_true_iff in H as [T H]. unfold two_classes in T. fold d in T.
    destruct (asked d) eqn:Q; [|discriminate].
    destruct (tree_value (combinations c) tie Leaf proof) as [m|] eqn:V; [|discriminate]. apply N.eqb_eq in H. subst m.
    apply (erring_counts d rows two_means_two tie w Leaf).
    apply (tree_value_spec d rows two_means_two (kept t) kept_rows Q (combinations c)
      all_combinations tie w proof Leaf n V).
Qed.
End Claims.

Lemma verdict_is_sound d c rows : verdict_follows c = true -> Forall (holds d rows c) (claims c) ->
  verdict_holds d rows (stated c).
Proof.
  unfold verdict_follows. rewrite Forall_forall. intros V H. destruct (stated c); cbn [verdict_holds].
  - apply existsb_exists in V as (this & I & E). specialize (H this I). destruct this; try discriminate. exact H.
  - apply Bool.andb_true_iff in V as [_ V]. apply existsb_exists in V as (this & I & E). specialize (H this I).
    destruct this; try discriminate. exact H.
  - exact I.
Qed.

Theorem check_is_sound : Check_is_sound check.
Proof.
  intros c files H. unfold check in H. destruct (answer_of c files) eqn:A; [|discriminate]. clear H.
  unfold answer_of in A. destruct (prepare c) as [p|] eqn:P; [|discriminate]. apply prepare_spec in P.
  destruct (read_files p 0 (source_sizes (about c)) 0 (first_tally c) files) as [[used t]|] eqn:R; [|discriminate].
  apply (read_files_sound c p P) in R as (exact & rows & F & S & ->).
  apply finish_accepts in A as (C & K & V). exists rows. split; [exact F|]. split.
  { intros others O. exact (files_unique _ (plan_labels c p P) _ _ _ O _ F). }
  assert (all : Forall (holds (about c) rows c) (claims c)).
  { rewrite Forall_forall in K |- *. intros this I. eapply claim_holds; eauto. }
  split; [apply verdict_is_sound; assumption|exact all].
Qed.
