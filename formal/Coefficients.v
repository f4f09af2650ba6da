(* Which coefficients of a logistic fit are infinite: what a certificate of it would have to show, and that it suffices.

   A direction v with <v, z> >= 0 on all signed points raises the likelihood for ever, or leaves it as it is where all
   products are 0 (Albert and Anderson 1984). A coefficient is infinite if such a direction moves it, and finite if none
   does. The overlap are points with positive weights that add up to 0: every direction is 0 on them. *)

From Coq Require Import List ZArith NArith QArith Lia Lqa.
Require Import Statements Decimals Algebra Checker Measure Mistakes.
Import ListNotations.

(* ---- The claims *)

Definition recedes (points : list signed_point) (v : weights) : Prop := forall z, In z points -> 0 <= dot v z.

(* A sum of points with weights, as products with any weights see it. *)
Definition combined (w : weights) (l : list (Q * signed_point)) : Q := sum (map (fun e => fst e * dot w (snd e)) l).
Definition adds_up_to_zero (l : list (Q * signed_point)) : Prop := forall w, combined w l == 0.
Definition adds_up_to (k : nat) (j : N) (l : list (Q * signed_point)) : Prop := forall w, combined w l == w k j.

Definition overlaps (points : list signed_point) (l : list (Q * signed_point)) : Prop :=
  adds_up_to_zero l /\ Forall (fun e => 0 < fst e /\ In (snd e) points) l.
Definition within (l m : list (Q * signed_point)) : Prop := forall e, In e m -> In (snd e) (map snd l).

(* No direction moves the coefficient: it is a combination of the overlap. *)
Definition Finite_coefficient : Prop := forall points overlap proof k j,
  overlaps points overlap -> within overlap proof -> adds_up_to k j proof -> forall v, recedes points v -> v k j == 0.

(* No direction lowers it: a combination with weights >= 0 outside of the overlap. *)
Definition Never_minus_infinite : Prop := forall points overlap proof k j,
  overlaps points overlap ->
  Forall (fun e => In (snd e) (map snd overlap) \/ (0 <= fst e /\ In (snd e) points)) proof ->
  adds_up_to k j proof -> forall v, recedes points v -> 0 <= v k j.

(* A direction moves it: v is positive outside of the overlap, u is 0 on the overlap and moves the coefficient. *)
Definition Infinite_coefficient : Prop := forall points (inside : signed_point -> bool) u v k j,
  (forall z, In z points -> if inside z then dot v z == 0 /\ dot u z == 0 else 0 < dot v z) -> ~ u k j == 0 ->
  exists direction, recedes points direction /\ ~ direction k j == 0.

(* ---- The proofs *)

Lemma combined_cons w m z l : combined w ((m, z) :: l) == m * dot w z + combined w l.
Proof. reflexivity. Qed.

Lemma overlap_is_flat points l v : overlaps points l -> recedes points v -> forall z, In z (map snd l) -> dot v z == 0.
Proof.
  intros [Zero F] R. specialize (Zero v).
  assert (G : Forall (fun e => 0 < fst e /\ 0 <= dot v (snd e)) l).
  { eapply Forall_impl; [|exact F]. intros e [P I]. split; [exact P|apply R, I]. }
  assert (nonneg : forall l, Forall (fun e => 0 < fst e /\ 0 <= dot v (snd e)) l -> 0 <= combined v l).
  { induction 1 as [|[m z] l' [P D] F' IH]; [unfold combined; cbn; lra|]. rewrite combined_cons. cbn [fst snd] in *.
    nra. }
  clear F. induction G as [|[m z] l' [P D] F' IH]; [intros ? []|]. cbn [fst snd] in *. rewrite combined_cons in Zero.
  pose proof (nonneg l' F') as N. assert (M : 0 <= m * dot v z) by nra.
  assert (E : m * dot v z == 0) by lra. assert (E' : combined v l' == 0) by lra.
  intros y [<-|I]; [|exact (IH E' y I)]. cbn [snd]. apply Qmult_integral in E as [E|E]; [lra|exact E].
Qed.

Theorem finite_coefficient : Finite_coefficient.
Proof.
  intros points overlap proof k j O W A v R. rewrite <- (A v). clear A.
  induction proof as [|[m z] proof IH]; [reflexivity|].
    rewrite combined_cons, IH by (intros e I; apply W; right; exact I).
  rewrite (overlap_is_flat points overlap v O R z) by (apply (W (m, z)); left; reflexivity). ring.
Qed.

Theorem never_minus_infinite : Never_minus_infinite.
Proof.
  intros points overlap proof k j O W A v R. rewrite <- (A v). clear A.
  induction W as [|[m z] proof H F IH]; [apply Qle_refl|]. rewrite combined_cons. cbn [fst snd] in H.
    destruct H as [H|[P I]].
  - rewrite (overlap_is_flat points overlap v O R z H). lra.
  - specialize (R z I). nra.
Qed.

(* So small a step along u keeps what is positive. *)
Lemma small_step u v points : Forall (fun z => 0 < dot v z) points ->
  exists e, 0 < e /\ Forall (fun z => 0 <= dot v z + e * dot u z) points.
Proof.
  induction 1 as [|z points P F (e & Pe & He)]; [exists 1; split; [reflexivity|constructor]|].
  destruct (Qlt_le_dec (dot v z + e * dot u z) 0) as [N|N]; [|exists e; split; [exact Pe|constructor; assumption]].
  assert (D : dot u z < 0) by nra.
  set (x := - dot u z) in *. assert (Px : 0 < x) by (subst x; lra).
  exists (dot v z / x). assert (Pd : 0 < dot v z / x) by (apply Qlt_shift_div_l; lra). split; [exact Pd|].
  assert (Le : dot v z / x <= e) by (apply Qle_shift_div_r; [exact Px|subst x; lra]).
  constructor.
  - assert (E : dot v z + dot v z / x * dot u z == 0) by (subst x; field; lra). rewrite E. apply Qle_refl.
  - rewrite Forall_forall in F, He |- *. intros y I. specialize (He y I). specialize (F y I).
    destruct (Qlt_le_dec (dot u y) 0) as [M|M]; nra.
Qed.

Theorem infinite_coefficient : Infinite_coefficient.
Proof.
  intros points inside u v k j H U.
  assert (Rv : recedes points v).
  { intros z I. specialize (H z I). destruct (inside z); [destruct H as [H _]; rewrite H; apply Qle_refl|lra]. }
  destruct (Qeq_dec (v k j) 0) as [Z|N]; [|exists v; split; assumption].
  destruct (small_step u v (filter (fun z => negb (inside z)) points)) as (e & Pe & He).
  { apply Forall_forall. intros z I. apply filter_In in I as [I N]. specialize (H z I).
    destruct (inside z); [discriminate|exact H]. }
  exists (fun k j => v k j + e * u k j). split.
  - intros z I.
    assert (E : dot (fun k j => v k j + e * u k j) z == dot v z + e * dot u z).
    { clear. induction z as [|[[k j] x] z IH]; [rewrite !(dot_nil _); ring|]. rewrite !dot_cons, IH. ring. }
    rewrite E. specialize (H z I). destruct (inside z) eqn:In_z.
    + destruct H as [Hv Hu]. rewrite Hv, Hu. lra.
    + rewrite Forall_forall in He. apply He, filter_In. rewrite In_z. auto.
  - rewrite Z. intros E. apply U. assert (P : e * u k j == 0) by lra. apply Qmult_integral in P as [P|P]; [lra|exact P].
Qed.
