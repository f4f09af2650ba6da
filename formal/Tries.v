(* Maps from natural numbers: binary trees, addressed by the digits of the number.

   A path is computed once for each value of the data; looking it up then costs a step for each binary digit. *)

From Coq Require Import List FinFun ZArith NArith Lia.
Import ListNotations.

Inductive path := Top | Even (rest : path) | Odd (rest : path).

Fixpoint path_of_positive (p : positive) : path :=
  match p with xH => Top | xO q => Even (path_of_positive q) | xI q => Odd (path_of_positive q) end.
Definition path_of (n : N) : path := path_of_positive (N.succ_pos n).

Fixpoint positive_of (p : path) : positive :=
  match p with Top => xH | Even q => xO (positive_of q) | Odd q => xI (positive_of q) end.
Definition number_of (p : path) : N := Pos.pred_N (positive_of p).

Lemma positive_of_path p : positive_of (path_of_positive p) = p.
Proof. induction p; cbn; congruence. Qed.
Lemma path_of_positive_of p : path_of_positive (positive_of p) = p.
Proof. induction p; cbn; congruence. Qed.
Lemma number_of_path n : number_of (path_of n) = n.
Proof. unfold number_of, path_of. rewrite positive_of_path. apply N.pos_pred_succ. Qed.
Lemma path_of_number p : path_of (number_of p) = p.
Proof.
  unfold number_of, path_of. rewrite <- (path_of_positive_of p) at 2. f_equal.
  destruct (positive_of p) as [q|q|]; cbn; try reflexivity. apply Pos.succ_pred_double.
Qed.
Lemma path_of_injective m n : path_of m = path_of n -> m = n.
Proof. intros H. rewrite <- (number_of_path m), <- (number_of_path n), H. reflexivity. Qed.

Inductive trie (A : Type) := Leaf | Node (even : trie A) (here : option A) (odd : trie A).
Arguments Leaf {A}.
Arguments Node {A} even here odd.

Section Trie.
Context {A : Type}.
Implicit Type t : trie A.

Fixpoint get t (p : path) : option A :=
  match t with
  | Leaf => None
  | Node even here odd => match p with Top => here | Even q => get even q | Odd q => get odd q end
  end.

Fixpoint change (f : option A -> A) (p : path) t : trie A :=
  match t, p with
  | Leaf, Top => Node Leaf (Some (f None)) Leaf
  | Leaf, Even q => Node (change f q Leaf) None Leaf
  | Leaf, Odd q => Node Leaf None (change f q Leaf)
  | Node even here odd, Top => Node even (Some (f here)) odd
  | Node even here odd, Even q => Node (change f q even) here odd
  | Node even here odd, Odd q => Node even here (change f q odd)
  end.

Definition put (p : path) (a : A) t : trie A := change (fun _ => a) p t.

Lemma get_leaf p : @get Leaf p = None.
Proof. destruct p; reflexivity. Qed.

Lemma get_change_same f p : forall t, get (change f p t) p = Some (f (get t p)).
Proof. induction p; intros [|even here odd]; cbn; rewrite ?IHp, ?get_leaf; reflexivity. Qed.

Lemma get_change_other f p : forall q t, p <> q -> get (change f p t) q = get t q.
Proof.
  induction p; intros q t N; destruct t, q; cbn; try congruence; try reflexivity;
    rewrite ?get_leaf; try reflexivity; rewrite IHp by congruence; rewrite ?get_leaf; reflexivity.
Qed.

(* The paths and their values. *)
Fixpoint elements t : list (path * A) :=
  match t with
  | Leaf => []
  | Node even here odd =>
      match here with Some a => [(Top, a)] | None => [] end ++
      map (fun '(p, a) => (Even p, a)) (elements even) ++ map (fun '(p, a) => (Odd p, a)) (elements odd)
  end.

Lemma keys_below (f : path -> path) (l : list (path * A)) : map fst (map (fun '(p, a) => (f p,
  a)) l) = map f (map fst l).
Proof. rewrite !map_map. apply map_ext. intros [p a]. reflexivity. Qed.

Lemma elements_once t : NoDup (map fst (elements t)).
Proof.
  induction t as [|even IHe here odd IHo]; cbn [elements]; [constructor|].
  assert (both : NoDup (map fst (map (fun '(p, a) => (Even p, a)) (elements even) ++
    map (fun '(p, a) => (Odd p, a)) (elements odd)))).
  { rewrite map_app, !keys_below.
    assert (split : forall l m : list path, NoDup l -> NoDup m -> NoDup (map Even l ++ map Odd m)).
    { induction l as [|p l IH]; intros m Hl Hm; cbn.
      - apply Injective_map_NoDup; [intros x y E; congruence|exact Hm].
      - inversion_clear Hl. constructor; [|apply IH; assumption].
        rewrite in_app_iff, !in_map_iff. intros [[x [E I]]|[x [E I]]]; congruence. }
    apply split; assumption. }
  destruct here; cbn [app map]; [|exact both]. constructor; [|exact both].
  rewrite map_app, !keys_below, in_app_iff, !in_map_iff. cbn. intros [[x [E _]]|[x [E _]]]; congruence.
Qed.
End Trie.

(* ---- Pairs of a file and a row as keys *)

Definition id : Type := N * N.
Definition id_map (A : Type) : Type := trie (trie A).
Definition find_id {A} (m : id_map A) (i : id) : option A :=
  match get m (path_of (fst i)) with Some rows => get rows (path_of (snd i)) | None => None end.
Definition put_id {A} (i : id) (a : A) (m : id_map A) : id_map A :=
  change (fun rows => put (path_of (snd i)) a (match rows with Some t => t | None => Leaf end)) (path_of (fst i)) m.
