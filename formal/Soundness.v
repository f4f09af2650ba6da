(* The theorem: what [check] accepts is so. *)

From Coq Require Import Ascii List ZArith NArith QArith Lia Lqa.
Require Import Statements Decimals Tries Reading Algebra Elimination Objective Checker Measure Combine Mistakes Figures.
Require Import Coefficients Minimum Multinomial.
Import ListNotations.

(* ---- The plan *)

Record plan_is_for (c : certificate) (p : plan) : Prop := {
  plan_certificate : plan_of p = c;
  plan_table : label_classes p = label_table (about c);
  plan_bias : same_point (bias_cells p) (with_bias (about c) []);
  plan_labels : labels_distinct (about c) (label_table (about c)) = true;
  plan_classes : asked (about c) = Two_classes -> length (groups (about c)) = 2%nat;
  plan_conditions : row_conditions p = conditions_of c;
  plan_format : format_is_clear (about c);
  plan_coordinates : coordinates_are_distinct (about c)
}.

Lemma texts_distinct_spec l : texts_distinct l = true -> NoDup l.
Proof.
  induction l as [|s l IH]; cbn; [constructor|]. intros H. apply Bool.andb_true_iff in H as [H D]. constructor; [|auto].
  intros I. apply Bool.negb_true_iff, Bool.not_true_iff_false in H. apply H, existsb_exists. exists s.
    split; [exact I|].
  apply same_text_spec. reflexivity.
Qed.

Lemma numbers_distinct_spec l : forall seen, numbers_distinct seen l = true ->
  NoDup l /\ forall n, In n l -> get seen (path_of n) = None.
Proof.
  induction l as [|n l IH]; intros seen H; cbn [numbers_distinct] in H; [split; [constructor|intros ? []]|].
  destruct (get seen (path_of n)) eqn:G; [discriminate|]. apply IH in H as [U A].
  assert (N : ~ In n l).
  { intros I. specialize (A n I). unfold put in A. rewrite get_change_same in A. discriminate. }
  split; [constructor; assumption|]. intros m [<-|I]; [exact G|]. specialize (A m I). unfold put in A.
  rewrite get_change_other in A; [exact A|]. intros E. apply path_of_injective in E. subst m. contradiction.
Qed.

Lemma clear_table d : table_is_clear (format d) = true -> format_is_clear d /\ coordinates_are_distinct d.
Proof.
  unfold table_is_clear, format_is_clear, coordinates_are_distinct. destruct (format d) as [zero_based|t|]; auto.
  intros H. apply Bool.andb_true_iff in H as [C N]. apply numbers_distinct_spec in N as [N _]. split; [|exact N].
  rewrite forallb_forall in C. apply Forall_forall. intros c I. specialize (C c I).
  destruct c; auto. apply texts_distinct_spec, C.
Qed.

Lemma prepare_spec c p : prepare c = inl p -> plan_is_for c p.
Proof.
  unfold prepare. destruct (labels_distinct (about c) (label_table (about c))) eqn:L; [|discriminate]. cbn [negb].
  destruct (match asked (about c) with Two_classes => _ | Many_classes => _ end) eqn:G; [|discriminate]. cbn [negb].
  destruct (table_is_clear (format (about c))) eqn:T; [|discriminate]. cbn [negb]. apply clear_table in T as [F K].
  assert (two : asked (about c) = Two_classes -> length (groups (about c)) = 2%nat).
  { intros Q. rewrite Q in G. apply Nat.eqb_eq, G. }
  destruct (bias (about c)) as [q|] eqn:B.
  - destruct (scaled_of q) as [v|] eqn:V; [|discriminate]. intros [= <-]. split; auto. cbn.
    unfold with_bias. rewrite B. constructor; [|constructor]. split; [reflexivity|]. apply scaled_of_spec, V.
  - intros [= <-]. split; auto. cbn. unfold with_bias. rewrite B. constructor.
Qed.

(* ---- The rows that were folded *)

Lemma read_source_sound c p : plan_is_for c p -> forall file files used t next used' t',
  read_source p file files used t = inl (next, (used', t')) ->
  exists exact raw rows, source_reads (about c) files raw /\ rows_of (about c) file 1 raw rows /\
    Forall2 same_row exact rows /\ t' = fold_left (plan_row p) exact t.
