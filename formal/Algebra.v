(* The mathematics of claims: weighted sums of signed points, and Cauchy and Schwarz.

   A vector is a list of entries; its sum by coordinate is kept in tries, one for each block. A sum that is 0 shows that
   no weights are right on all its points (the easy direction of Gordan's theorem), and the length of any sum bounds the
   margin: Combine.v. *)

From Coq Require Import List ZArith NArith QArith Qreduction Lia Lqa.
Require Import Statements Decimals Tries.
Import ListNotations.

(* ---- Sums and products *)

Lemma sum_app l m : sum (l ++ m) == sum l + sum m.
Proof. unfold sum. induction l as [|x l IH]; cbn; [ring|]. rewrite IH. ring. Qed.

Lemma dot_app w a b : dot w (a ++ b) == dot w a + dot w b.
Proof. unfold dot. rewrite map_app, sum_app. reflexivity. Qed.

Lemma dot_cons w k j v z : dot w ((k, j, v) :: z) == w k j * v + dot w z.
Proof. reflexivity. Qed.

Lemma dot_nil w : dot w [] == 0.
Proof. reflexivity. Qed.

Notation times := place_times.
Lemma dot_times w c z : dot w (times c z) == c * dot w z.
Proof.
  induction z as [|[[k j] v] z IH]; [unfold dot; cbn; ring|]. cbn [times map]. fold (times c z).
  rewrite !dot_cons, IH. ring.
Qed.

Lemma dot_place w k c x : dot w (place k c x) == c * dot w (place k 1 x).
Proof.
  induction x as [|[j v] x IH]; cbn [place map]; [rewrite dot_nil; ring|]. fold (place k c x) (place k 1 x).
  rewrite !dot_cons, IH. ring.
Qed.

Lemma dot_same_weights w w' z : (forall k j, w k j == w' k j) -> dot w z == dot w' z.
Proof.
  intros H. induction z as [|[[k j] v] z IH]; [reflexivity|]. rewrite !dot_cons, IH, H. reflexivity.
Qed.

Lemma square_nonneg (x : Q) : 0 <= x * x.
Proof. destruct (Qlt_le_dec x 0); nra. Qed.

(* ---- Cauchy and Schwarz *)

Section Pairs.
Context {I : Type}.
Variables f g : I -> Q.
Definition product (a b : I -> Q) (l : list I) : Q := sum (map (fun i => a i * b i) l).

Lemma product_nil a b : product a b [] == 0.
Proof. reflexivity. Qed.
Lemma product_cons a b i l : product a b (i :: l) == a i * b i + product a b l.
Proof. reflexivity. Qed.
Lemma product_square_nonneg a l : 0 <= product a a l.
Proof. induction l as [|i l IH]; [apply Qle_refl|]. rewrite product_cons. pose proof (square_nonneg (a i)). lra. Qed.

Lemma product_of_difference s t l :
  product (fun i => s * f i - t * g i) (fun i => s * f i - t * g i) l ==
  s * s * product f f l - 2 * (s * t) * product f g l + t * t * product g g l.
Proof. induction l as [|i l IH]; [rewrite !product_nil; ring|]. rewrite !product_cons, IH. ring. Qed.

Lemma product_with_zero l : product g g l == 0 -> product f g l == 0.
Proof.
  induction l as [|i l IH]; [reflexivity|]. rewrite !product_cons. intros H.
  pose proof (square_nonneg (g i)). pose proof (product_square_nonneg g l).
  assert (S : g i * g i == 0) by lra. assert (R : product g g l == 0) by lra. rewrite (IH R).
  apply Qmult_integral in S as [S|S]; rewrite S; ring.
Qed.

Lemma cauchy_schwarz l : product f g l * product f g l <= product f f l * product g g l.
Proof.
  set (a := product f f l). set (b := product g g l). set (c := product f g l).
  pose proof (product_square_nonneg (fun i => b * f i - c * g i) l) as P. rewrite product_of_difference in P.
  fold a b c in P. pose proof (product_square_nonneg g l) as B. fold b in B.
  destruct (Qlt_le_dec 0 b) as [H|H].
  - assert (E : 0 <= b * (a * b - c * c)) by lra. clear P.
    destruct (Qlt_le_dec (a * b) (c * c)) as [L|L]; [|exact L]. exfalso.
    assert (b * (a * b - c * c) < 0) by nra. lra.
  - assert (Z0 : b == 0) by lra. assert (C : c == 0) by (apply product_with_zero; exact Z0). rewrite C, Z0. lra.
Qed.
End Pairs.

(* ---- Sums of signed points, coordinate by coordinate *)

Definition bank : Type := list (trie scaled).  (* by block *)

Definition added (v : scaled) (before : option scaled) : scaled :=
  match before with Some u => add u v | None => v end.

Fixpoint add_entry (k : nat) (p : path) (v : scaled) (b : bank) : bank :=
  match k, b with
  | O, [] => [change (added v) p Leaf]
  | O, t :: rest => change (added v) p t :: rest
  | S k', [] => Leaf :: add_entry k' p v []
  | S k', t :: rest => t :: add_entry k' p v rest
  end.

