(* What is claimed of runs, and proved: parameter mixing, the stream certificate, adaptive conformal coverage.

   These are theorems about any run of the stated kind; no certificate file states them yet. Weights are functions of a
   coordinate, points and sums of points are lists of entries, as in Statements.v. *)

From Coq Require Import List ZArith NArith QArith Qminmax Lia Lqa.
Require Import Statements Decimals Algebra Checker Measure Mistakes.
Import ListNotations.

(* ---- The claims *)

Definition squared_length (z : signed_point) : Q := dot (value_at z) z.
Definition hinge (u : weights) (z : signed_point) : Q := Qmax 0 (1 - dot u z).
Definition total {A} (f : A -> Q) (l : list A) : Q := sum (map f l).

(* -- Parameter mixing. In each epoch every shard runs the perceptron over some of its points,
  from the mixed weights. *)

Inductive shard_run (points : signed_point -> Prop) (w : signed_point) : signed_point -> list signed_point -> Prop :=
| run_starts : shard_run points w w []
| run_errs v mistakes z : shard_run points w v mistakes -> points z -> dot (value_at v) z <= 0 ->
    shard_run points w (z ++ v) (z :: mistakes).

Record shard := { share : Q; ends_with : signed_point; errs_on : list signed_point }.
Definition mixed (shards : list shard) : signed_point := flat_map (fun s => times (share s) (ends_with s)) shards.
Definition shared (shards : list shard) : list (Q * signed_point) :=
  flat_map (fun s => map (fun z => (share s, z)) (errs_on s)) shards.

(* The mixed weights, and all mistakes with the shares of their shards. *)
Inductive mixing (points : signed_point -> Prop) : signed_point -> list (Q * signed_point) -> Prop :=
| mixing_starts : mixing points [] []
| mixing_goes_on w mistakes shards : mixing points w mistakes ->
    Forall (fun s => 0 <= share s /\ shard_run points w (ends_with s) (errs_on s)) shards -> total share shards == 1 ->
    mixing points (mixed shards) (shared shards ++ mistakes).

(* For every u: shared mistakes <= shared hinge losses of u + |u| sqrt(shared squared lengths). *)
Definition Mixing_bound : Prop := forall points w mistakes, mixing points w mistakes -> forall u b,
  squared_length_at_most u b ->
  let m := total fst mistakes - total (fun e => fst e * hinge u (snd e)) mistakes in
  0 <= m -> m * m <= b * total (fun e => fst e * squared_length (snd e)) mistakes.

(* With a margin g under u, shared mistakes are at most R |u|^2 / g^2. *)
Definition Mixing_stops : Prop := forall points w mistakes, mixing points w mistakes -> forall u b g R,
  squared_length_at_most u b -> 0 < g -> (forall z, points z -> g <= dot u z) ->
  (forall z, points z -> squared_length z <= R) -> 0 <= R -> total fst mistakes * (g * g) <= R * b.

(* -- The stream certificate. A round has a loss, weights,
  and a vector that bounds the loss from below (a subgradient). *)

Record round := { loss : weights -> Q; played : weights; slope : signed_point }.
Definition bounds_below (r : round) : Prop :=
  forall u, loss r (played r) + (dot u (slope r) - dot (played r) (slope r)) <= loss r u.
Definition offset (rounds : list round) : Q :=
  total (fun r => loss r (played r)) rounds - total (fun r => dot (played r) (slope r)) rounds.
Definition slopes (rounds : list round) : signed_point := flat_map slope rounds.

(* No u with |u|^2 <= b has a total loss below offset - sqrt(b) |slopes|; and none at all, with a penalty. *)
Definition Stream_certificate : Prop := forall rounds, Forall bounds_below rounds -> forall u b,
  squared_length_at_most u b ->
  let missing := offset rounds - total (fun r => loss r u) rounds in
  (0 <= missing -> missing * missing <= b * squared_length (slopes rounds)) /\
  forall penalty, 0 < penalty ->
    offset rounds - squared_length (slopes rounds) / (2 * penalty) <= total (fun r => loss r u) rounds + penalty / 2
      * b.

(* -- Adaptive conformal inference. The level moves by g (alpha - error);
  above 1 the set is empty, below 0 everything. *)

