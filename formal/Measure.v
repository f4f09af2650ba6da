(* What the pass measures of a separator is so: its least agreement, and the rows it errs on. *)

From Coq Require Import Ascii List ZArith NArith QArith Lia Lqa.
Require Import Statements Decimals Tries Reading Algebra Checker.
Import ListNotations.

(* ---- Scores *)

Definition weight_at (t : trie Z) (j : N) : Z := match get t (path_of j) with Some x => x | None => 0%Z end.

Lemma weight_filled w : forall n t j, (forall i, (n <= i)%N -> get t (path_of i) = None) ->
  weight_at (filled n w t) j = if (j <? n)%N then weight_at t j else nth (N.to_nat (j - n)) w 0%Z.
Proof.
  induction w as [|x w IH]; intros n t j H; cbn [filled].
  - destruct (N.ltb_spec j n) as [L|L]; [reflexivity|]. unfold weight_at. rewrite H by exact L.
    destruct (N.to_nat (j - n)); reflexivity.
  - rewrite IH.
    + destruct (N.ltb_spec j (n + 1)) as [L|L], (N.ltb_spec j n) as [M|M]; try lia.
      * destruct (Z.eqb_spec x 0); [reflexivity|]. unfold weight_at, put. rewrite get_change_other; [reflexivity|].
        intros E. apply path_of_injective in E. lia.
      * assert (j = n) by lia. subst j. rewrite N.sub_diag. cbn [N.to_nat nth].
        unfold weight_at. destruct (Z.eqb_spec x 0) as [->|_]; [rewrite H by lia; reflexivity|].
        unfold put. rewrite get_change_same. reflexivity.
      * replace (N.to_nat (j - n)) with (S (N.to_nat (j - (n + 1)))) by lia. reflexivity.
    + intros i L. destruct (Z.eqb_spec x 0); [apply H; lia|]. unfold put. rewrite get_change_other; [apply H; lia|].
      intros E. apply path_of_injective in E. lia.
Qed.

Lemma weight_of_trie w j : weight_at (weight_trie w) j = nth (N.to_nat j) w 0%Z.
Proof.
  unfold weight_trie. rewrite weight_filled by (intros; apply get_leaf).
  destruct (N.ltb_spec j 0); [lia|]. rewrite N.sub_0_r. reflexivity.
Qed.