Definition add_cells (k : nat) (n : Z) (x : list (path * scaled)) (b : bank) : bank :=
  fold_left (fun b '(p, v) => add_entry k p (multiply_whole n v) b) x b.

(* The entries of a bank: block, coordinate, value. *)
Fixpoint bank_entries (k : nat) (b : bank) : list (nat * path * scaled) :=
  match b with [] => [] | t :: rest => map (fun '(p, v) => (k, p, v)) (elements t) ++ bank_entries (S k) rest end.
Definition as_point (l : list (nat * path * scaled)) : signed_point :=
  map (fun '(k, p, v) => (k, number_of p, value v)) l.
Definition bank_point (b : bank) : signed_point := as_point (bank_entries 0 b).

Lemma dot_as_point_app w l m : dot w (as_point (l ++ m)) == dot w (as_point l) + dot w (as_point m).
Proof. unfold as_point. rewrite map_app. apply dot_app. Qed.

Lemma dot_elements w k v p t (f : path -> path) :
  dot w (as_point (map (fun '(q, u) => (k, f q, u)) (elements (change (added v) p t)))) ==
  dot w (as_point (map (fun '(q, u) => (k, f q, u)) (elements t))) + w k (number_of (f p)) * value v.
Proof.
  assert (below : forall (g : path -> path) (l : list (path * scaled)) (f : path -> path),
    map (fun '(q, u) => (k, f q, u)) (map (fun '(q, u) => (g q, u)) l) = map (fun '(q, u) => (k, f (g q), u)) l).
  { intros g l h. rewrite map_map. apply map_ext. intros [q u]. reflexivity. }
  assert (nil : dot w (as_point []) == 0) by reflexivity.
  assert (one : forall q u, dot w (as_point [(k, q, u)]) == w k (number_of q) * value u).
  { intros q u. unfold as_point. cbn [map]. rewrite dot_cons, dot_nil. ring. }
  revert t f. induction p as [|p IH|p IH]; intros [|even here odd] f; cbn [change elements];
    rewrite ?map_app, ?dot_as_point_app, ?below.
  - cbn [elements map added]. rewrite ?nil, one. ring.
  - destruct here as [u|]; cbn [added map]; rewrite ?nil, ?one, ?value_add; ring.
  - rewrite (IH Leaf (fun q => f (Even q))). cbn [elements map]. rewrite ?nil. ring.
  - rewrite (IH even (fun q => f (Even q))). ring.
  - rewrite (IH Leaf (fun q => f (Odd q))). cbn [elements map]. rewrite ?nil. ring.
  - rewrite (IH odd (fun q => f (Odd q))). ring.
Qed.

Lemma dot_add_entry w i v p : forall k b,
  dot w (as_point (bank_entries k (add_entry i p v b))) ==
  dot w (as_point (bank_entries k b)) + w (k + i)%nat (number_of p) * value v.
Proof.
  assert (nil : dot w (as_point []) == 0) by reflexivity.
  induction i as [|i IH]; intros k [|t b]; cbn [add_entry bank_entries]; rewrite ?dot_as_point_app.
  - rewrite (dot_elements w k v p Leaf (fun q => q)), Nat.add_0_r. cbn [elements map]. rewrite ?nil. ring.
  - rewrite (dot_elements w k v p t (fun q => q)), Nat.add_0_r. ring.
  - rewrite IH. cbn [elements map bank_entries]. rewrite ?nil. replace (S k + i)%nat with (k + S i)%nat by lia. ring.
  - rewrite IH. replace (S k + i)%nat with (k + S i)%nat by lia. ring.
Qed.

Definition point_of_cells (x : list (path * scaled)) : point := map (fun '(p, v) => (number_of p, value v)) x.

Lemma dot_add_cells w k n x : forall b,
  dot w (bank_point (add_cells k n x b)) == dot w (bank_point b) + dot w (place k (inject_Z n) (point_of_cells x)).
Proof.
  unfold add_cells, bank_point. induction x as [|[p v] x IH]; intros b; cbn [fold_left].
  - cbn [point_of_cells place map]. rewrite dot_nil. ring.
  - rewrite IH, dot_add_entry. cbn [point_of_cells place map]. rewrite dot_cons, value_multiply_whole.
    cbn [Nat.add]. unfold place, point_of_cells. ring.
Qed.

(* Each coordinate of a bank is there once. *)
Definition keys_of (l : list (nat * path * scaled)) : list (nat * N) := map (fun '(k, p, _) => (k, number_of p)) l.

Lemma number_of_injective p q : number_of p = number_of q -> p = q.
Proof. intros H. rewrite <- (path_of_number p), <- (path_of_number q), H. reflexivity. Qed.

Lemma bank_keys_from k b : forall i j, In (i, j) (keys_of (bank_entries k b)) -> (k <= i)%nat.
Proof.
  revert k. induction b as [|t b IH]; intros k i j; cbn; [intros []|].
  unfold keys_of. rewrite map_app, in_app_iff. intros [H|H].
  - apply in_map_iff in H as ([[i' p] v] & E & H). apply in_map_iff in H as ([p' v'] & E' & _).
    assert (i = k) by congruence. lia.
  - apply IH in H. lia.
Qed.

Lemma bank_keys_once b : forall k, NoDup (keys_of (bank_entries k b)).
Proof.
  induction b as [|t b IH]; intros k; cbn [bank_entries]; [constructor|].
  unfold keys_of. rewrite map_app.
  assert (front : forall l : list (path * scaled), NoDup (map fst l) ->
    NoDup (map (fun '(i, p, _) => (i, number_of p)) (map (fun '(p, v) => (k, p, v)) l))).
  { induction l as [|[p v] l IHl]; cbn; intros H; constructor; inversion_clear H; [|auto].
    intros I. apply in_map_iff in I as ([[i q] u] & E & I). apply in_map_iff in I as ([q' u'] & E' & I).
    injection E as _ E. apply number_of_injective in E. apply H0. apply in_map_iff. exists (q', u').
      split; [cbn; congruence|exact I]. }
  specialize (front (elements t) (elements_once t)). specialize (IH (S k)).
  set (l := map _ (map _ (elements t))) in *. assert (L : forall i j, In (i, j) l -> i = k).
  { intros i j H. apply in_map_iff in H as ([[i' p] v] & E & H).
    apply in_map_iff in H as ([p' v'] & E' & _). congruence. }
  clearbody l. induction l as [|[i j] l IHl]; cbn [app]; [exact IH|]. inversion_clear front as [|? ? N U]. constructor.
  - rewrite in_app_iff. intros [I|I]; [exact (N I)|]. apply bank_keys_from in I.
    rewrite (L i j) in I by (left; reflexivity). lia.
  - apply IHl; [exact U|]. intros i' j' I. apply (L i' j'). right. exact I.
Qed.

(* The squared length of a sum. *)
Definition squares (b : bank) : scaled :=
  fold_left (fun s '(_, _, v) => add s (multiply v v)) (bank_entries 0 b) zero.

Lemma squares_are_a_product (l : list (nat * path * scaled)) : forall s,
  value (fold_left (fun s '(_, _, v) => add s (multiply v v)) l s) ==
  value s + product (fun e : nat * path * scaled => value (snd e)) (fun e => value (snd e)) l.
Proof.
  induction l as [|[[k p] v] l IH]; intros s; cbn [fold_left].
  - rewrite product_nil. ring.
  - rewrite IH, product_cons, value_add, value_multiply. cbn [snd]. ring.
Qed.

Lemma value_squares b : value (squares b) == product (fun e => value (snd e)) (fun e => value (snd e)) (bank_entries
  0 b).
Proof. unfold squares. rewrite squares_are_a_product. rewrite value_of_zero_mantissa by reflexivity. ring. Qed.

Lemma dot_is_a_product w (l : list (nat * path * scaled)) :
  dot w (as_point l) == product (fun '(k, p, _) => w k (number_of p)) (fun e => value (snd e)) l.
Proof.
  induction l as [|[[k p] v] l IH]; [reflexivity|]. cbn [as_point map]. rewrite dot_cons, product_cons.
  unfold as_point in IH. rewrite IH. reflexivity.
Qed.

Lemma weights_are_a_product w (l : list (nat * path * scaled)) :
  product (fun '(k, p, _) => w k (number_of p)) (fun '(k, p, _) => w k (number_of p)) l ==
  sum (map (fun '(k, j) => w k j * w k j) (keys_of l)).
Proof.
  induction l as [|[[k p] v] l IH]; [reflexivity|]. rewrite product_cons, IH. reflexivity.
Qed.

Lemma bank_cauchy_schwarz w c b : squared_length_at_most w c ->
  dot w (bank_point b) * dot w (bank_point b) <= c * value (squares b).
Proof.
  intros H. unfold bank_point. rewrite dot_is_a_product, value_squares.
  pose proof (cauchy_schwarz (fun '(k, p, _) => w k (number_of p)) (fun e : nat * path * scaled => value (snd e))
    (bank_entries 0 b)) as C.
  rewrite weights_are_a_product in C. specialize (H _ (bank_keys_once b 0)).
  pose proof (product_square_nonneg (fun e : nat * path * scaled => value (snd e)) (bank_entries 0 b)) as P.
  set (s := product _ _ _) in *. nra.
Qed.

Lemma zero_squares_zero_dot w b : value (squares b) == 0 -> dot w (bank_point b) == 0.
Proof.
  intros H. unfold bank_point. rewrite dot_is_a_product. apply product_with_zero. rewrite <- value_squares. exact H.
Qed.

(* ---- Scores *)

Fixpoint filled (n : N) (w : list Z) (t : trie Z) : trie Z :=
  match w with [] => t | x :: rest => filled (n + 1) rest (if (x =? 0)%Z then t else put (path_of n) x t) end.
Definition weight_trie (w : list Z) : trie Z := filled 0 w Leaf.

Definition score_of (t : trie Z) (x : list (path * scaled)) : scaled :=
  fold_left (fun s '(p, v) => match get t p with Some w => add s (multiply_whole w v) | None => s end) x zero.