Proof.
  intros P file files used t next used' t' H. pose proof (plan_table c p P) as Tab.
    pose proof (plan_bias c p P) as Bias.
  unfold read_source, source_reads in *. rewrite (plan_certificate c p P) in H.
  assert (of_lines : forall bytes skipped heads gives, reader_is_sound skipped heads gives (reader_of (about c)) ->
    after_lines (plan_end p file (fold_left (plan_byte p file) bytes (begin_lines p used t))) = inl (next, (used',
      t')) ->
    exists exact raw rows, lines_read skipped heads gives (header_due (about c)) (lines (without_mark bytes)) raw /\
      rows_of (about c) file 1 raw rows /\ Forall2 same_row exact rows /\ t' = fold_left (plan_row p) exact t).
  { intros bytes skipped heads gives R A. unfold after_lines, plan_end, plan_byte, begin_lines in A.
    rewrite (plan_certificate c p P) in A.
    match type of A with match ?x with _ => _ end = _ => destruct x as [line n due u r|] eqn:E; [|discriminate] end.
    injection A as -> -> ->. eapply read_file_sound in E; eassumption. }
  destruct (format (about c)) as [zero_based|tab|] eqn:F.
  - destruct files as [|bytes [|? ?]]; try discriminate.
    assert (R : reader_of (about c) = fun _ => read_libsvm zero_based (features (about c))) by (unfold reader_of;
      rewrite F; reflexivity).
    assert (D : header_due (about c) = false) by (unfold header_due; rewrite F; reflexivity).
    rewrite D, R in of_lines. exact (of_lines bytes _ _ _ (libsvm_reader zero_based (features (about c))) H).
  - destruct files as [|bytes [|? ?]]; try discriminate.
    assert (R : reader_of (about c) = read_csv tab) by (unfold reader_of; rewrite F; reflexivity).
    assert (D : header_due (about c) = match names tab with Some _ => true | None => false end) by (unfold
      header_due; rewrite F; reflexivity).
    rewrite D, R in of_lines. exact (of_lines bytes _ _ _ (csv_reader tab) H).
  - destruct files as [|images [|labels [|? ?]]]; try discriminate.
    unfold after_images, plan_images, plan_pixel in H. rewrite (plan_certificate c p P) in H.
    destruct (begin_images tally (features (about c)) (firstn 16 images) labels t) as [state|] eqn:B.
    + destruct (end_images _ _) as [[n r]|] eqn:E in H; [|discriminate]. injection H as -> _ ->.
      eapply read_images_sound in E; eassumption.
    + rewrite no_more_stays in H. discriminate.
Qed.

Lemma read_sources_sound c p : plan_is_for c p -> forall sources file sizes used t used' t',
  read_sources p file sizes used t sources = inl (used', t') ->
  exists exact rows, sources_read (about c) file sources rows /\ Forall2 same_row exact rows /\
    t' = fold_left (plan_row p) exact t.
Proof.
  intros P. induction sources as [|files sources IH]; intros file sizes used t used' t' H.
  - destruct sizes; [|discriminate]. injection H as <- <-. exists [], []. repeat split; constructor.
  - destruct sizes as [|size sizes]; [discriminate|]. cbn [read_sources] in H.
    destruct (read_source p file files used t) as [[next [u v]]|] eqn:E; [|discriminate]. cbn [of_size] in H.
    destruct (N.eqb next (size + 1)); [|discriminate].
    apply IH in H as (exact & rows & F & S & ->).
    apply (read_source_sound c p P) in E as (exact0 & raw & rows0 & R & N & S0 & ->).
    exists (exact0 ++ exact), (rows0 ++ rows). split; [eapply next_source; eassumption|].
    split; [apply Forall2_app; assumption|]. rewrite fold_left_app. reflexivity.
Qed.

(* ---- The parts of the tally *)

Section Tally.
Variable d : description.
Variable wanted : id_map unit.
Variable with_radius : bool.
Variable regress : option conditions.

Lemma measures_each k r l : row_class r = Some k ->
  map (fun '((tries, f), a) => (tries, record d k f a))
    (combine l (map (fun e : list (trie Z) * facts => smallest (agreements d (fst e) k (cells r))) l)) =
  map (fun '(tries, f) => (tries, measure d tries f r)) l.
Proof.
  intros K. induction l as [|[tries f] l IH]; [reflexivity|]. cbn [map combine fst]. rewrite IH. unfold measure at 2.
  rewrite K. reflexivity.
Qed.

Lemma measured_part exact : forall t, measured (fold_left (add_row d wanted with_radius regress) exact t) =
  map (fun '(tries, f) => (tries, fold_left (measure d tries) exact f)) (measured t).
Proof.
  induction exact as [|r exact IH]; intros t; cbn [fold_left].
  - induction (measured t) as [|[tries f] l IH]; [reflexivity|]. cbn [map]. rewrite <- IH. reflexivity.
  - rewrite IH. unfold add_row. destruct (row_class r) as [k|] eqn:K; cbn [measured].
    + rewrite measures_each, map_map by exact K. apply map_ext. intros [tries f]. reflexivity.
    + apply map_ext. intros [tries f]. unfold measure at 3. rewrite K. reflexivity.
Qed.

Lemma metered_part exact : forall t, metered (fold_left (add_row d wanted with_radius regress) exact t) =
  map (fun '(m, s) => (m, fold_left (meter_row m) exact s)) (metered t).
Proof.
  induction exact as [|r exact IH]; intros t; cbn [fold_left].
  - induction (metered t) as [|[m s] l IH]; [reflexivity|]. cbn [map]. rewrite <- IH. reflexivity.
  - rewrite IH. unfold add_row. destruct (row_class r) as [k|] eqn:K; cbn [metered].
    + rewrite map_map. apply map_ext. intros [m s]. unfold meter_row at 3. rewrite K. reflexivity.
    + apply map_ext. intros [m s]. unfold meter_row at 3. rewrite K. reflexivity.
Qed.

Lemma joined_part exact : forall t, joined (fold_left (add_row d wanted with_radius regress) exact t) =
  option_map (fun '(o, p, ms, s) =>
    (o, p, ms, fold_left (fun s e => match row_class e with
      Some k => weigh_jointly d p (joint_over o) ms s k e | None => s end) exact s)) (joined t).
Proof.
  induction exact as [|r exact IH]; intros t; cbn [fold_left].
  - destruct (joined t) as [[[[o p] ms] s]|]; reflexivity.
  - rewrite IH. unfold add_row. destruct (row_class r) as [k|]; cbn [joined]; [|reflexivity].
    destruct (joined t) as [[[[o p] ms] s]|]; reflexivity.
Qed.

Lemma kept_part exact : forall t i c,
  find_id (kept (fold_left (add_row d wanted with_radius regress) exact t)) i = Some c ->
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
  value (radius t) <= value (radius (fold_left (add_row d wanted with_radius regress) exact t)) /\
  forall c, In c exact -> row_class c <> None ->
    value (length_of (cells c)) <= value (radius (fold_left (add_row d wanted with_radius regress) exact t)).
Proof.
  intros W. induction exact as [|r exact IH]; intros t; cbn [fold_left]; [split; [apply Qle_refl|intros ? []]|].
  destruct (IH (add_row d wanted with_radius regress t r)) as [G A].
  assert (step : value (radius t) <= value (radius (add_row d wanted with_radius regress t r)) /\
    (row_class r <> None -> value (length_of (cells r)) <= value (radius (add_row d wanted with_radius regress t r)))).
  { unfold add_row. rewrite W. destruct (row_class r) as [k|]; cbn [radius]; [|split; [apply Qle_refl|congruence]].
    destruct (below (radius t) (length_of (cells r))) eqn:B.
    - apply below_spec in B. split; [lra|intros _; apply Qle_refl].
    - apply below_false in B. split; [apply Qle_refl|intros _; exact B]. }
  destruct step as [S1 S2]. split; [lra|]. intros c [<-|I] N; [specialize (S2 N); lra|auto].
Qed.
End Tally.

(* ---- What every row meets *)

Section Fitting.
Variable d : description.
Variable wanted : id_map unit.
Variable with_radius : bool.
Variable n : conditions.
Let step := add_row d wanted with_radius (Some n).

(* What was found of a row, for the weights of separators. *)
Definition found_of (tries : list (list (trie Z))) (k : nat) (e : exact_row) : list (option scaled) :=
  map (fun w => smallest (agreements d w k (cells e))) tries.

Lemma tries_stay t e : map fst (measured (step t e)) = map fst (measured t).
Proof.
  unfold step, add_row. destruct (row_class e) as [k|] eqn:K; [|reflexivity]. cbn [measured].
  rewrite measures_each, map_map by exact K. apply map_ext. intros [w f]. reflexivity.
Qed.

Lemma fitting_part exact : forall t, fitting (fold_left step exact t) = true -> fitting t = true /\
  forall e k, In e exact -> row_class e = Some k -> fits n (cells e) (found_of (map fst (measured t)) k e) = true.
Proof.
  induction exact as [|e exact IH]; intros t H; [split; [exact H|intros ? ? []]|]. cbn [fold_left] in H.
  apply IH in H as [F R]. rewrite tries_stay in R. unfold step, add_row in F.
  destruct (row_class e) as [k|] eqn:K; cbn [fitting] in F.
  - destruct (fitting t); [|discriminate]. split; [reflexivity|]. intros e' k' [<-|I] K'; [|auto].
    rewrite K in K'. injection K' as <-. unfold found_of. rewrite map_map. exact F.
  - split; [exact F|]. intros e' k' [<-|I] K'; [congruence|auto].
Qed.
End Fitting.

(* ---- Rows of the files have known classes *)

Lemma class_of_is_known d label k : class_of d label k ->
  match k with Some i => (i < length (groups d))%nat | None => True end.
Proof.
  intros (group & E & _). destruct k as [i|]; [|exact I]. apply nth_error_Some. congruence.
Qed.

Lemma rows_are_known d s n raw rows : rows_of d s n raw rows -> Forall (class_is_known d) rows.
Proof.
  induction 1 as [|n label x k raw rows K R IH]; constructor; [|exact IH].
  unfold class_is_known. cbn. apply class_of_is_known in K. exact K.
Qed.

Lemma sources_are_known d s sources rows : sources_read d s sources rows -> Forall (class_is_known d) rows.
Proof.
  induction 1 as [|s files rest raw rows more F R S IH]; [constructor|]. apply Forall_app. split; [|exact IH].
  eapply rows_are_known, R.
Qed.

(* ---- What [finish] has checked *)

Lemma first_false_none l : forall i, first_false i l = None -> Forall (fun b => b = true) l.
Proof.
  induction l as [|b l IH]; intros i H; [constructor|]. cbn in H. destruct b; [|discriminate].
    constructor; [reflexivity|].
  exact (IH _ H).
Qed.

Lemma finish_accepts c used t : finish c used t = Accepted ->
  Forall (fun e => separator_is_exact (fst e) (snd (snd e)) = true) (combine (separators c) (measured t)) /\
  Forall (fun x => combination_is_exact (about c) (kept t) x = true) (combinations c) /\
  Forall (fun x => claim_follows c t x = true) (claims c) /\ verdict_follows c = true /\ wrong_part c t = None /\
  wrong_minimum c t = None.
Proof.
  unfold finish. destruct (negb _); [discriminate|]. destruct (negb _); [discriminate|].
  destruct (_ && _)%bool; [discriminate|].
  destruct (first_false 0 (map _ (combine _ _))) eqn:S; [discriminate|].
  destruct (first_false 0 (map (combination_is_exact _ _) _)) eqn:E; [discriminate|].
  destruct (first_false 0 (map (claim_follows c t) _)) eqn:F; [discriminate|].
  destruct (verdict_follows c); [|discriminate]. destruct (wrong_part c t); [discriminate|].
  destruct (wrong_minimum c t) as [[i what]|]; [discriminate|]. intros _.
  apply first_false_none in S, E, F. rewrite Forall_map in S, E, F. split; [|auto].
  eapply Forall_impl; [|exact S]. intros [a [b f]] H. exact H.
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
Variable sources : list (list text).
Variable exact : list exact_row.
Variable rows : list row.
Hypothesis read : sources_read (about c) 0 sources rows.
Hypothesis same : Forall2 same_row exact rows.
Let t := fold_left (plan_row p) exact (first_tally c).
Hypothesis exact_combinations : Forall (fun x => combination_is_exact (about c) (kept t) x = true) (combinations c).
Let d := about c.

Lemma two_means_two : asked d = Two_classes -> length (groups d) = 2%nat.
Proof. exact (plan_classes c p good_plan). Qed.

Lemma tally_is : t = fold_left (add_row d (wanted p) (asks_for_radius c) (conditions_of c)) exact (first_tally c).
Proof. unfold t, plan_row. rewrite (plan_certificate c p good_plan), (plan_conditions c p good_plan). reflexivity. Qed.

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
  apply measured_facts_hold; [exact two_means_two|exact same|]. eapply sources_are_known, read.
Qed.

Lemma radius_bounds_points : asks_for_radius c = true -> 0 <= value (radius t) /\
  forall z, in_question d rows z -> dot (value_at z) z <= point_factor d * value (radius t).
Proof.
  intros A. rewrite tally_is.
  destruct (radius_grows d (wanted p) (asks_for_radius c) (conditions_of c) exact A (first_tally c)) as [G R].
  cbn [first_tally radius] in G. rewrite value_of_zero in G. split; [exact G|].
  intros z (r & I & Z). destruct (find_exact_row _ _ same r I) as (e & J & (_ & _ & K & S)).
  rewrite (point_length d r z (sources_once d _ _ _ _ (plan_coordinates c p good_plan) read I) Z).
  assert (B : row_class e <> None).
  { rewrite K. intros N. unfold signed_points in Z. rewrite N in Z. destruct Z. }
  specialize (R e J B). rewrite (length_of_cells _ _ S) in R. unfold point_factor. destruct (asked d); lra.
Qed.

Lemma separators_hold : Forall (fun e => separator_is_exact (fst e) (snd (snd e)) = true) (combine (separators c)
  (measured t)) ->
  Forall (separator_holds d rows) (separators c).
Proof.
  rewrite tally_is, measured_part. unfold first_tally. cbn [measured]. rewrite map_map.
  induction (separators c) as [|s l IH]; intros H; [constructor|]. cbn [map combine] in H.
    inversion_clear H as [|? ? E R].
  constructor; [|apply IH, R]. exact (exact_separator_holds d s exact rows same E).
Qed.

Lemma combinations_hold : Forall (combination_holds d rows) (combinations c).
Proof.
  eapply Forall_impl; [|exact exact_combinations]. intros x E.
  exact (exact_combination_holds d rows (kept t) x two_means_two kept_rows E).
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

(* -- The coefficients of a regression *)

Let all_tries : list (list (trie Z)) := map (fun s => map weight_trie (vectors s)) (separators c).

Lemma find_fitting l : coefficients c = Some l -> fitting t = true -> forall r, In r rows -> class r <> None ->
  exists e k, same_row e r /\ class r = Some k /\
    forallb (fun x => member (fst x) (set_of (all_coordinates d))) (cells e) = true /\
    forallb (flat (found_of d all_tries k e)) (map snd (aliased l)) =
      true /\
    match direction l with
    | Some i =>
        flat (found_of d all_tries k e) i = true ->
        forallb (flat (found_of d all_tries k e)) (null_space l) = true
    | None => True
    end.
Proof.
  intros L F r I K. rewrite tally_is in F. unfold conditions_of in F. rewrite L in F.
  apply fitting_part in F as [_ F]. destruct (find_exact_row _ _ same r I) as (e & J & S).
  pose proof S as (_ & _ & C & _). destruct (class r) as [k|]; [|congruence]. specialize (F e k J C).
  unfold first_tally in F. cbn [measured] in F.
  rewrite map_map in F. cbn [fst] in F. fold all_tries in F. unfold fits in F.
  cbn [known always_zero leading following] in F.
  apply Bool.andb_true_iff in F as [F Lead]. apply Bool.andb_true_iff in F as [Known Zero]. exists e, k.
  split; [exact S|]. split; [reflexivity|]. split; [exact Known|]. split; [exact Zero|].
  destruct (direction l) as [i|]; [|exact Logic.I]. intros Fl. rewrite Fl in Lead. exact Lead.
Qed.

Lemma flat_means (two : asked d = Two_classes) e r k z i s : same_row e r -> class r = Some k ->
  In z (signed_points d r) -> nth_error (separators c) i = Some s ->
  flat (found_of d all_tries k e) i = true <-> dot (weights_of s) z == 0.
Proof.
  intros S K Z N. pose proof (agreements_are_exact d s k e r S K) as A. unfold flat, found_of, all_tries.
  assert (F : nth i (map (fun w => smallest (agreements d w k (cells e))) (map (fun s => map weight_trie (vectors s))
    (separators c))) None = smallest (agreements d (map weight_trie (vectors s)) k (cells e))).
  { apply nth_error_nth. rewrite map_map, nth_error_map, N. reflexivity. }
  rewrite F. clear F. unfold agreements, signed_points in *. rewrite K, two in *. destruct Z as [<-|[]].
  inversion_clear A as [|? ? ? ? E _]. cbn [smallest]. unfold agrees in E. rewrite <- E, Z.eqb_eq.
  apply value_zero.
Qed.

Lemma Forall2_in_right {A B} (R : A -> B -> Prop) l m : Forall2 R l m -> forall y, In y m -> exists x, In x l /\ R x y.
Proof.
  induction 1 as [|x y l m H F IH]; intros z []; [subst; exists x; cbn; auto|].
  destruct (IH z ltac:(assumption)) as (w & I & W). exists w. cbn. auto.
Qed.

Lemma coefficients_hold : wrong_part c t = None ->
  match coefficients c with None => True | Some l => regression_holds d rows c l end.
Proof.
  unfold wrong_part. destruct (coefficients c) as [l|] eqn:L; [|auto]. intros W.
  assert (All : forall e, In e (parts c t l) -> snd e = true).
  { intros e I. unfold first_wrong in W. destruct (find _ _) as [x|] eqn:F; [discriminate|].
    apply (find_none _ _ F) in I. apply Bool.negb_false_iff, I. }
  clear W. unfold parts in All. destruct (witness_basis c t l) as [b|] eqn:B.
  2: { specialize (All _ (or_introl eq_refl)). discriminate. }
  destruct (rank_basis c t l) as [rank|] eqn:R.
  2: { specialize (All _ (or_introl eq_refl)). discriminate. }
  assert (part : forall a q, In (a, q) (parts c t l) -> q = true).
  { intros a q I. unfold parts in I. rewrite B, R in I. exact (All _ I). }
  clear All. unfold parts in part. rewrite B, R in part.
  pose proof (part Two_classes_only _ ltac:(cbn; auto)) as two.
  pose proof (part Every_row _ ltac:(cbn; auto)) as every.
  pose proof (part Aliased_coordinates _ ltac:(cbn; auto 10)) as ali.
  pose proof (part Identified_coordinates _ ltac:(cbn; auto 10)) as ident.
  pose proof (part Weights_of_aliased _ ltac:(cbn; auto 10)) as weights.
  pose proof (part The_direction _ ltac:(cbn; auto 10)) as dir.
  pose proof (part The_kind _ ltac:(cbn; auto 10)) as kind.
  pose proof (part The_span _ ltac:(cbn; auto 12)) as span.
  pose proof (part Finite_coefficients _ ltac:(cbn; auto 12)) as finite.
  pose proof (part Signs_of_coefficients _ ltac:(cbn; auto 12)) as sign.
  clear part. apply Bool.andb_true_iff in ident as [_ ident]. apply Bool.andb_true_iff in weights as [weights _].
  assert (Q : asked d = Two_classes) by (unfold two_classes in two; fold d in two; destruct (asked d); congruence).
  apply (regression_is_so c t l rows) with (b := b) (rank := rank); auto.
  - exact two_means_two.
  - exact kept_rows.
  - exact all_combinations.
  - exact facts_of.
  - intros r I K j J. destruct (find_fitting l L every r I K) as (e & k & S & _ & F & _).
    destruct S as (_ & _ & _ & S). rewrite forallb_forall in F. apply in_map_iff in J as ([i q] & <- & J).
    destruct (Forall2_in_right _ _ _ S _ J) as (x & X & [P _]). specialize (F x X). apply member_set in F.
    rewrite P in F. exact F.
  - intros z (r & I & Z) e s A N.
    assert (K : class r <> None) by (intros E; unfold signed_points in Z; rewrite E in Z; destruct Z).
    destruct (find_fitting l L every r I K) as (x & k & S & C & _ & F & _). rewrite forallb_forall in F.
    apply (flat_means Q x r k z (snd e) s S C Z N), F, in_map, A.
  - intros z (r & I & Z) i s D N Zero k u Ik U.
    assert (K : class r <> None) by (intros E; unfold signed_points in Z; rewrite E in Z; destruct Z).
    destruct (find_fitting l L every r I K) as (x & k' & S & C & _ & _ & F). rewrite D in F.
    apply (flat_means Q x r k' z i s S C Z N), F in Zero. rewrite forallb_forall in Zero.
    apply (flat_means Q x r k' z k u S C Z U), Zero, Ik.
Qed.

(* -- The minimum of an objective *)

Lemma no_wrong_solution i l all : wrong_solution i l all = None ->
  Forall (fun e => first_wrong (solution_parts l (fst e) (fst (snd e)) (snd (snd e))) = None) all.
Proof.
  revert i. induction all as [|[s [m f]] all IH]; intros i H; [constructor|]. cbn [wrong_solution] in H.
  destruct (first_wrong _) eqn:E; [discriminate|]. constructor; [exact E|exact (IH _ H)].
Qed.

Lemma minimum_holds : wrong_minimum c t = None ->
  match minimized c with None => True | Some o => minimization_holds d rows o end.
Proof.
  unfold wrong_minimum. pose proof tally_is as T. destruct (minimized c) as [o|] eqn:O; [|auto]. cbv zeta. fold d.
  destruct (costs_are_clear d o) eqn:C; [|discriminate]. cbn [negb].
  destruct (clear_costs d o C) as (N & P & _). pose proof (sources_are_known _ _ _ _ read) as Known.
  destruct (joint o) as [[primal dual]|] eqn:J.
  { rewrite T, joined_part. unfold first_tally. cbn [joined]. rewrite O, J. cbn [option_map joint_meters].
    destruct (first_wrong _) eqn:W; [discriminate|]. intros _. split; [exact N|]. split; [exact P|]. rewrite J.
    exact (joint_minimum_is_so d o C exact rows (primal, dual) same Known W). }
  destruct (Nat.eqb_spec (length (solutions o)) (length (own_classes d))) as [L|]; [|discriminate]. cbn [negb].
  intros W. apply no_wrong_solution in W. rewrite T, metered_part in W. unfold first_tally in W. cbn [metered] in W.
  rewrite O, J, map_map in W. unfold meters_of in W. fold d in W. rewrite map_map in W.
  split; [exact N|]. split; [exact P|]. rewrite J. clear J.
  revert L W. generalize (solutions o).
  induction (own_classes d) as [|own owns IH]; intros [|s all] L W; try discriminate.
  - constructor.
  - cbn [combine map fst snd] in W. inversion_clear W as [|? ? H R]. constructor; [|apply IH; [cbn in L; lia|exact R]].
    exact (solution_is_so d o own s C exact rows same Known H).
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
  intros c sources H. unfold check in H. destruct (answer_of c sources) eqn:A; [|discriminate]. clear H.
  unfold answer_of in A. destruct (prepare c) as [p|] eqn:P; [|discriminate]. apply prepare_spec in P.
  destruct (read_sources p 0 (source_sizes (about c)) 0 (first_tally c) sources) as [[used t]|] eqn:R; [|discriminate].
  apply (read_sources_sound c p P) in R as (exact & rows & F & S & ->).
  apply finish_accepts in A as (Sep & C & K & V & W & M). exists rows. split; [exact F|]. split.
  { intros others O. exact (sources_unique _ (plan_labels c p P) _ _ _ (plan_format c p P) O _ F). }
  assert (all : Forall (holds (about c) rows c) (claims c)).
  { rewrite Forall_forall in K |- *. intros this I. eapply claim_holds; eauto. }
  split; [eapply separators_hold; eassumption|]. split; [eapply combinations_hold; eassumption|].
  split; [apply verdict_is_sound; assumption|]. split; [exact all|].
  split; [eapply coefficients_hold; eassumption|eapply minimum_holds; eassumption].
Qed.