Lemma score_from t w k x y : (forall j, w k j == inject_Z (weight_at t j)) -> same_point x y -> forall s,
  value (fold_left (fun s '(p, v) => match get t p with Some w => add s (multiply_whole w v) | None => s end) x s) ==
  value s + dot w (place k 1 y).
Proof.
  intros W S. induction S as [|[p v] [j q] x y [P V] S IH]; intros s; cbn [fold_left].
  - cbn [place map]. rewrite dot_nil. ring.
  - cbn [fst snd] in P, V. subst p. rewrite IH. cbn [place map]. rewrite dot_cons. fold (place k 1 y).
    rewrite W. unfold weight_at. destruct (get t (path_of j)) as [n|].
    + rewrite value_add, value_multiply_whole, V. ring.
    + change (inject_Z 0) with 0. ring.
Qed.

Lemma value_of_zero : value zero == 0.
Proof. apply value_of_zero_mantissa. reflexivity. Qed.

Lemma score_is_dot s k x y : same_point x y ->
  value (score_of (nth k (map weight_trie (vectors s)) Leaf) x) == dot (weights_of s) (place k 1 y).
Proof.
  intros S. change Leaf with (weight_trie []). rewrite map_nth. unfold score_of.
  rewrite (score_from _ (weights_of s) k x y); [rewrite value_of_zero; ring| |exact S].
  intros j. rewrite weight_of_trie. reflexivity.
Qed.

Lemma nth_of_scores s k x : value (nth k (map (fun t => score_of t x) (map weight_trie (vectors s))) zero) ==
  value (score_of (nth k (map weight_trie (vectors s)) Leaf) x).
Proof.
  generalize (map weight_trie (vectors s)). intros l. revert k. induction l as [|t l IH]; intros k.
  - cbn [map]. assert (E : value (score_of Leaf x) == 0).
    { unfold score_of. rewrite <- value_of_zero. generalize zero.
      induction x as [|[p v] x IHx]; intros z; cbn [fold_left]; [reflexivity|].
      rewrite get_leaf. apply IHx. }
    destruct k; cbn [nth]; rewrite E; apply value_of_zero.
  - destruct k; cbn [map nth]; [reflexivity|apply IH].
Qed.

Definition agrees (w : weights) (a : scaled) (z : signed_point) : Prop := value a == dot w z.

Lemma agreements_are_exact d s k c r : same_row c r -> class r = Some k ->
  Forall2 (agrees (weights_of s)) (agreements d (map weight_trie (vectors s)) k (cells c)) (signed_points d r).
Proof.
  intros (_ & _ & _ & S) K. unfold agreements, signed_points. rewrite K. destruct (asked d).
  - constructor; [|constructor]. unfold agrees. rewrite dot_place. pose proof (score_is_dot s 0 _ _ S) as E.
    destruct (Nat.eqb k 1); rewrite ?value_negate, E; ring.
  - induction (filter _ _) as [|rival l IH]; cbn [map]; constructor; [|exact IH].
    unfold agrees. rewrite value_subtract, !nth_of_scores, !score_is_dot by exact S.
    rewrite dot_app, (dot_place _ rival (-1)). ring.
Qed.

(* ---- The least of some numbers *)

Lemma smallest_spec w l zs : Forall2 (agrees w) l zs ->
  match smallest l with
  | None => zs = []
  | Some a => (forall z, In z zs -> value a <= dot w z) /\ exists z, In z zs /\ value a == dot w z
  end.
Proof.
  induction 1 as [|a z l zs A F IH]; [reflexivity|]. cbn [smallest]. unfold agrees in A.
  destruct (smallest l) as [b|].
  - destruct IH as [L (y & I & E)]. destruct (below b a) eqn:B.
    + apply below_spec in B. split.
      * intros x [<-|Ix]; [lra|auto].
      * exists y. split; [right; exact I|exact E].
    + apply below_false in B. split.
      * intros x [<-|Ix]; [lra|]. specialize (L x Ix). lra.
      * exists z. split; [left; reflexivity|exact A].
  - subst zs. split; [intros x [<-|[]]; lra|]. exists z. split; [left; reflexivity|exact A].
Qed.

(* ---- Facts *)

Definition facts_hold (d : description) (w : weights) (rows : list row) (f : facts) : Prop :=
  (forall z, in_question d rows z -> exists a, least f = Some a /\ value a <= dot w z) /\
  (n_right f <> 0%N -> exists z, in_question d rows z /\ 0 < dot w z) /\
  (n_wrong f = 0%N -> forall z, in_question d rows z -> 0 <= dot w z) /\
  (asked d = Two_classes ->
    errors rows A w = (n_wrong f + n_zero_negative f)%N /\
    errors rows B w = (n_wrong f + n_zero_negative f + n_zero_positive f)%N).

Lemma in_question_app d rows r z :
  in_question d (rows ++ [r]) z <-> in_question d rows z \/ In z (signed_points d r).
Proof.
  unfold in_question. split.
  - intros (r' & I & S). apply in_app_iff in I as [I|[<-|[]]]; [left; exists r'; auto|right; exact S].
  - intros [(r' & I & S)|S]; [exists r'|exists r]; rewrite in_app_iff; cbn; auto.
Qed.

Lemma errors_app rows r t w : errors (rows ++ [r]) t w = (errors rows t w + if errs t w r then 1 else 0)%N.
Proof.
  unfold errors. rewrite filter_app, app_length. cbn [filter]. destruct (errs t w r); cbn [length]; lia.
Qed.

Lemma lower_spec before a : exists b, lower before a = Some b /\ value b <= value a /\
  match before with Some c => value b <= value c | None => True end.
Proof.
  unfold lower. destruct before as [c|]; [|exists a; repeat split; lra].
  destruct (below a c) eqn:B; [exists a|exists c]; (split; [reflexivity|]).
  - apply below_spec in B. split; lra.
  - apply below_false in B. split; lra.
Qed.

Lemma less_spec p q : less p q = true <-> p < q.
Proof.
  unfold less. rewrite Bool.negb_true_iff. split; intros H.
  - apply Qnot_le_lt. rewrite <- Qle_bool_iff. congruence.
  - apply Bool.not_true_is_false. rewrite Qle_bool_iff. apply Qlt_not_le, H.
Qed.
Lemma less_false p q : less p q = false <-> q <= p.
Proof. unfold less. rewrite Bool.negb_false_iff. apply Qle_bool_iff. Qed.

Lemma le_false p q : Qle_bool p q = false <-> q < p.
Proof. rewrite <- less_spec. unfold less. rewrite Bool.negb_true_iff. reflexivity. Qed.

(* How a row of two classes errs, by the sign of its agreement. *)
Lemma errs_by_sign d w r k a : asked d = Two_classes -> class r = Some k -> (k < 2)%nat ->
  value a == dot w (place 0 (if Nat.eqb k 1 then 1 else -1) (values r)) ->
  errs A w r = match (mantissa a ?= 0)%Z with Lt => true | Eq => negb (Nat.eqb k 1) | Gt => false end /\
  errs B w r = match (mantissa a ?= 0)%Z with Lt => true | Eq => true | Gt => false end.
Proof.
  intros T K L E. rewrite dot_place in E. fold (score w r) in E. unfold errs. rewrite K.
  destruct (Z.compare_spec (mantissa a) 0) as [C|C|C].
  - apply value_zero in C. destruct (Nat.eqb k 1); cbn [negb]; split.
    + apply less_false. lra.
    + apply Qle_bool_iff. lra.
    + apply Qle_bool_iff. lra.
    + apply Qle_bool_iff. lra.
  - assert (N : value a < 0).
    { apply Qnot_le_lt. intros N. destruct (Qle_lt_or_eq _ _ N) as [P|P].
      - apply value_positive in P. lia.
      - symmetry in P. apply value_zero in P. lia. }
    destruct (Nat.eqb k 1); split.
    + apply less_spec. lra.
    + apply Qle_bool_iff. lra.
    + apply Qle_bool_iff. lra.
    + apply Qle_bool_iff. lra.
  - apply value_positive in C. destruct (Nat.eqb k 1); split.
    + apply less_false. lra.
    + apply le_false. lra.
    + apply le_false. lra.
    + apply le_false. lra.
Qed.

Section Facts.
Variable d : description.
Variable s : separator.
Let w := weights_of s.
Let tries := map weight_trie (vectors s).

Definition class_is_known (r : row) : Prop := match class r with Some k => (k < length (groups d))%nat | None => True
  end.
Hypothesis two_means_two : asked d = Two_classes -> length (groups d) = 2%nat.

Lemma measure_keeps_facts rows f c r : same_row c r -> class_is_known r ->
  facts_hold d w rows f -> facts_hold d w (rows ++ [r]) (measure d tries f c).
Proof.
  intros S Known (L & R & W & T). unfold measure, record. pose proof S as (_ & _ & SC & _). rewrite SC.
  destruct (class r) as [k|] eqn:K.
  2: { assert (N : signed_points d r = []) by (unfold signed_points; rewrite K; reflexivity).
       assert (Q : forall z, in_question d (rows ++ [r]) z <-> in_question d rows z).
       { intros z. rewrite in_question_app, N. cbn. tauto. }
       assert (E : forall t, errs t w r = false) by (intros t; unfold errs; rewrite K; reflexivity).
       split; [|split; [|split]].
       - intros z I. apply L, Q, I.
       - intros H. destruct (R H) as (z & I & P). exists z. rewrite Q. auto.
       - intros H z I. apply (W H), Q, I.
       - intros H. rewrite !errors_app, !E, !N.add_0_r. auto. }
  pose proof (agreements_are_exact d s k c r S K) as F. fold tries in F. fold w in F.
  pose proof (smallest_spec w _ _ F) as M.
  destruct (smallest (agreements d tries k (cells c))) as [a|].
  2: { assert (Q : forall z, in_question d (rows ++ [r]) z <-> in_question d rows z).
       { intros z. rewrite in_question_app, M. cbn. tauto. }
       split; [|split; [|split]].
       - intros z I. apply L, Q, I.
       - intros H. destruct (R H) as (z & I & P). exists z. rewrite Q. auto.
       - intros H z I. apply (W H), Q, I.
       - intros H. exfalso. unfold signed_points in M. rewrite K, H in M. discriminate. }
  destruct M as [Below (z0 & I0 & E0)].
  assert (Low : forall z, in_question d (rows ++ [r]) z -> exists b, lower (least f) a = Some b /\ value b <= dot w z).
  { intros z I. destruct (lower_spec (least f) a) as (b & -> & Ba & Bc). exists b. split; [reflexivity|].
    apply in_question_app in I as [I|I].
    - destruct (L z I) as (e & Le & Lz). rewrite Le in Bc. lra.
    - specialize (Below z I). lra. }
  assert (Ekind : asked d = Two_classes ->
    errs A w r = match (mantissa a ?= 0)%Z with Lt => true | Eq => negb (Nat.eqb k 1) | Gt => false end /\
    errs B w r = match (mantissa a ?= 0)%Z with Lt => true | Eq => true | Gt => false end).
  { intros H. apply (errs_by_sign d w r k a H K).
    - specialize (two_means_two H). unfold class_is_known in Known. rewrite K in Known. lia.
    - unfold signed_points in I0. rewrite K, H in I0. destruct I0 as [<-|[]]. exact E0. }
  assert (Old : forall z, in_question d rows z -> in_question d (rows ++ [r]) z) by (intros z I;
    apply in_question_app; auto).
  assert (New : in_question d (rows ++ [r]) z0) by (apply in_question_app; auto).
  destruct (Z.compare_spec (mantissa a) 0) as [C|C|C].
  - assert (Va : value a == 0) by (apply value_zero; exact C).
    assert (W' : n_wrong f = 0%N -> forall z, in_question d (rows ++ [r]) z -> 0 <= dot w z).
    { intros H z I. apply in_question_app in I as [I|I]; [apply (W H z I)|]. specialize (Below z I). lra. }
    destruct (match asked d with Two_classes => Nat.eqb k 1 | Many_classes => false end) eqn:B;
      (split; [exact Low|split; [|split; [exact W'|]]]; cbn [least n_wrong n_zero_negative n_zero_positive n_right]).
    + intros H. destruct (R H) as (z & I & P). exists z. auto.
    + intros H. destruct (T H) as [TA TB]. destruct (Ekind H) as [EA EB]. rewrite !errors_app, EA, EB, TA, TB.
      rewrite H in B. rewrite B. cbn [negb]. lia.
    + intros H. destruct (R H) as (z & I & P). exists z. auto.
    + intros H. destruct (T H) as [TA TB]. destruct (Ekind H) as [EA EB]. rewrite !errors_app, EA, EB, TA, TB.
      rewrite H in B. rewrite B. cbn [negb]. lia.
  - split; [exact Low|split; [|split]]; cbn [least n_wrong n_zero_negative n_zero_positive n_right].
    + intros H. destruct (R H) as (z & I & P). exists z. auto.
    + intros H. lia.
    + intros H. destruct (T H) as [TA TB]. destruct (Ekind H) as [EA EB]. rewrite !errors_app, EA, EB, TA, TB. lia.
  - assert (Va : 0 < value a) by (apply value_positive; exact C).
    split; [exact Low|split; [|split]]; cbn [least n_wrong n_zero_negative n_zero_positive n_right].
    + intros _. exists z0. split; [exact New|lra].
    + intros H z I. apply in_question_app in I as [I|I]; [apply (W H z I)|]. specialize (Below z I). lra.
    + intros H. destruct (T H) as [TA TB]. destruct (Ekind H) as [EA EB]. rewrite !errors_app, EA, EB, TA, TB. lia.
Qed.

Lemma no_facts_hold : facts_hold d w [] no_facts.
Proof.
  split; [|split; [|split]].
  - intros z (r & [] & _).
  - intros H. cbn in H. congruence.
  - intros _ z (r & [] & _).
  - intros _. split; reflexivity.
Qed.

Theorem measured_facts_hold exact rows : Forall2 same_row exact rows -> Forall class_is_known rows ->
  facts_hold d w rows (fold_left (measure d tries) exact no_facts).
Proof.
  revert rows. induction exact as [|c exact IH] using rev_ind; intros rows S Known.
  - inversion S. apply no_facts_hold.
  - apply Forall2_app_inv_l in S as (front & last & S & E & ->). inversion E as [|? r ? ? Sr N]. inversion N. subst.
    apply Forall_app in Known as [Kf Kl]. inversion_clear Kl.
    rewrite fold_left_app. cbn [fold_left]. apply measure_keeps_facts; auto.
Qed.
End Facts.