Definition error (e : bool) : Q := if e then 1 else 0.
Fixpoint follows (alpha g level : Q) (errors : list bool) : Prop :=
  match errors with
  | [] => True
  | e :: rest => (1 < level -> e = true) /\ (level < 0 ->
    e = false) /\ follows alpha g (level + g * (alpha - error e)) rest
  end.

Definition Conformal_coverage : Prop := forall alpha g level errors, 0 <= alpha <= 1 -> 0 < g -> 0 <= level <= 1 ->
  follows alpha g level errors ->
  let excess := total error errors - alpha * inject_Z (Z.of_nat (length errors)) in
  - (1 - level + g) <= g * excess <= level + g.

(* ---- Products of sums of points *)

Definition inner (a b : signed_point) : Q := dot (value_at a) b.

Lemma inner_app_r a b c : inner a (b ++ c) == inner a b + inner a c.
Proof. apply dot_app. Qed.
Lemma inner_sym a b : inner a b == inner b a.
Proof. apply dot_symmetric. Qed.
Lemma inner_app_l a b c : inner (a ++ b) c == inner a c + inner b c.
Proof. rewrite inner_sym, inner_app_r, !(inner_sym c). reflexivity. Qed.
Lemma inner_times_r c a b : inner a (times c b) == c * inner a b.
Proof. apply dot_times. Qed.
Lemma inner_times_l c a b : inner (times c a) b == c * inner a b.
Proof. rewrite inner_sym, inner_times_r, inner_sym. reflexivity. Qed.

Lemma squared_length_nonneg z : 0 <= squared_length z.
Proof.
  unfold squared_length.
  assert (K : forall e, In e z -> In (fst e) (nodup key_dec (map fst z))) by (intros e I; apply nodup_In, in_map, I).
  rewrite (dot_by_keys _ z _ (NoDup_nodup _ _) K). apply product_square_nonneg.
Qed.

(* 2 <a, b> <= |a|^2 + |b|^2 *)
Lemma inner_at_most a b : 2 * inner a b <= squared_length a + squared_length b.
Proof.
  pose proof (squared_length_nonneg (a ++ times (-1) b)) as H. unfold squared_length in *. fold (inner a a) (inner b b).
  fold (inner (a ++ times (-1) b) (a ++ times (-1) b)) in H.
  rewrite inner_app_r, !inner_app_l, !inner_times_r, !inner_times_l in H. rewrite (inner_sym b a) in H. lra.
Qed.

Lemma total_cons {A} (f : A -> Q) x l : total f (x :: l) == f x + total f l.
Proof. reflexivity. Qed.
Lemma total_app {A} (f : A -> Q) l m : total f (l ++ m) == total f l + total f m.
Proof. unfold total. rewrite map_app. apply sum_app. Qed.

(* ---- Parameter mixing *)

Section Shards.
Variable points : signed_point -> Prop.
Variable u : weights.

Lemma hinge_at_least z : 1 - dot u z <= hinge u z.
Proof. apply Q.le_max_r. Qed.

Lemma run_product w v mistakes : shard_run points w v mistakes ->
  dot u w + total (fun z => 1 - hinge u z) mistakes <= dot u v.
Proof.
  induction 1 as [|v mistakes z H IH P E]; [unfold total; cbn; lra|]. rewrite total_cons, dot_app.
  pose proof (hinge_at_least z). lra.
Qed.

Lemma run_length w v mistakes : shard_run points w v mistakes ->
  squared_length v <= squared_length w + total squared_length mistakes.
Proof.
  induction 1 as [|v mistakes z H IH P E]; [unfold total; cbn; lra|]. rewrite total_cons.
  unfold squared_length at 1. rewrite length_of_sum. fold (squared_length z) (squared_length v). lra.
Qed.

Lemma dot_mixed shards : dot u (mixed shards) == total (fun s => share s * dot u (ends_with s)) shards.
Proof.
  induction shards as [|s shards IH]; [reflexivity|]. cbn [mixed flat_map]. fold (mixed shards).
  rewrite dot_app, dot_times, IH, total_cons. reflexivity.
Qed.

Lemma total_shared f shards : total (fun e => fst e * f (snd e)) (shared shards) ==
  total (fun s => share s * total f (errs_on s)) shards.
Proof.
  assert (one : forall m l, total (fun e => fst e * f (snd e)) (map (fun z => (m, z)) l) == m * total f l).
  { intros m l. induction l as [|z l IH]; [unfold total; cbn; ring|]. cbn [map]. rewrite !total_cons, IH. cbn. ring. }
  induction shards as [|s shards IH]; [reflexivity|]. cbn [shared flat_map]. fold (shared shards).
  rewrite total_app, one, IH, total_cons. reflexivity.
