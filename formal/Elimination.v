(* Exact elimination: vectors of integers in tries, which are sums of others, times numbers.

   A product that is 0 for all vectors of a basis is 0 for their combinations, and reducing a vector by the basis scales
   its product by a positive number. Nothing else is proved here. That a basis is in echelon form, or that a division is
   exact, is checked where it matters, when the checker runs.

   Elimination is Bareiss's: all pivots have one value, the determinant so far, and entries are minors of the rows. So
   numbers grow with the number of rows, and no greatest common divisors are needed. *)

From Coq Require Import List ZArith NArith QArith Lia Lqa Qpower.
Require Import Decimals Tries.
Import ListNotations.

Definition vector : Type := trie Z.

Definition at_path (x : vector) (p : path) : Z := match get x p with Some n => n | None => 0%Z end.
Definition set_of (l : list path) : trie unit := fold_left (fun t p => put p tt t) l Leaf.
Definition member (p : path) (t : trie unit) : bool := match get t p with Some _ => true | None => false end.

(* ---- The functions *)

Definition whole (h : option Z) : Z := match h with Some n => n | None => 0%Z end.
Definition entry (n : Z) : option Z := if (n =? 0)%Z then None else Some n.
Definition node (even : vector) (here : option Z) (odd : vector) : vector :=
  match even, here, odd with Leaf, None, Leaf => Leaf | _, _, _ => Node even here odd end.

Fixpoint scale (a : Z) (x : vector) : vector :=
  match x with Leaf => Leaf | Node even here odd => node (scale a even) (entry (a * whole here)) (scale a odd) end.

