(* The figures that a certificate states of its separators and combinations are exact. *)

From Coq Require Import Ascii List ZArith NArith QArith Qminmax Lia Lqa.
Require Import Statements Decimals Tries Reading Algebra Checker Measure Combine Mistakes.
Import ListNotations.

(* ---- Separators *)

Lemma least_of_list l : forall q, (fold_left Qmin l q <= q) /\ (forall x, In x l -> fold_left Qmin l q <= x) /\
  (fold_left Qmin l q == q \/ exists x, In x l /\ fold_left Qmin l q == x).
Proof.
  induction l as [|y l IH]; intros q; cbn [fold_left]; [split; [apply Qle_refl|split; [intros ? []|left;
    reflexivity]]|].
  destruct (IH (Qmin q y)) as (A & B & C). pose proof (Q.le_min_l q y). pose proof (Q.le_min_r q y).
  split; [lra|]. split; [intros x [<-|I]; [lra|auto]|].
  destruct C as [C|(x & I & C)]; [|right; exists x; split; [right; exact I|exact C]].
  destruct (Q.min_spec q y) as [[_ M]|[_ M]]; [left; lra|right; exists y; split; [left; reflexivity|lra]].
Qed.

Lemma smallest_is_agreement d w l r : Forall2 (agrees w) l (signed_points d r) ->
  match smallest l with
  | None => agreement d w r = None
  | Some a => exists q, agreement d w r = Some q /\ value a == q
  end.
Proof.
  intros F. pose proof (smallest_spec w _ _ F) as S. unfold agreement.
    destruct (smallest l) as [a|]; [|rewrite S; reflexivity].
  destruct S as [L (z & I & E)]. destruct (signed_points d r) as [|z0 zs]; [destruct I|]. cbn [map].
  eexists. split; [reflexivity|]. destruct (least_of_list (map (dot w) zs) (dot w z0)) as (A & B & C).
  set (m := fold_left Qmin _ _) in *.
  assert (below : m <= value a).
  { destruct I as [->|I]; [lra|]. specialize (B (dot w z) (in_map (dot w) _ _ I)). lra. }
  assert (above : value a <= m).
  { destruct C as [C|(x & Ix & C)]; [specialize (L z0 (or_introl eq_refl)); lra|].
    apply in_map_iff in Ix as (z' & <- & Iz). specialize (L z' (or_intror Iz)). lra. }
  lra.
Qed.

Section Figures.
Variable d : description.
Variable s : separator.
Let w := weights_of s.
Let tries := map weight_trie (vectors s).

Definition figures (rows : list row) (f : facts) : Prop :=
  match least f with
  | None => forall r, In r rows -> agreement d w r = None
  | Some a =>
      (exists r q, In r rows /\ agreement d w r = Some q /\ q == value a) /\
      forall r q, In r rows -> agreement d w r = Some q -> value a <= q
  end /\
  n_wrong f = count_rows d rows w (fun r q => less q 0) /\
  n_zero_negative f = count_rows d rows w (fun r q => Qeq_bool q 0 && negb (is_positive d r)) /\
  n_zero_positive f = count_rows d rows w (fun r q => Qeq_bool q 0 && is_positive d r).

Lemma count_rows_app rows r f : count_rows d (rows ++ [r]) w f =
  (count_rows d rows w f + match agreement d w r with Some q => if f r q then 1 else 0 | None => 0 end)%N.
Proof.
  unfold count_rows. rewrite filter_app, app_length. cbn [filter].
  destruct (agreement d w r) as [q|]; [destruct (f r q)|]; cbn [length]; lia.
Qed.