Qed.
End Shards.

(* The squared length is convex. *)
Lemma mixed_length shards : Forall (fun s => 0 <= share s) shards -> total share shards == 1 ->
  squared_length (mixed shards) <= total (fun s => share s * squared_length (ends_with s)) shards.
Proof.
  intros P One. set (w := mixed shards).
  assert (E : squared_length w == total (fun s => share s * inner w (ends_with s)) shards) by (apply dot_mixed).
  assert (H : forall l, Forall (fun s => 0 <= share s) l -> 2 * total (fun s => share s * inner w (ends_with s)) l <=
    total (fun s => share s * squared_length (ends_with s)) l + total share l * squared_length w).
  { induction 1 as [|s l Ps Pl IH]; [unfold total; cbn; lra|]. rewrite !total_cons.
    pose proof (inner_at_most w (ends_with s)). nra. }
  specialize (H shards P). rewrite <- E, One in H. lra.
Qed.

Lemma mixing_products points w mistakes : mixing points w mistakes -> forall u,
  total fst mistakes - total (fun e => fst e * hinge u (snd e)) mistakes <= dot u w /\
  squared_length w <= total (fun e => fst e * squared_length (snd e)) mistakes.
Proof.
  intros M u. induction M as [|w mistakes shards M [IH1 IH2] F One]; [unfold total, squared_length; cbn; split; lra|].
  rewrite !total_app.
  assert (fsts : total fst (shared shards) == total (fun s => share s * total (fun _ => 1) (errs_on s)) shards).
  { rewrite <- (total_shared (fun _ => 1)). unfold total. induction (shared shards) as [|e l IH]; [reflexivity|].
    cbn [map]. unfold sum in *. cbn [fold_right]. rewrite IH. ring. }
  rewrite fsts, (total_shared (hinge u)), (total_shared squared_length), dot_mixed.
  assert (P : Forall (fun s => 0 <= share s) shards) by (eapply Forall_impl; [|exact F]; intros s [H _]; exact H).
  pose proof (mixed_length shards P One) as C.
  assert (H : forall l, Forall (fun s => 0 <= share s /\ shard_run points w (ends_with s) (errs_on s)) l ->
    total share l * dot u w + (total (fun s => share s * total (fun _ => 1) (errs_on s)) l -
      total (fun s => share s * total (hinge u) (errs_on s)) l) <= total (fun s => share s * dot u (ends_with s)) l /\
    total (fun s => share s * squared_length (ends_with s)) l <=
      total share l * squared_length w + total (fun s => share s * total squared_length (errs_on s)) l).
  { induction 1 as [|s l [Ps R] Fl [H1 H2]]; [unfold total; cbn; split; lra|]. rewrite !total_cons.
    pose proof (run_product points u _ _ _ R) as A. pose proof (run_length points _ _ _ R) as B.
    assert (E : total (fun z => 1 - hinge u z) (errs_on s) == total (fun _ => 1) (errs_on s) - total (hinge u)
      (errs_on s)).
    { clear. induction (errs_on s) as [|z l IH]; [reflexivity|]. rewrite !total_cons, IH. ring. }
    rewrite E in A. split; nra. }
  destruct (H shards F) as [H1 H2]. rewrite One in H1, H2. split; lra.
Qed.

Theorem mixing_bound : Mixing_bound.
Proof.
  intros points w mistakes M u b B m H. destruct (mixing_products points w mistakes M u) as [P L].
  pose proof (entries_cauchy_schwarz u w b B) as C. fold (squared_length w) in C.
  assert (B0 : 0 <= b) by (exact (B [] (NoDup_nil _))). subst m.
  set (m := total fst mistakes - _) in *. set (x := total (fun e => fst e * squared_length (snd e)) mistakes) in *.
  assert (m * m <= dot u w * dot u w) by nra. assert (b * squared_length w <= b * x) by nra. lra.
Qed.

(* Scaling u turns the margin g into 1, and then no hinge loss is left: here the proof goes without scaling. *)
Lemma mixing_points points w mistakes : mixing points w mistakes ->
  Forall (fun e => 0 <= fst e /\ points (snd e)) mistakes.