(* a x + b y *)
Fixpoint mix (a : Z) (x : vector) (b : Z) (y : vector) : vector :=
  match x, y with
  | Leaf, _ => scale b y
  | _, Leaf => scale a x
  | Node even here odd, Node even' here' odd' =>
      node (mix a even b even') (entry (a * whole here + b * whole here')) (mix a odd b odd')
  end.

Fixpoint without (gone : trie unit) (x : vector) : vector :=
  match gone, x with
  | Leaf, _ => x
  | _, Leaf => Leaf
  | Node even here odd, Node even' here' odd' =>
      node (without even even') (match here with Some _ => None | None => here' end) (without odd odd')
  end.

Fixpoint is_zero (x : vector) : bool :=
  match x with Leaf => true | Node even here odd => is_zero even && (whole here =? 0)%Z && is_zero odd end.

(* The first entry that is not 0, outside of some paths. *)
Fixpoint pivot (forbidden : trie unit) (x : vector) : option path :=
  match x with
  | Leaf => None
  | Node even here odd =>
      let '(below_even, out, below_odd) := match forbidden with
        | Leaf => (Leaf, false, Leaf)
        | Node e h o => (e, match h with Some _ => true | None => false end, o)
        end in
      if (whole here =? 0)%Z || out then
        match pivot below_even even with
        | Some p => Some (Even p)
        | None => option_map Odd (pivot below_odd odd)
        end
      else Some Top
  end.

Fixpoint content (g : Z) (x : vector) : Z :=
  match x with
  | Leaf => g
  | Node even here odd =>
      if (g =? 1)%Z then g
      else content (content (match here with Some n => Z.gcd g n | None => g end) even) odd
  end.
Fixpoint divide (g : Z) (x : vector) : option vector :=
  match x with
  | Leaf => Some Leaf
  | Node even here odd =>
      let (q, r) := Z.div_eucl (whole here) g in
      if (r =? 0)%Z then
        match divide g even, divide g odd with Some e, Some o => Some (node e (entry q) o) | _, _ => None end
      else None
  end.
Definition divided (g : Z) (x : vector) : vector :=
  if (1 <? g)%Z then match divide g x with Some y => y | None => x end else x.
Definition primitive (x : vector) : vector := divided (content 0 x) x.

(* A vector of a basis, and the path of its pivot. *)
Definition basis : Type := list (path * vector).
Definition pivot_value (b : basis) : Z := match b with [] => 1%Z | (p, x) :: _ => at_path x p end.

(* Multiplies by the value of the pivots, and subtracts what the vector has there. *)
Definition reduce (b : basis) (x : vector) : vector :=
  let d := pivot_value b in
  if (0 <? d)%Z then
    fold_left (fun y e => let a := at_path x (fst e) in if (a =? 0)%Z then y else mix 1 y (- a) (snd e)) b (scale d x)
  else x.

Definition insert (forbidden : trie unit) (b : basis) (x : vector) : basis :=
  let y := reduce b x in
  match pivot forbidden y with
  | None => b
  | Some p =>
      let z := if (at_path y p <? 0)%Z then scale (-1) y else y in
      (p, z) :: map (fun e => (fst e, divided (pivot_value b) (mix (at_path z p) (snd e) (- at_path (snd e) p) z))) b
  end.

(* At most [limit] vectors, with pivots outside of some paths. *)
Definition echelon (forbidden : trie unit) (limit : nat) (l : list vector) : basis :=
  fold_left (fun b x => if Nat.ltb (length b) limit then insert forbidden b (primitive x) else b) l [].

(* Exact decimals as integers: times a power of ten. *)
Definition least_power (l : list (path * scaled)) : Z := fold_left (fun e c => Z.min e (power (snd c))) l 0%Z.
Definition vector_of (l : list (path * scaled)) : vector :=
  let e := least_power l in
  fold_left (fun x c => change (fun before => (whole before + mantissa_at e (snd c))%Z) (fst c) x) l Leaf.

(* ---- Products with what a vector's entries are multiplied by *)

Fixpoint against (f : path -> Q) (x : vector) : Q :=
  match x with
  | Leaf => 0
  | Node even here odd =>
      f Top * inject_Z (whole here) + against (fun p => f (Even p)) even + against (fun p => f (Odd p)) odd
  end.

Lemma against_node f even here odd : against f (node even here odd) == against f (Node even here odd).
Proof. destruct even, here, odd; cbn; try reflexivity. change (inject_Z 0) with 0. ring. Qed.

Lemma whole_entry n : whole (entry n) = n.
Proof. unfold entry. destruct (Z.eqb_spec n 0); cbn; congruence. Qed.

Lemma against_scale a x : forall f, against f (scale a x) == inject_Z a * against f x.
Proof.
  induction x as [|even IHe here odd IHo]; intros f; [cbn; ring|]. cbn [scale]. rewrite against_node. cbn [against].
  rewrite IHe, IHo, whole_entry, inject_Z_mult. ring.
Qed.

Lemma against_mix a b x : forall y f, against f (mix a x b y) == inject_Z a * against f x + inject_Z b * against f y.
Proof.
  induction x as [|even IHe here odd IHo]; intros y f; [cbn [mix]; rewrite against_scale; cbn [against]; ring|].
  destruct y as [|even' here' odd']; [cbn [mix]; rewrite against_scale; cbn [against]; ring|].
  cbn [mix]. rewrite against_node. cbn [against].
  rewrite IHe, IHo, whole_entry, inject_Z_plus, !inject_Z_mult. ring.
Qed.

Lemma against_without gone : forall x f, (forall p, member p gone = true -> f p == 0) ->
  against f (without gone x) == against f x.
Proof.
  induction gone as [|even IHe here odd IHo]; intros x f H; [destruct x; reflexivity|].
  destruct x as [|even' here' odd']; [reflexivity|]. cbn [without]. rewrite against_node. cbn [against].
  rewrite IHe by (intros p M; apply (H (Even p)), M). rewrite IHo by (intros p M; apply (H (Odd p)), M).
  destruct here; [|reflexivity]. rewrite (H Top eq_refl). cbn. ring.
Qed.

Lemma zero_against x : is_zero x = true -> forall f, against f x == 0.
Proof.
  induction x as [|even IHe here odd IHo]; intros H f; [reflexivity|]. cbn [is_zero] in H.
  apply Bool.andb_true_iff in H as [H O]. apply Bool.andb_true_iff in H as [E W]. apply Z.eqb_eq in W.
  cbn [against]. rewrite (IHe E), (IHo O), W. change (inject_Z 0) with 0. ring.
Qed.

Lemma against_same f g x : (forall p, f p == g p) -> against f x == against g x.
Proof.
  revert f g. induction x as [|even IHe here odd IHo]; intros f g H; [reflexivity|]. cbn [against].
  rewrite (H Top), (IHe _ (fun p => g (Even p))), (IHo _ (fun p => g (Odd p))); auto. reflexivity.
Qed.

Lemma against_sum f g h c x : (forall p, h p == f p + c * g p) -> against h x == against f x + c * against g x.
Proof.
  revert f g h. induction x as [|even IHe here odd IHo]; intros f g h H; [cbn; ring|]. cbn [against].
  rewrite (H Top), (IHe (fun p => f (Even p)) (fun p => g (Even p))), (IHo (fun p => f (Odd p)) (fun p => g (Odd p)));
    auto. ring.
Qed.

Lemma against_none x : against (fun _ => 0) x == 0.
Proof.
  induction x as [|even IHe here odd IHo]; [reflexivity|]. cbn [against]. rewrite IHe, IHo. ring.
Qed.

(* A factor at one path only. *)
Fixpoint same_path (p q : path) : bool :=
  match p, q with
  | Top, Top => true
  | Even p', Even q' | Odd p', Odd q' => same_path p' q'
  | _, _ => false
  end.
Lemma same_path_spec p : forall q, same_path p q = true <-> p = q.
Proof. induction p; intros [|q|q]; cbn; rewrite ?IHp; split; congruence. Qed.

Lemma against_one p c x : against (fun q => if same_path p q then c else 0) x == c * inject_Z (at_path x p).
Proof.
  revert p. induction x as [|even IHe here odd IHo]; intros p.
  - cbn [against]. unfold at_path. rewrite get_leaf. change (inject_Z 0) with 0. ring.
  - cbn [against]. destruct p as [|p|p]; cbn [same_path].
    + rewrite !against_none. unfold at_path. cbn [get]. unfold whole. destruct here; ring.
    + rewrite IHe, against_none. unfold at_path. cbn [get]. ring.
    + rewrite IHo, against_none. unfold at_path. cbn [get]. ring.
Qed.

Lemma against_change f n p : forall x,
  against f (change (fun before => (whole before + n)%Z) p x) == against f x + f p * inject_Z n.
Proof.
  revert f. induction p as [|p IH|p IH]; intros f [|even here odd]; cbn [change against];
    rewrite ?IH, ?inject_Z_plus; cbn [against whole]; rewrite ?inject_Z_plus; change (inject_Z 0) with 0; ring.
Qed.

Lemma against_single f p n : against f (put p n Leaf) == f p * inject_Z n.
Proof.
  revert f. induction p as [|p IH|p IH]; intros f; unfold put in *; cbn [change against whole]; rewrite ?IH;
    change (inject_Z 0) with 0; ring.
Qed.

(* If all entries but one meet 0, that one decides. *)
Lemma against_only f p x : is_zero (without (put p tt Leaf) x) = true -> against f x == f p * inject_Z (at_path x p).
Proof.
  intros Z.
  assert (E : against f x == against (fun q => if same_path p q then f p else 0) x + 1 *
    against (fun q => if same_path p q then 0 else f q) x).
  { apply against_sum. intros q. destruct (same_path p q) eqn:S; [apply same_path_spec in S; subst q|]; ring. }
  rewrite E, against_one.
  rewrite <- (against_without (put p tt Leaf) x (fun q => if same_path p q then 0 else f q)).
  - rewrite (zero_against _ Z). ring.
  - intros q M. destruct (same_path p q) eqn:S; [reflexivity|]. exfalso. unfold member, put in M.
    rewrite get_change_other in M; [rewrite get_leaf in M; discriminate|].
    intros ->. assert (same_path q q = true) by (apply same_path_spec; reflexivity). congruence.
Qed.

(* ---- Reduction *)

Lemma against_divide g x : g <> 0%Z -> forall y, divide g x = Some y ->
  forall f, inject_Z g * against f y == against f x.
Proof.
  intros G. induction x as [|even IHe here odd IHo]; intros y H f; cbn [divide] in H; [injection H as <-; cbn; ring|].
  pose proof (Z.div_eucl_eq (whole here) g G) as E. destruct (Z.div_eucl (whole here) g) as [q rest].
  destruct (Z.eqb_spec rest 0) as [R|]; [|discriminate].
  destruct (divide g even) as [e|]; [|discriminate]. destruct (divide g odd) as [o|]; [|discriminate].
  injection H as <-. rewrite against_node. cbn [against]. rewrite <- (IHe e), <- (IHo o), whole_entry by reflexivity.
  rewrite E, R, inject_Z_plus, inject_Z_mult. change (inject_Z 0) with 0. ring.
Qed.

Lemma divided_spec g x : exists m, 0 < m /\ forall f, against f (divided g x) == m * against f x.
Proof.
  unfold divided. destruct (Z.ltb_spec 1 g) as [L|_]; [|exists 1; split; [reflexivity|intros; ring]].
  destruct (divide g x) as [y|] eqn:D; [|exists 1; split; [reflexivity|intros; ring]].
  assert (P : 0 < inject_Z g) by (change 0 with (inject_Z 0); rewrite <- Zlt_Qlt; lia).
  exists (/ inject_Z g). split; [apply Qinv_lt_0_compat, P|]. intros f.
  rewrite <- (against_divide g x ltac:(lia) y D f). field. lra.
Qed.

Definition vanishes (f : path -> Q) (b : basis) : Prop := Forall (fun e => against f (snd e) == 0) b.

Lemma reduce_spec f b : vanishes f b -> forall x, exists m, 0 < m /\ against f (reduce b x) == m * against f x.
Proof.
  intros V x. unfold reduce. destruct (Z.ltb_spec 0 (pivot_value b)) as [L|]; [|exists 1; split; [reflexivity|ring]].
  exists (inject_Z (pivot_value b)). rewrite (Zlt_Qlt 0) in L. split; [exact L|].
  rewrite <- against_scale. generalize (scale (pivot_value b) x). clear L.
  induction V as [|e b Z F IH]; intros y; [reflexivity|]. cbn [fold_left]. rewrite IH.
  destruct (at_path x (fst e) =? 0)%Z; [reflexivity|]. rewrite against_mix, Z. change (inject_Z 1) with 1. ring.
Qed.

Lemma reduced_to_zero f b x : vanishes f b -> is_zero (reduce b x) = true -> against f x == 0.
Proof.
  intros V Z. destruct (reduce_spec f b V x) as (m & P & E). rewrite (zero_against _ Z) in E.
  symmetry in E. apply Qmult_integral in E as [E|E]; [lra|exact E].
Qed.

Lemma insert_vanishes f forbidden b x : vanishes f b -> against f x == 0 -> vanishes f (insert forbidden b x).
Proof.
  intros V Z. unfold insert. destruct (reduce_spec f b V x) as (m & _ & E). rewrite Z, Qmult_0_r in E.
  destruct (pivot forbidden (reduce b x)) as [p|]; [|exact V]. cbv zeta.
  set (z := if (at_path (reduce b x) p <? 0)%Z then scale (-1) (reduce b x) else reduce b x).
  assert (N : against f z == 0).
  { unfold z. destruct (_ <? 0)%Z; [rewrite against_scale, E; ring|exact E]. }
  constructor; [exact N|]. apply Forall_map. eapply Forall_impl; [|exact V]. intros e Ze. cbn [snd].
  destruct (divided_spec (pivot_value b) (mix (at_path z p) (snd e) (- at_path (snd e) p) z)) as (k & _ & R).
  rewrite R, against_mix, Ze, N. ring.
Qed.

Theorem echelon_vanishes f forbidden limit l : Forall (fun x => against f x == 0) l ->
  vanishes f (echelon forbidden limit l).
Proof.
  unfold echelon. intros F. assert (V : vanishes f []) by constructor. revert V. generalize (@nil (path * vector)).
  induction F as [|x l Z F IH]; intros b V; [exact V|]. cbn [fold_left]. apply IH.
  destruct (Nat.ltb (length b) limit); [|exact V]. apply insert_vanishes; [exact V|].
  destruct (divided_spec (content 0 x) x) as (m & _ & E). unfold primitive. rewrite E, Z. ring.
Qed.

(* ---- Decimals as integers *)

Lemma least_power_below l : forall e, (fold_left (fun e c => Z.min e (power (snd c))) l e <= e)%Z /\
  Forall (fun c : path * scaled => (fold_left (fun e c => Z.min e (power (snd c))) l e <= power (snd c))%Z) l.
Proof.
  induction l as [|c l IH]; intros e; cbn [fold_left]; [split; [lia|constructor]|].
  destruct (IH (Z.min e (power (snd c)))) as [L F]. split; [lia|]. constructor; [lia|exact F].
Qed.

Definition cells_against (f : path -> Q) (l : list (path * scaled)) : Q :=
  fold_right (fun c s => f (fst c) * value (snd c) + s) 0 l.

Lemma vector_of_spec l : exists m, 0 < m /\ forall f, against f (vector_of l) == m * cells_against f l.
Proof.
  pose proof (least_power_below l 0) as [_ F]. fold (least_power l) in F. set (e := least_power l) in *.
  assert (P : 0 < inject_Z 10 ^ e) by (apply Qpower_0_lt; reflexivity).
  exists (/ (inject_Z 10 ^ e)). split; [apply Qinv_lt_0_compat, P|]. intros f. unfold vector_of. fold e.
  assert (G : forall x, against f (fold_left (fun x c => change (fun before => (whole before + mantissa_at e (snd
    c))%Z) (fst c) x) l x) == against f x + / (inject_Z 10 ^ e) * cells_against f l).
  { clearbody e. induction F as [|c rest L F IH]; intros x; cbn [fold_left cells_against fold_right]; [ring|].
    rewrite IH, against_change. fold (cells_against f rest). rewrite (value_at_unit e (snd c) L). field. lra. }
  rewrite G. cbn [against]. ring.
Qed.
