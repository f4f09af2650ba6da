(* Novikoff's bound: weights u with <u, z> >= g > 0 on all points limit the perceptron's updates to R^2 |u|^2 / g^2.

   After n updates the perceptron's weights w, a sum of points, have <u, w> >= n g and |w|^2 <= n R^2. *)

From Coq Require Import Ascii List FinFun ZArith NArith QArith Lia Lqa.
Require Import Statements Decimals Tries Reading Algebra Checker Measure.
Import ListNotations.

(* ---- Products of sums *)

Definition at_key (k : nat) (j : N) (v : Q) : weights :=
  fun k' j' => if (Nat.eqb k' k && N.eqb j' j)%bool then v else 0.

Lemma value_at_cons k j v z k' j' : value_at ((k, j, v) :: z) k' j' == at_key k j v k' j' + value_at z k' j'.
Proof. reflexivity. Qed.

Lemma dot_sum f g h z : (forall k j, h k j == f k j + g k j) -> dot h z == dot f z + dot g z.
Proof.
  intros H. induction z as [|[[k j] v] z IH]; [rewrite !dot_nil; ring|]. rewrite !dot_cons, IH, H. ring.
Qed.

Lemma dot_at_key k j v z : dot (at_key k j v) z == v * value_at z k j.
Proof.
  induction z as [|[[k' j'] v'] z IH]; [rewrite dot_nil; unfold value_at; cbn; ring|].
  rewrite dot_cons, value_at_cons, IH. unfold at_key. rewrite (Nat.eqb_sym k' k), (N.eqb_sym j' j).
  destruct (Nat.eqb k k' && N.eqb j j')%bool; ring.
Qed.

Lemma dot_value_at_cons k j v a b : dot (value_at ((k, j, v) :: a)) b == v * value_at b k j + dot (value_at a) b.
Proof.
  rewrite (dot_sum (at_key k j v) (value_at a)); [|intros; apply value_at_cons]. rewrite dot_at_key. reflexivity.
Qed.

Lemma dot_symmetric a b : dot (value_at a) b == dot (value_at b) a.
Proof.
  induction a as [|[[k j] v] a IH].
  - rewrite dot_nil. induction b as [|[[k j] v] b IH]; [reflexivity|]. rewrite dot_cons, IH. unfold value_at. cbn. ring.
  - rewrite dot_value_at_cons, dot_cons, IH. ring.
Qed.

Lemma length_of_sum a b : dot (value_at (a ++ b)) (a ++ b) ==
  dot (value_at a) a + 2 * dot (value_at b) a + dot (value_at b) b.
Proof.
  rewrite dot_app, (dot_symmetric (a ++ b) a), (dot_symmetric (a ++ b) b), !dot_app, (dot_symmetric a b). ring.
Qed.

(* ---- Cauchy and Schwarz for a list of entries *)

Definition key_dec (a b : nat * N) : {a = b} + {a <> b}.
Proof. decide equality; [apply N.eq_dec|apply Nat.eq_dec]. Defined.

Definition weight_of (f : weights) (key : nat * N) : Q := f (fst key) (snd key).

Lemma product_at_key f k j v keys : NoDup keys -> In (k, j) keys ->
  product (weight_of f) (weight_of (at_key k j v)) keys == f k j * v.
Proof.
  assert (away : forall l, ~ In (k, j) l -> product (weight_of f) (weight_of (at_key k j v)) l == 0).
  { induction l as [|[k' j'] l IH]; intros N; [reflexivity|].
    rewrite product_cons, IH by (intros I; apply N; right; exact I).
    unfold weight_of, at_key. cbn [fst snd].
    destruct (Nat.eqb_spec k' k) as [->|]; [|cbn; ring]. destruct (N.eqb_spec j' j) as [->|]; [|cbn; ring].
    exfalso. apply N. left. reflexivity. }
  induction 1 as [|[k' j'] l N U IH]; intros I; [destruct I|]. rewrite product_cons. destruct I as [[= -> ->]|I].
  - rewrite away by exact N. unfold weight_of, at_key. cbn [fst snd]. rewrite Nat.eqb_refl, N.eqb_refl. cbn. ring.
  - rewrite IH by exact I. unfold weight_of, at_key. cbn [fst snd].
    destruct (Nat.eqb_spec k' k) as [->|]; [|cbn; ring]. destruct (N.eqb_spec j' j) as [->|]; [|cbn; ring].
      contradiction.
Qed.

Lemma product_sum {I} (f g h k : I -> Q) l : (forall i, h i == g i + k i) ->
  product f h l == product f g l + product f k l.
Proof.
  intros H. induction l as [|i l IH]; [rewrite !product_nil; ring|]. rewrite !product_cons, IH, H. ring.
Qed.

Lemma once_apart (l keys : list (nat * N)) : NoDup l -> NoDup keys -> (forall i, In i l -> ~ In i keys) ->
  NoDup (l ++ keys).
Proof.
  intros L U A. induction L as [|i l N L IH]; [exact U|]. cbn [app]. constructor.
  - rewrite in_app_iff. intros [I|I]; [exact (N I)|]. exact (A i (or_introl eq_refl) I).
  - apply IH. intros i' I. apply A. right. exact I.
Qed.

Lemma dot_by_keys f z keys : NoDup keys -> (forall e, In e z -> In (fst e) keys) ->
  dot f z == product (weight_of f) (weight_of (value_at z)) keys.
Proof.
  intros U. induction z as [|[[k j] v] z IH]; intros H.
  - rewrite dot_nil. clear. induction keys as [|[k j] keys IH]; [reflexivity|]. rewrite product_cons, <- IH.
    unfold weight_of, value_at. cbn. ring.
  - rewrite dot_cons, IH by (intros e I; apply H; right; exact I).
    rewrite (product_sum (weight_of f) (weight_of (at_key k j v)) (weight_of (value_at ((k, j,
      v) :: z))) (weight_of (value_at z))).
    + rewrite product_at_key; [reflexivity|exact U|]. apply (H (k, j, v)). left. reflexivity.
    + intros [k' j']. apply value_at_cons.
Qed.

Lemma entries_cauchy_schwarz u z b : squared_length_at_most u b -> dot u z * dot u z <= b * dot (value_at z) z.
Proof.
  intros H. set (keys := nodup key_dec (map fst z)).
  assert (U : NoDup keys) by apply NoDup_nodup.
  assert (I : forall e, In e z -> In (fst e) keys) by (intros e I; apply nodup_In, in_map, I).
  rewrite (dot_by_keys u z keys U I), (dot_by_keys (value_at z) z keys U I).
  pose proof (cauchy_schwarz (weight_of u) (weight_of (value_at z)) keys) as C.
  specialize (H keys U).
  assert (E : sum (map (fun '(k, j) => u k j * u k j) keys) == product (weight_of u) (weight_of u) keys).
  { clear. induction keys as [|[k j] keys IH]; [reflexivity|]. rewrite product_cons, <- IH. reflexivity. }
  rewrite E in H. pose proof (product_square_nonneg (weight_of (value_at z)) keys) as P.
  set (s := product (weight_of (value_at z)) _ keys) in *. nra.
Qed.

(* ---- The bound *)

Definition count (n : N) : Q := inject_Z (Z.of_N n).

Lemma count_succ n : count (n + 1) == count n + 1.
Proof. unfold count. rewrite N2Z.inj_add, inject_Z_plus. reflexivity. Qed.
Lemma count_nonneg n : 0 <= count n.
Proof. unfold count. change 0 with (inject_Z 0). rewrite <- Zle_Qle. lia. Qed.

Theorem novikoff d rows u b g R : squared_length_at_most u b -> 0 < g -> 0 <= R ->
  (forall z, in_question d rows z -> g <= dot u z) -> (forall z, in_question d rows z -> dot (value_at z) z <= R) ->
  forall w n, perceptron d rows w n -> count n * (g * g) <= R * b.
Proof.
  intros B G R0 M Rad w n H.
  assert (I : count n * g <= dot u w /\ dot (value_at w) w <= count n * R).
  { induction H as [|w n z H (I1 & I2) Z L].
    - rewrite (dot_nil u), (dot_nil (value_at [])). assert (E : count 0 == 0) by reflexivity. rewrite E. split; lra.
    - rewrite dot_app, length_of_sum, count_succ. specialize (M z Z). specialize (Rad z Z). split; lra. }
  destruct I as (I1 & I2). pose proof (entries_cauchy_schwarz u w b B) as C.
  pose proof (count_nonneg n) as N0. set (c := count n) in *.
  assert (B0 : 0 <= b) by (specialize (B [] (NoDup_nil _)); exact B).
  destruct (Qlt_le_dec 0 c) as [P|P]; [|assert (c == 0) by lra; rewrite H0; nra].
  assert (S : (c * g) * (c * g) <= dot u w * dot u w) by (assert (0 <= c * g) by nra; nra).
  assert (T : b * dot (value_at w) w <= b * (c * R)) by nra.
  assert (V : c * (c * (g * g)) <= c * (R * b)) by lra.
  apply (Qmult_le_l _ _ c); assumption.
Qed.

(* ---- The length of a row's points *)

Definition entry_squares (z : signed_point) : Q := sum (map (fun '(_, _, v) => v * v) z).

Lemma value_of_single_entry z k j v : NoDup (map fst z) -> In (k, j, v) z -> value_at z k j == v.
Proof.
  assert (away : forall l, ~ In (k, j) (map fst l) -> value_at l k j == 0).
  { induction l as [|[[k' j'] v'] l IH]; intros N; [reflexivity|].
    rewrite value_at_cons, IH by (intros I; apply N; right; exact I).
    unfold at_key. destruct (Nat.eqb_spec k k') as [->|]; [|cbn; ring].
      destruct (N.eqb_spec j j') as [->|]; [|cbn; ring].
    exfalso. apply N. left. reflexivity. }
  induction z as [|[[k' j'] v'] z IH]; intros U I; [destruct I|]. inversion_clear U as [|? ? N U'].
    rewrite value_at_cons.
  destruct I as [[= -> -> ->]|I].
  - rewrite away by exact N. unfold at_key. rewrite Nat.eqb_refl, N.eqb_refl. cbn. ring.
  - rewrite IH by assumption. unfold at_key.
    destruct (Nat.eqb_spec k k') as [->|]; [|cbn; ring]. destruct (N.eqb_spec j j') as [->|]; [|cbn; ring].
    exfalso. apply N. apply in_map_iff. exists (k', j', v). auto.
Qed.

Lemma length_is_squares z : NoDup (map fst z) -> dot (value_at z) z == entry_squares z.
Proof.
  intros U. assert (H : forall k j v, In (k, j, v) z ->
    value_at z k j == v) by (intros; apply value_of_single_entry; assumption).
  revert H. generalize (value_at z). clear U. intros f. induction z as [|[[k j] v] z IH]; intros H; [reflexivity|].
  rewrite dot_cons, IH by (intros; apply H; right; assumption). rewrite (H k j v) by (left; reflexivity). reflexivity.
Qed.

Lemma place_squares k c x : entry_squares (place k c x) == c * c * entry_squares (place 0 1 x).
Proof.
  induction x as [|[j v] x IH]; [unfold entry_squares; cbn; ring|]. cbn [place map].
  assert (E : forall k j v z, entry_squares ((k, j, v) :: z) == v * v + entry_squares z) by reflexivity.
  rewrite !E. fold (place k c x) (place 0 1 x). rewrite IH. ring.
Qed.

Lemma squares_app a b : entry_squares (a ++ b) == entry_squares a + entry_squares b.
Proof. unfold entry_squares. rewrite map_app. apply sum_app. Qed.

Lemma place_keys k c x : map fst (place k c x) = map (fun j => (k, j)) (map fst x).
Proof. unfold place. rewrite !map_map. apply map_ext. intros [j v]. reflexivity. Qed.

Lemma place_once k c x : NoDup (map fst x) -> NoDup (map fst (place k c x)).
Proof. intros U. rewrite place_keys. apply Injective_map_NoDup; [intros i j E; congruence|exact U]. Qed.

Lemma places_once k k' c c' x : k <> k' -> NoDup (map fst x) -> NoDup (map fst (place k c x ++ place k' c' x)).
Proof.
  intros N U. rewrite map_app. pose proof (place_once k c x U) as A. pose proof (place_once k' c' x U) as B.
  assert (K : forall i, In i (map fst (place k c x)) -> ~ In i (map fst (place k' c' x))).
  { intros i. rewrite !place_keys, !in_map_iff. intros (j & <- & _) (j' & E & _). congruence. }
  revert A K. generalize (map fst (place k c x)). induction l as [|i l IH]; intros A K; [exact B|].
  inversion_clear A as [|? ? M A']. cbn [app]. constructor.
  - rewrite in_app_iff. intros [I|I]; [exact (M I)|]. apply (K i); [left; reflexivity|exact I].
  - apply IH; [exact A'|]. intros i' I. apply K. right. exact I.
Qed.

Lemma length_of_cells x y : same_point x y -> value (length_of x) == entry_squares (place 0 1 y).
Proof.
  intros S. unfold length_of.
  assert (E : forall s, value (fold_left (fun s '(_,
    v) => add s (multiply v v)) x s) == value s + entry_squares (place 0 1 y)).
  { induction S as [|[p v] [j q] x y [P V] S IH]; intros s; cbn [fold_left].
    - unfold entry_squares. cbn. ring.
    - rewrite IH, value_add, value_multiply. cbn [fst snd] in V. rewrite V. cbn [place map]. fold (place 0 1 y).
      assert (E : forall k j v z, entry_squares ((k, j, v) :: z) == v * v + entry_squares z) by reflexivity.
        rewrite E. ring. }
  rewrite E, value_of_zero. ring.
Qed.

Definition point_factor (d : description) : Q := match asked d with Two_classes => 1 | Many_classes => 2 end.

Lemma point_length d r z : NoDup (map fst (values r)) -> In z (signed_points d r) ->
  dot (value_at z) z == point_factor d * entry_squares (place 0 1 (values r)).
Proof.
  intros U. unfold signed_points, point_factor. destruct (class r) as [k|]; [|intros []]. destruct (asked d).
  - intros [<-|[]]. rewrite length_is_squares by (apply place_once, U). rewrite place_squares.
    destruct (Nat.eqb k 1); ring.
  - intros I. apply in_map_iff in I as (rival & <- & I). apply filter_In in I as [_ N].
    rewrite length_is_squares.
    + rewrite squares_app, (place_squares k), (place_squares rival). ring.
    + apply places_once; [|exact U]. intros ->. rewrite Nat.eqb_refl in N. discriminate.
Qed.

(* ---- The squared length of a separator *)

Lemma sum_map_cons {I} (f : I -> Q) i l : sum (map f (i :: l)) == f i + sum (map f l).
Proof. reflexivity. Qed.

Lemma subset_of_squares (f : nat * N -> Q) keys : NoDup keys -> (forall i, 0 <= f i) -> forall every,
  (forall i, In i keys -> f i == 0 \/ In i every) -> sum (map f keys) <= sum (map f every).
Proof.
  intros U P. induction U as [|i keys N U IH]; intros every H.
  - cbn. clear H. induction every as [|i every IH]; cbn; [apply Qle_refl|]. unfold sum in IH. cbn in IH.
    specialize (P i). lra.
  - rewrite sum_map_cons.
    destruct (H i) as [Z|I]; [left; reflexivity| |].
    + rewrite Z. assert (sum (map f keys) <= sum (map f every)) by (apply IH; intros x J; apply H; right; exact J). lra.
    + apply in_split in I as (front & back & ->). rewrite map_app, sum_app, sum_map_cons.
      assert (sum (map f keys) <= sum (map f (front ++ back))).
      { apply IH. intros x J. destruct (H x) as [Z|K]; [right; exact J|left; exact Z|]. right.
        rewrite in_app_iff in *. cbn in K. destruct K as [K|[<-|K]]; auto. contradiction. }
      rewrite map_app, sum_app in H0. lra.
Qed.

Fixpoint row_keys (k : nat) (j : N) (v : list Z) : list (nat * N) :=
  match v with [] => [] | _ :: rest => (k, j) :: row_keys k (j + 1) rest end.
Fixpoint all_keys (k : nat) (l : list (list Z)) : list (nat * N) :=
  match l with [] => [] | v :: rest => row_keys k 0 v ++ all_keys (S k) rest end.

Lemma in_row_keys k v : forall j i, (i < length v)%nat -> In (k, (j + N.of_nat i)%N) (row_keys k j v).
Proof.
  induction v as [|x v IH]; intros j i L; cbn in *; [lia|]. destruct i as [|i].
  - left. f_equal. lia.
  - right. replace (j + N.of_nat (S i))%N with (j + 1 + N.of_nat i)%N by lia. apply IH. lia.
Qed.

Lemma in_all_keys l : forall k i j, (i < length l)%nat -> (N.to_nat j < length (nth i l []))%nat ->
  In ((k + i)%nat, j) (all_keys k l).
Proof.
  induction l as [|v l IH]; intros k i j L M; cbn in *; [lia|]. apply in_or_app. destruct i as [|i].
  - left. rewrite Nat.add_0_r. replace j with (0 + N.of_nat (N.to_nat j))%N by lia. apply in_row_keys, M.
  - right. replace (k + S i)%nat with (S k + i)%nat by lia. apply IH; [lia|exact M].
Qed.

Lemma squares_of_row (f : nat * N -> Q) k v : forall j (g : nat -> Z),
  (forall i, (i < length v)%nat -> f (k, (j + N.of_nat i)%N) == inject_Z (nth i v 0%Z) * inject_Z (nth i v 0%Z)) ->
    forall n,
  inject_Z n + sum (map f (row_keys k j v)) == inject_Z (fold_left (fun n x => n + x * x)%Z v n).
Proof.
  induction v as [|x v IH]; intros j g H n; cbn [row_keys fold_left]; [cbn; ring|].
  rewrite sum_map_cons.
  pose proof (H 0%nat) as H0. cbn [length nth] in H0. rewrite N.add_0_r in H0. rewrite H0 by lia.
  rewrite <- (IH (j + 1)%N g).
  - rewrite inject_Z_plus, inject_Z_mult. ring.
  - intros i L. replace (j + 1 + N.of_nat i)%N with (j + N.of_nat (S i))%N by lia. rewrite H by (cbn; lia). reflexivity.
Qed.

Lemma squares_of_all (f : nat * N -> Q) l : forall k,
  (forall i j, (i < length l)%nat -> f ((k + i)%nat,
    j) == inject_Z (nth (N.to_nat j) (nth i l []) 0%Z) * inject_Z (nth (N.to_nat j) (nth i l []) 0%Z)) -> forall n,
  inject_Z n + sum (map f (all_keys k l)) == inject_Z (fold_left (fun n v => fold_left (fun n x => n + x * x)%Z v n)
    l n).
Proof.
  induction l as [|v l IH]; intros k H n; cbn [all_keys map fold_left]; [cbn; ring|].
  rewrite map_app, sum_app, <- (IH (S k)).
  - rewrite <- (squares_of_row f k v 0%N (fun _ => 0%Z)); [ring|].
    intros i L. specialize (H 0%nat (0 + N.of_nat i)%N). rewrite Nat.add_0_r in H. rewrite H by (cbn; lia).
    cbn [nth]. rewrite N.add_0_l, Nat2N.id. reflexivity.
  - intros i j L. specialize (H (S i) j). replace (S k + i)%nat with (k + S i)%nat by lia. rewrite H by (cbn; lia).
    reflexivity.
Qed.

Theorem norm_bounds_length s : squared_length_at_most (weights_of s) (inject_Z (norm_of s)).
Proof.
  intros keys U. set (w := weights_of s). set (f := fun key : nat * N => weight_of w key * weight_of w key).
  assert (E : forall l, sum (map (fun '(k, j) => w k j * w k j) l) == sum (map f l)).
  { induction l as [|[k j] l IH]; [reflexivity|]. unfold sum in *. cbn [map fold_right]. rewrite IH. reflexivity. }
  rewrite E. unfold norm_of. rewrite <- (squares_of_all f (vectors s) 0).
  - change (inject_Z 0) with 0. rewrite Qplus_0_l. apply subset_of_squares; [exact U|intros i; apply square_nonneg|].
    intros [k j] _. unfold f, weight_of, w, weights_of. cbn [fst snd].
    destruct (Nat.ltb_spec k (length (vectors s))) as [Lk|Lk].
    + destruct (Nat.ltb_spec (N.to_nat j) (length (nth k (vectors s) []))) as [Lj|Lj].
      * right. apply (in_all_keys (vectors s) 0 k j Lk Lj).
      * left. rewrite nth_overflow by exact Lj. reflexivity.
    + left. rewrite (nth_overflow (vectors s) []) by exact Lk. destruct (N.to_nat j); reflexivity.
  - intros i j L. reflexivity.
Qed.