Lemma measure_keeps_figures rows f c r : same_row c r -> figures rows f -> figures (rows ++ [r]) (measure d tries f c).
Proof.
  intros S (L & W & N & P). unfold measure, record. pose proof S as (_ & _ & SC & _). rewrite SC.
  assert (unchanged : agreement d w r = None -> figures (rows ++ [r]) f).
  { intros E. unfold figures. rewrite !count_rows_app, E, !N.add_0_r. split; [|auto]. destruct (least f) as [a|].
    - destruct L as [(r' & q & I & A & V) B]. split.
      + exists r', q. rewrite in_app_iff. auto.
      + intros r2 q2 I2 A2. apply in_app_iff in I2 as [I2|[<-|[]]]; [eauto|congruence].
    - intros r' I. apply in_app_iff in I as [I|[<-|[]]]; auto. }
  destruct (class r) as [k|] eqn:K; [|apply unchanged; unfold agreement, signed_points; rewrite K; reflexivity].
  pose proof (agreements_are_exact d s k c r S K) as F. fold tries w in F.
  pose proof (smallest_is_agreement d w _ r F) as M.
  destruct (smallest (agreements d tries k (cells c))) as [a|]; [|apply unchanged, M].
  destruct M as (q & A & V).
  assert (low : match lower (least f) a with
    | None => False
    | Some b => (exists r' q', In r' (rows ++ [r]) /\ agreement d w r' = Some q' /\ q' == value b) /\
        forall r' q', In r' (rows ++ [r]) -> agreement d w r' = Some q' -> value b <= q'
    end).
  { unfold lower. destruct (least f) as [b|].
    - destruct L as [(r' & q' & I & A' & V') B]. destruct (below a b) eqn:E.
      + apply below_spec in E. split; [exists r, q; rewrite in_app_iff; cbn; repeat split; auto; lra|].
        intros r2 q2 I2 A2. apply in_app_iff in I2 as [I2|[<-|[]]]; [specialize (B _ _ I2 A2); lra|].
        rewrite A in A2. injection A2 as <-. lra.
      + apply below_false in E. split; [exists r', q'; rewrite in_app_iff; auto|].
        intros r2 q2 I2 A2. apply in_app_iff in I2 as [I2|[<-|[]]]; [eauto|].
        rewrite A in A2. injection A2 as <-. lra.
    - split; [exists r, q; rewrite in_app_iff; cbn; repeat split; auto; lra|].
      intros r2 q2 I2 A2. apply in_app_iff in I2 as [I2|[<-|[]]]; [rewrite (L _ I2) in A2; discriminate|].
      rewrite A in A2. injection A2 as <-. lra. }
  destruct (lower (least f) a) as [b|] eqn:Lo; [|destruct low].
  assert (Pos : is_positive d r = match asked d with Two_classes => Nat.eqb k 1 | Many_classes => false end).
  { unfold is_positive. rewrite K. reflexivity. }
  unfold figures. rewrite !count_rows_app, A, Pos.
  destruct (Z.compare_spec (mantissa a) 0) as [C|C|C].
  - apply value_zero in C. assert (Z0 : Qeq_bool q 0 = true) by (apply Qeq_bool_iff; lra).
    assert (Nl : less q 0 = false) by (apply less_false; lra). rewrite Z0, Nl. cbn [andb].
    destruct (match asked d with Two_classes => Nat.eqb k 1 | Many_classes => false end);
      cbn [least n_wrong n_zero_negative n_zero_positive negb]; (split; [exact low|]); repeat split; lia.
  - assert (Neg : q < 0).
    { apply Qnot_le_lt. intros H. destruct (Qle_lt_or_eq _ _ H) as [H'|H'].
      - assert (0 < value a) by lra. apply value_positive in H0. lia.
      - assert (value a == 0) by lra. apply value_zero in H0. lia. }
    assert (Z0 : Qeq_bool q 0 = false) by (apply Bool.not_true_is_false; intros E; apply Qeq_bool_iff in E; lra).
    assert (Nl : less q 0 = true) by (apply less_spec; lra). rewrite Z0, Nl.
    cbn [least n_wrong n_zero_negative n_zero_positive negb andb]. split; [exact low|]. repeat split; lia.
  - apply value_positive in C.
    assert (Z0 : Qeq_bool q 0 = false) by (apply Bool.not_true_is_false; intros E; apply Qeq_bool_iff in E; lra).
    assert (Nl : less q 0 = false) by (apply less_false; lra). rewrite Z0, Nl.
    cbn [least n_wrong n_zero_negative n_zero_positive negb andb]. split; [exact low|]. repeat split; lia.
Qed.

Lemma measured_figures exact rows : Forall2 same_row exact rows ->
  figures rows (fold_left (measure d tries) exact no_facts).
Proof.
  revert rows. induction exact as [|c exact IH] using rev_ind; intros rows S.
  - inversion S. split; [intros r []|]. repeat split.
  - apply Forall2_app_inv_l in S as (front & last & S & E & ->). inversion E as [|? r ? ? Sr N]. inversion N. subst.
    rewrite fold_left_app. cbn [fold_left]. apply measure_keeps_figures; auto.
Qed.

Theorem exact_separator_holds exact rows : Forall2 same_row exact rows ->
  separator_is_exact s (fold_left (measure d tries) exact no_facts) = true -> separator_holds d rows s.
Proof.
  intros S H. destruct (measured_figures exact rows S) as (L & W & N & P).
  set (f := fold_left (measure d tries) exact no_facts) in *. unfold separator_is_exact in H.
  repeat (apply Bool.andb_true_iff in H as [H ?]).
  repeat match goal with H : N.eqb _ _ = true |- _ => apply N.eqb_eq in H end.
  apply is_fraction_spec in H. rewrite value_of_whole in H. unfold norm_of in H.
  unfold separator_holds. fold w. split; [symmetry; exact H|]. split; [|repeat split; congruence].
  destruct (least f) as [a|], (minimum s) as [q|]; try discriminate; [|exact L].
  match goal with H : is_fraction a q = true |- _ => apply is_fraction_spec in H as V end.
  destruct L as [(r & a' & I & A & E) B]. split; [exists r, a'; repeat split; auto; lra|].
  intros r' q' I' A'. specialize (B _ _ I' A'). lra.
Qed.
End Figures.

(* ---- Combinations *)

Lemma equal_products_equal_lengths a b : (forall w, dot w a == dot w b) -> dot (value_at a) a == dot (value_at b) b.
Proof. intros H. rewrite H, dot_symmetric, H. reflexivity. Qed.

Lemma keys_of_entries l : map fst (as_point l) = keys_of l.
Proof. unfold as_point, keys_of. rewrite map_map. apply map_ext. intros [[k p] v]. reflexivity. Qed.

Lemma squares_are_a_length b : value (squares b) == dot (value_at (bank_point b)) (bank_point b).
Proof.
  rewrite length_is_squares by (unfold bank_point; rewrite keys_of_entries; apply bank_keys_once).
  rewrite value_squares. unfold bank_point. induction (bank_entries 0 b) as [|[[k p] v] l IH]; [reflexivity|].
  rewrite product_cons, IH. reflexivity.
Qed.

Theorem exact_combination_holds d rows m c : (asked d = Two_classes -> length (groups d) = 2%nat) ->
  kept_are_rows rows m ->
  combination_is_exact d m c = true -> combination_holds d rows c.
Proof.
  intros Two K. unfold combination_is_exact. destruct (assembled d m c) as [s|] eqn:A; [|discriminate]. intros E.
  apply is_fraction_spec in E. apply (assembled_spec d rows Two m c s K) in A as (points & b & (P & X) & N & -> & D).
  exists (map fst points). split.
  - clear - P X. revert X. induction P as [|t [r z] l points H F IH]; intros X; cbn [map]; constructor;
    inversion_clear X; [|auto].
    destruct H as (I & Id & C & Z & W). cbn [fst snd] in *. subst z. auto.
  - cbv zeta. change (total_weight c) with (weight_of_terms (terms c)) in E. rewrite <- E, squares_are_a_length.
    apply equal_products_equal_lengths. intros w. rewrite D. clear - X.
    induction X as [|t [r z] l points H F IH]; [reflexivity|]. cbn [map combine flat_map fst snd] in *. subst z.
    rewrite dot_app, dot_times, <- IH. reflexivity.
Qed.