Proof.
  assert (run : forall w v l, shard_run points w v l -> Forall points l) by (induction 1; constructor; assumption).
  induction 1 as [|w mistakes shards M IH F One]; [constructor|]. apply Forall_app. split; [|exact IH].
  clear IH One M. induction F as [|s l [P R] F IH]; [constructor|]. cbn [shared flat_map]. apply Forall_app.
    split; [|exact IH].
  apply run in R. clear - P R. induction R as [|z l Z R IH]; constructor; auto.
Qed.

Theorem mixing_stops : Mixing_stops.
Proof.
  intros points w mistakes M u b g R B G Margin Radius R0.
  pose proof (mixing_points points w mistakes M) as In.
  set (v := fun k j => u k j * / g).
  assert (Gn : ~ g == 0) by lra.
  assert (dv : forall z, dot v z == dot u z * / g).
  { intros z. induction z as [|[[k j] x] z IH]; [rewrite !dot_nil; ring|]. rewrite !dot_cons, IH. unfold v. ring. }
  assert (Bv : squared_length_at_most v (b * (/ g * / g))).
  { intros keys U. specialize (B keys U).
    assert (E : sum (map (fun '(k, j) => v k j * v k j) keys) == sum (map (fun '(k,
      j) => u k j * u k j) keys) * (/ g * / g)).
    { clear B U. unfold sum. induction keys as [|[k j] keys IH]; cbn; [ring|]. cbn in IH. rewrite IH. unfold v. ring. }
    rewrite E. assert (0 < / g) by (apply Qinv_lt_0_compat, G). nra. }
  assert (no_loss : total (fun e => fst e * hinge v (snd e)) mistakes == 0).
  { clear M. induction In as [|e l [P Z] F IH]; [reflexivity|]. rewrite total_cons, IH.
    assert (H : hinge v (snd e) == 0).
    { unfold hinge. apply Q.max_l. rewrite dv. specialize (Margin _ Z).
      assert (E : dot u (snd e) * / g * g == dot u (snd e)) by (field; exact Gn).
      assert (1 <= dot u (snd e) * / g) by (apply (Qmult_le_r _ _ g G); rewrite E; lra). lra. }
    rewrite H. ring. }
  assert (lengths : total (fun e => fst e * squared_length (snd e)) mistakes <= R * total fst mistakes).
  { clear M no_loss. induction In as [|e l [P Z] F IH]; [unfold total; cbn; lra|]. rewrite !total_cons.
    specialize (Radius _ Z). nra. }
  assert (N : 0 <= total fst mistakes).
  { clear - In. induction In as [|e l [P Z] F IH]; [apply Qle_refl|]. rewrite total_cons. lra. }
  pose proof (mixing_bound points w mistakes M v _ Bv) as C. cbv zeta in C. rewrite no_loss in C.
  set (m := total fst mistakes) in *. set (x := total (fun e => fst e * squared_length (snd e)) mistakes) in *.
  assert (C' : m * m <= b * (/ g * / g) * x) by (assert (0 <= m - 0) by lra; specialize (C H); lra). clear C.
  assert (B0 : 0 <= b) by (exact (B [] (NoDup_nil _))).
  assert (I : 0 < / g) by (apply Qinv_lt_0_compat, G).
  destruct (Qlt_le_dec 0 m) as [Pm|Zm]; [|assert (E : m == 0) by lra; rewrite E; nra].
  assert (D : m * (m * (g * g)) <= m * (R * b)).
  { assert (E : m * m * (g * g) <= b * (/ g * / g) * x * (g * g)) by nra.
    assert (F : b * (/ g * / g) * x * (g * g) == b * x) by (field; exact Gn). rewrite F in E. nra. }
  apply (Qmult_le_l _ _ m); assumption.
Qed.

(* ---- The stream certificate *)

Lemma losses_at_least rounds u : Forall bounds_below rounds ->
  offset rounds + dot u (slopes rounds) <= total (fun r => loss r u) rounds.
Proof.
  unfold offset. induction 1 as [|r rounds H F IH]; [unfold total; cbn; lra|].
  rewrite !total_cons. cbn [slopes flat_map]. fold (slopes rounds). rewrite dot_app. specialize (H u). lra.
Qed.

Theorem stream_certificate : Stream_certificate.
Proof.
  intros rounds F u b B missing. pose proof (losses_at_least rounds u F) as L.
  pose proof (entries_cauchy_schwarz u (slopes rounds) b B) as C. fold (squared_length (slopes rounds)) in C.
  pose proof (squared_length_nonneg (slopes rounds)) as S. assert (B0 : 0 <= b) by (exact (B [] (NoDup_nil _))).
  subst missing. set (x := dot u (slopes rounds)) in *. set (s := squared_length (slopes rounds)) in *.
  set (t := total (fun r => loss r u) rounds) in *. set (o := offset rounds) in *. split.
  - intros H. nra.
  - intros p P.
    assert (K : - (2 * p * x) <= s + p * p * b).
    { apply Qnot_lt_le. intros N.
      assert (PB : 0 <= p * p * b) by (apply Qmult_le_0_compat; [apply square_nonneg|exact B0]).
      assert (0 < (- (2 * p * x) - (s + p * p * b)) * (- (2 * p * x) + (s + p * p * b))) by (apply Qmult_lt_0_compat;
        lra).
      assert (X : p * p * (x * x) <= p * p * (b * s)).
      { rewrite (Qmult_comm (p * p) (x * x)), (Qmult_comm (p * p) (b * s)).
        apply Qmult_le_compat_r; [exact C|apply square_nonneg]. }
      pose proof (square_nonneg (s - p * p * b)). lra. }
    assert (E : s / (2 * p) + p / 2 * b == (s + p * p * b) / (2 * p)) by (field; lra).
    assert (Q : - x <= (s + p * p * b) / (2 * p)).
    { apply (Qmult_le_r _ _ (2 * p)); [lra|].
      assert (E' : (s + p * p * b) / (2 * p) * (2 * p) == s + p * p * b) by (field; lra). rewrite E'. lra. }
    lra.
Qed.

(* A round of the hinge loss: the slope is -z where the loss is positive. *)
Definition hinge_round (w : weights) (z : signed_point) : round :=
  {| loss := fun u => hinge u z; played := w; slope := if less (dot w z) 1 then times (-1) z else [] |}.

Theorem hinge_is_bounded_below w z : bounds_below (hinge_round w z).
Proof.
  intros u. unfold hinge_round. cbn [loss played slope]. destruct (less (dot w z) 1) eqn:E.
  - apply less_spec in E. rewrite !dot_times. pose proof (hinge_at_least u z).
    assert (H' : hinge w z == 1 - dot w z) by (apply Q.max_r; lra). rewrite H'. lra.
  - apply less_false in E. rewrite (dot_nil u), (dot_nil w). assert (H : hinge w z == 0) by (apply Q.max_l; lra).
    rewrite H.
    pose proof (Q.le_max_l 0 (1 - dot u z)) as G. fold (hinge u z) in G. lra.
Qed.

(* ---- Conformal coverage *)

Lemma level_stays alpha g errors : 0 <= alpha <= 1 -> 0 < g -> forall level, - g <= level <= 1 + g ->
  follows alpha g level errors ->
  let last := level + g * (alpha * inject_Z (Z.of_nat (length errors)) - total error errors) in
  - g <= last <= 1 + g.
Proof.
  intros A G. induction errors as [|e errors IH]; intros level L F; cbv zeta.
  - assert (E : inject_Z (Z.of_nat (length (@nil bool))) == 0) by reflexivity.
    assert (E' : total error [] == 0) by reflexivity. rewrite E, E'. lra.
  - destruct F as (High & Low & F). rewrite total_cons.
    assert (N : inject_Z (Z.of_nat (length (e :: errors))) == 1 + inject_Z (Z.of_nat (length errors))).
    { cbn [length]. rewrite Nat2Z.inj_succ. unfold Z.succ. rewrite inject_Z_plus. ring. }
    rewrite N. assert (step : - g <= level + g * (alpha - error e) <= 1 + g).
    { unfold error. destruct (Qlt_le_dec 1 level) as [H|H]; [rewrite (High H); nra|].
      destruct (Qlt_le_dec level 0) as [K|K]; [rewrite (Low K); nra|]. destruct e; nra. }
    specialize (IH _ step F). cbv zeta in IH. lra.
Qed.

Theorem conformal_coverage : Conformal_coverage.
Proof.
  intros alpha g level errors A G L F excess.
  pose proof (level_stays alpha g errors A G level) as H. cbv zeta in H.
  assert (L' : - g <= level <= 1 + g) by lra. specialize (H L' F). subst excess. lra.
Qed.
