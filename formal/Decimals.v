(* Decimals: reading them, and exact arithmetic on mantissas and powers of ten.

   [read_decimal] accepts exactly the grammar of Statements.v, and gives the exact value (decimals_are_exact). Addition
   and comparison never divide, so mantissas grow only with the digits of the data. *)

From Coq Require Import Ascii List ZArith NArith QArith Qreduction Qpower Qfield Lia Lqa.
Require Import Statements.
Import ListNotations.
Local Arguments Ascii.eqb : simpl never.
Local Arguments is_digit : simpl never.

(* m 10^e *)
Record scaled := Scaled { mantissa : Z; power : Z }.
Definition value (d : scaled) : Q := inject_Z (mantissa d) * inject_Z 10 ^ power d.
Definition zero : scaled := Scaled 0 0.

(* ---- Arithmetic *)

Lemma ten_is_not_zero : ~ inject_Z 10 == 0.
Proof. discriminate. Qed.

Lemma power_is_positive e : 0 < inject_Z 10 ^ e.
Proof. apply Qpower_0_lt. reflexivity. Qed.

Lemma power_of_whole e : (0 <= e)%Z -> inject_Z (10 ^ e) == inject_Z 10 ^ e.
Proof. intros H. apply Zpower_Qpower. exact H. Qed.

Lemma powers_multiply a b : inject_Z 10 ^ (a + b) == inject_Z 10 ^ a * inject_Z 10 ^ b.
Proof. apply Qpower_plus, ten_is_not_zero. Qed.

(* The mantissa in the unit 10^e, which is not larger than the number's. *)
Definition mantissa_at (e : Z) (d : scaled) : Z :=
  if (power d =? e)%Z then mantissa d else (mantissa d * 10 ^ (power d - e))%Z.

Lemma value_at_unit e d : (e <= power d)%Z -> value d == inject_Z (mantissa_at e d) * inject_Z 10 ^ e.
Proof.
  intros H. unfold value, mantissa_at. destruct (Z.eqb_spec (power d) e) as [->|N]; [reflexivity|].
  rewrite inject_Z_mult, power_of_whole by lia.
  rewrite <- Qmult_assoc, <- powers_multiply. replace (power d - e + e)%Z with (power d) by lia. reflexivity.
Qed.

Definition add (a b : scaled) : scaled :=
  if (power a =? power b)%Z then Scaled (mantissa a + mantissa b) (power a)
  else if (mantissa a =? 0)%Z then b
  else if (mantissa b =? 0)%Z then a
  else let e := Z.min (power a) (power b) in Scaled (mantissa_at e a + mantissa_at e b) e.

Lemma value_of_zero_mantissa a : mantissa a = 0%Z -> value a == 0.
Proof. intros H. unfold value. rewrite H. change (inject_Z 0) with 0. ring. Qed.

Lemma value_add a b : value (add a b) == value a + value b.
Proof.
  unfold add. destruct (Z.eqb_spec (power a) (power b)) as [E|N].
  { unfold value at 1. cbn. rewrite inject_Z_plus. unfold value. rewrite E. ring. }
  destruct (Z.eqb_spec (mantissa a) 0) as [E|_]; [rewrite (value_of_zero_mantissa a E); ring|].
  destruct (Z.eqb_spec (mantissa b) 0) as [E|_]; [rewrite (value_of_zero_mantissa b E); ring|].
  set (e := Z.min (power a) (power b)).
  rewrite (value_at_unit e a), (value_at_unit e b) by lia.
  unfold value. cbn [mantissa power]. rewrite inject_Z_plus. ring.
Qed.

Definition multiply (a b : scaled) : scaled := Scaled (mantissa a * mantissa b) (power a + power b).
Lemma value_multiply a b : value (multiply a b) == value a * value b.
Proof. unfold value, multiply. cbn. rewrite inject_Z_mult, powers_multiply. ring. Qed.

Definition multiply_whole (n : Z) (a : scaled) : scaled := Scaled (n * mantissa a) (power a).
Lemma value_multiply_whole n a : value (multiply_whole n a) == inject_Z n * value a.
Proof. unfold value, multiply_whole. cbn. rewrite inject_Z_mult. ring. Qed.

Definition negate (a : scaled) : scaled := Scaled (- mantissa a) (power a).
Lemma value_negate a : value (negate a) == - value a.
Proof. unfold value, negate. cbn. rewrite inject_Z_opp. ring. Qed.

Definition subtract (a b : scaled) : scaled := add a (negate b).
Lemma value_subtract a b : value (subtract a b) == value a - value b.
Proof. unfold subtract. rewrite value_add, value_negate. ring. Qed.

Lemma value_of_whole n : value (Scaled n 0) == inject_Z n.
Proof. unfold value. cbn. ring. Qed.

(* The sign of the number is that of its mantissa. *)
Lemma value_positive a : (0 < mantissa a)%Z <-> 0 < value a.
Proof.
  unfold value. pose proof (power_is_positive (power a)) as P.
  rewrite (Zlt_Qlt 0). split; intros H.
  - apply Qmult_lt_0_compat; assumption.
  - apply (Qmult_lt_r _ _ (inject_Z 10 ^ power a) P). change (inject_Z 0) with 0. lra.
Qed.
Lemma value_zero a : mantissa a = 0%Z <-> value a == 0.
Proof.
  split; [apply value_of_zero_mantissa|]. intros H. unfold value in H.
  apply Qmult_integral in H as [H|H].
  - unfold Qeq in H. cbn in H. lia.
  - pose proof (power_is_positive (power a)). lra.
Qed.

Definition below (a b : scaled) : bool := (0 <? mantissa (subtract b a))%Z.
Lemma below_spec a b : below a b = true <-> value a < value b.
Proof.
  unfold below. rewrite Z.ltb_lt, value_positive, value_subtract. split; intros H; lra.
Qed.
Lemma below_false a b : below a b = false <-> value b <= value a.
Proof.
  split; intros H.
  - apply Qnot_lt_le. rewrite <- below_spec. congruence.
  - apply Bool.not_true_is_false. rewrite below_spec. apply Qle_not_lt, H.
Qed.

Definition equal (a b : scaled) : bool := (mantissa (subtract a b) =? 0)%Z.
Lemma equal_spec a b : equal a b = true <-> value a == value b.
Proof. unfold equal. rewrite Z.eqb_eq, value_zero, value_subtract. split; intros H; lra. Qed.

(* A fraction as a decimal, where it is one: the least power of ten that its denominator divides. *)
Fixpoint scaled_of_fraction (fuel : nat) (n : Z) (d : positive) (e : Z) : option scaled :=
  if (n mod Zpos d =? 0)%Z then Some (Scaled (n / Zpos d) e)
  else match fuel with O => None | S f => scaled_of_fraction f (10 * n) d (e - 1) end.

Lemma scaled_of_fraction_spec fuel : forall n d e a,
  scaled_of_fraction fuel n d e = Some a -> value a == (n # d) * inject_Z 10 ^ e.
Proof.
  assert (E : forall n d e a, (n mod Zpos d =? 0)%Z = true -> Some (Scaled (n / Zpos d) e) = Some a ->
    value a == (n # d) * inject_Z 10 ^ e).
  { intros n d e a H [= <-]. apply Z.eqb_eq, Z.div_exact in H; [|discriminate].
    unfold value. cbn [mantissa power]. apply Qmult_comp; [|reflexivity].
    unfold Qeq, inject_Z. cbn [Qnum Qden]. lia. }
  induction fuel as [|f IH]; intros n d e a H; cbn [scaled_of_fraction] in H; destruct (n mod Zpos d =? 0)%Z eqn:M;
    try (apply E; assumption); try discriminate.
  apply IH in H. rewrite H.
  replace e with ((e - 1) + 1)%Z at 2 by lia. rewrite powers_multiply.
  change (inject_Z 10 ^ 1) with (inject_Z 10).
  assert (T : (10 * n # d) == (n # d) * inject_Z 10) by (unfold Qeq, inject_Z, Qmult; cbn [Qnum Qden]; lia).
  rewrite T. ring.
Qed.

Definition scaled_of (q : Q) : option scaled := scaled_of_fraction 400 (Qnum q) (Qden q) 0.
Lemma scaled_of_spec q a : scaled_of q = Some a -> value a == q.
Proof.
  intros H. apply scaled_of_fraction_spec in H. rewrite H. destruct q as [n d]. cbn [Qnum Qden].
  change (inject_Z 10 ^ 0) with 1. ring.
Qed.

(* Comparison with a fraction, without division. *)
Definition is_fraction (a : scaled) (q : Q) : bool := equal (multiply_whole (Zpos (Qden q)) a) (Scaled (Qnum q) 0).
Lemma is_fraction_spec a q : is_fraction a q = true <-> value a == q.
Proof.
  unfold is_fraction. rewrite equal_spec, value_multiply_whole, value_of_whole. destruct q as [n d]. cbn [Qnum Qden].
  assert (E : n # d == inject_Z n / inject_Z (Zpos d)) by apply Qmake_Qdiv.
  assert (P : ~ inject_Z (Zpos d) == 0) by discriminate.
  rewrite E. split; intros H.
  - rewrite <- H. field. exact P.
  - rewrite H. field. exact P.
Qed.

Definition at_most_fraction (a : scaled) (q : Q) : bool :=
  negb (below (Scaled (Qnum q) 0) (multiply_whole (Zpos (Qden q)) a)).
Lemma at_most_fraction_spec a q : at_most_fraction a q = true <-> value a <= q.
Proof.
  unfold at_most_fraction. rewrite Bool.negb_true_iff, below_false, value_multiply_whole, value_of_whole.
  destruct q as [n d]. cbn [Qnum Qden]. assert (P : 0 < inject_Z (Zpos d)) by reflexivity.
  assert (E : inject_Z (Zpos d) * (n # d) == inject_Z n) by (rewrite (Qmake_Qdiv n d); field; discriminate).
  rewrite <- E. apply Qmult_le_l, P.
Qed.

(* ---- Reading *)

(* Digits from the front: their number continues n, and their count continues k. *)
Fixpoint take_digits (n k : Z) (s : text) : Z * Z * text :=
  match s with
  | c :: rest => if is_digit c then take_digits (10 * n + (code c - 48)) (k + 1) rest else (n, k, s)
  | [] => (n, k, [])
  end%Z.

Definition take_sign (s : text) : Z * text :=
  match s with
  | c :: rest => if Ascii.eqb "-" c then ((-1)%Z, rest) else if Ascii.eqb "+" c then (1%Z, rest) else (1%Z, s)
  | [] => (1%Z, [])
  end.

Definition take_exponent (s : text) : option Z :=
  match s with
  | [] => Some 0%Z
  | c :: rest =>
      if Ascii.eqb "e" c || Ascii.eqb "E" c then
        let (n, s1) := take_sign rest in
        let '(e, k, s2) := take_digits 0 0 s1 in
        match s2 with [] => if (k =? 0)%Z then None else Some (n * e)%Z | _ => None end
      else None
  end.

Definition take_fraction (n : Z) (s : text) : Z * Z * text :=
  match s with c :: rest => if Ascii.eqb "." c then take_digits n 0 rest else (n, 0%Z, s) | [] => (n, 0%Z, []) end.

Definition read_scaled (s : text) : option scaled :=
  let (n, s1) := take_sign s in
  let '(w, k, s2) := take_digits 0 0 s1 in
  let '(m, p, s3) := take_fraction w s2 in
  if (k + p =? 0)%Z then None
  else match take_exponent s3 with
       | None => None
       | Some e =>
           if (m =? 0)%Z then Some zero
           else if (Z.abs e <=? 100000)%Z then Some (Scaled (n * m) (e - p)) else None
       end.

Definition canonical (d : scaled) : Q := Qred (value d).
Definition read_decimal (s : text) : option Q := option_map canonical (read_scaled s).

(* A text that no longer begins with a digit. *)
Definition ends_digits (s : text) : Prop := match s with c :: _ => is_digit c = false | [] => True end.

Lemma numeral_from n s : fold_left (fun n c => 10 * n + (code c - 48))%Z s n = (n * 10 ^ Z.of_nat (length s) +
  numeral s)%Z.
Proof.
  revert n. induction s as [|c s IH] using rev_ind; intros n.
  - cbn. unfold numeral. cbn. lia.
  - unfold numeral. rewrite !fold_left_app. cbn [fold_left]. rewrite IH. fold (numeral s).
    rewrite app_length. cbn [length]. rewrite Nat2Z.inj_add. change (Z.of_nat 1) with 1%Z.
    rewrite Z.pow_add_r by lia. lia.
Qed.

Lemma take_digits_spec s : forall n k n' k' rest, take_digits n k s = (n', k', rest) ->
  exists ds, s = ds ++ rest /\ digits ds /\ ends_digits rest /\
    n' = fold_left (fun n c => 10 * n + (code c - 48))%Z ds n /\ k' = (k + Z.of_nat (length ds))%Z.
Proof.
  induction s as [|c s IH]; intros n k n' k' rest H; cbn in H.
  - injection H as <- <- <-. exists []. repeat split; [constructor|cbn; lia].
  - destruct (is_digit c) eqn:D.
    + apply IH in H as [ds [-> [A [B [C E]]]]]. exists (c :: ds). repeat split; auto.
      * constructor; assumption.
      * cbn [length]. lia.
    + injection H as <- <- <-. exists []. repeat split; [constructor|cbn; exact D|cbn; lia].
Qed.

Lemma take_digits_complete ds : forall rest n k, digits ds -> ends_digits rest ->
  take_digits n k (ds ++ rest) =
    (fold_left (fun n c => 10 * n + (code c - 48))%Z ds n, (k + Z.of_nat (length ds))%Z, rest).
Proof.
  induction ds as [|c ds IH]; intros rest n k D E.
  - cbn [app length fold_left]. rewrite Z.add_0_r. destruct rest as [|c rest]; [reflexivity|].
    cbn in E |- *. rewrite E. reflexivity.
  - inversion_clear D as [|? ? Dc Ds]. cbn [app take_digits fold_left]. rewrite Dc, IH by assumption.
    cbn [length]. f_equal. f_equal. lia.
Qed.

Lemma take_sign_spec s n rest : take_sign s = (n, rest) -> exists before, s = before ++ rest /\ sign before n.
Proof.
  destruct s as [|c s]; cbn; [intros [= <- <-]; exists []; split; [reflexivity|constructor]|].
  destruct (Ascii.eqb_spec "-" c) as [<-|_]; [intros [= <- <-]; exists ["-"%char]; split; [reflexivity|constructor]|].
  destruct (Ascii.eqb_spec "+" c) as [<-|_]; [intros [= <- <-]; exists ["+"%char]; split; [reflexivity|constructor]|].
  intros [= <- <-]. exists []. split; [reflexivity|constructor].
Qed.

Definition begins_without_sign (s : text) : Prop :=
  match s with c :: _ => c <> "-"%char /\ c <> "+"%char | [] => True end.

Lemma take_sign_complete before n rest : sign before n -> begins_without_sign rest ->
  take_sign (before ++ rest) = (n, rest).
Proof.
  intros H N. destruct H; [|reflexivity|reflexivity]. cbn [app]. destruct rest as [|c rest]; [reflexivity|].
  destruct N as [N1 N2]. cbn.
  destruct (Ascii.eqb_spec "-" c); [congruence|]. destruct (Ascii.eqb_spec "+" c); [congruence|reflexivity].
Qed.

Lemma digit_is_no_sign c : is_digit c = true -> c <> "-"%char /\ c <> "+"%char /\ c <> "."%char.
Proof. intros H. repeat split; intros ->; discriminate. Qed.

Lemma digits_begin_without_sign ds rest : digits ds -> ds <> [] -> begins_without_sign (ds ++ rest).
Proof.
  intros D N. destruct ds as [|c ds]; [congruence|]. inversion_clear D as [|? ? Dc _]. cbn.
  apply digit_is_no_sign in Dc. tauto.
Qed.

Lemma take_exponent_spec s e : take_exponent s = Some e -> exponent_part s e.
Proof.
  destruct s as [|c s]; cbn; [intros [= <-]; constructor|].
  destruct (Ascii.eqb_spec "e" c) as [<-|_]; [|destruct (Ascii.eqb_spec "E" c) as [<-|_]; [|discriminate]]; cbn [orb];
    destruct (take_sign s) as [n s1] eqn:S; destruct (take_digits 0 0 s1) as [[m k] s2] eqn:D;
    destruct s2; try discriminate; destruct (Z.eqb_spec k 0) as [|N]; try discriminate; intros [= <-];
    apply take_sign_spec in S as [before [-> S]]; apply take_digits_spec in D as [ds [-> [A [_ [-> C]]]]];
    rewrite app_nil_r; apply exponent_and; try (cbn; tauto); try assumption;
    intros ->; cbn in C; lia.
Qed.

Lemma take_exponent_complete s e : exponent_part s e -> take_exponent s = Some e.
Proof.
  intros H. destruct H as [|e s t n I Sg D N]; [reflexivity|].
  assert (E : (Ascii.eqb "e" e || Ascii.eqb "E" e)%bool = true) by (destruct I as [<-|[<-|[]]]; reflexivity).
  unfold take_exponent. rewrite E, (take_sign_complete s n t Sg).
  - rewrite <- (app_nil_r t) at 1. rewrite take_digits_complete by (assumption || exact Logic.I).
    fold (numeral t). destruct t as [|c t]; [congruence|]. cbn [length].
    destruct (Z.eqb_spec (0 + Z.of_nat (S (length t))) 0) as [L|_]; [lia|reflexivity].
  - rewrite <- (app_nil_r t). apply digits_begin_without_sign; assumption.
Qed.

Lemma exponent_begins s e : exponent_part s e -> ends_digits s /\ match s with c :: _ => Ascii.eqb "." c = false | []
  => True end.
Proof. intros H. destruct H as [|e s t n I Sg D N]; [split; exact Logic.I|].
  destruct I as [<-|[<-|[]]]; split; reflexivity. Qed.

Lemma take_fraction_spec n s m p rest : take_fraction n s = (m, p, rest) ->
  exists after places, s = after ++ rest /\ fraction after places /\
    m = fold_left (fun n c => 10 * n + (code c - 48))%Z places n /\ p = Z.of_nat (length places).
Proof.
  destruct s as [|c s]; cbn.
  - intros [= <- <- <-]. exists [], []. repeat split; constructor.
  - destruct (Ascii.eqb_spec "." c) as [<-|N].
    + intros H. apply take_digits_spec in H as [ds [-> [A [_ [B C]]]]].
      exists ("."%char :: ds), ds. repeat split; [constructor; exact A|exact B|lia].
    + intros [= <- <- <-]. exists [], []. repeat split; constructor.
Qed.

Lemma digits_join whole places :
  fold_left (fun n c => 10 * n + (code c - 48))%Z places (numeral whole) = numeral (whole ++ places).
Proof. unfold numeral. rewrite fold_left_app. reflexivity. Qed.

Lemma canonical_zero : canonical zero = 0.
Proof. reflexivity. Qed.

Lemma read_scaled_sound s d : read_scaled s = Some d -> decimal s (canonical d).
Proof.
  unfold read_scaled. intros H.
  destruct (take_sign s) as [n s1] eqn:S. destruct (take_digits 0 0 s1) as [[w k] s2] eqn:W.
  destruct (take_fraction w s2) as [[m p] s3] eqn:F.
  destruct (Z.eqb_spec (k + p) 0) as [|K]; [discriminate|].
  destruct (take_exponent s3) as [e|] eqn:X; [|discriminate].
  apply take_sign_spec in S as [before [-> S]]. apply take_digits_spec in W as [whole [-> [W [_ [-> C]]]]].
  fold (numeral whole) in F. apply take_fraction_spec in F as [after [places [-> [F [M P]]]]].
  rewrite digits_join in M. apply take_exponent_spec in X. cbn in C.
  assert (some : whole ++ places <> []).
  { destruct whole; [|discriminate]. destruct places; [|discriminate]. cbn in *. lia. }
  exists before, n, whole, after, places, s3, e.
  repeat split; try assumption.
  - destruct (Z.eqb_spec m 0) as [Z0|_]; [left; lia|right].
    destruct (Z.leb_spec (Z.abs e) 100000); [assumption|discriminate].
  - destruct (Z.eqb_spec m 0) as [Z0|_].
    + injection H as <-. rewrite canonical_zero. rewrite <- M, Z0, Z.mul_0_r.
      change 0 with (Qred 0) at 1. apply Qred_complete. change (inject_Z 0) with 0. ring.
    + destruct (Z.leb_spec (Z.abs e) 100000); [|discriminate]. injection H as <-.
      unfold canonical, value. cbn [mantissa power]. rewrite M, P. reflexivity.
Qed.

Lemma read_scaled_complete s q : decimal s q -> exists d, read_scaled s = Some d /\ canonical d = q.
Proof.
  intros (before & n & whole & after & places & tail & e & -> & S & W & F & X & N & L & ->).
  destruct (exponent_begins tail e X) as [Xd Xp].
  unfold read_scaled. rewrite (take_sign_complete before n _ S).
  2: { destruct whole as [|c whole]; [|apply (digits_begin_without_sign (c :: whole)); [exact W|discriminate]].
       destruct F as [|places D]; [exfalso; apply N; reflexivity|]. cbn. split; discriminate. }
  rewrite take_digits_complete; [|exact W|].
  2: { destruct F; [exact Xd|reflexivity]. }
  fold (numeral whole).
  assert (T : take_fraction (numeral whole) (after ++ tail) =
    (numeral (whole ++ places), Z.of_nat (length places), tail)).
  { destruct F as [|places D].
    - rewrite app_nil_r. cbn [app length]. unfold take_fraction. destruct tail as [|c tail]; [reflexivity|].
      rewrite Xp. reflexivity.
    - cbn [app]. unfold take_fraction. cbn [Ascii.eqb]. change (Ascii.eqb "." ".") with true. cbv iota.
      rewrite take_digits_complete by assumption. rewrite digits_join. reflexivity. }
  rewrite T. destruct (Z.eqb_spec (0 + Z.of_nat (length whole) + Z.of_nat (length places)) 0) as [K|_].
  { destruct whole; [|cbn [length] in K; lia]. destruct places; [exfalso; apply N; reflexivity|cbn [length] in K;
    lia]. }
  rewrite (take_exponent_complete tail e X).
  destruct (Z.eqb_spec (numeral (whole ++ places)) 0) as [Z0|Z1].
  - exists zero. split; [reflexivity|]. rewrite canonical_zero, Z0, Z.mul_0_r.
    change 0 with (Qred 0) at 1. apply Qred_complete. change (inject_Z 0) with 0. ring.
  - destruct L as [L|L]; [congruence|]. destruct (Z.leb_spec (Z.abs e) 100000); [|lia].
    eexists. split; reflexivity.
Qed.

Theorem decimals_are_exact : Decimals_are_exact read_decimal.
Proof.
  intros s q. unfold read_decimal. split.
  - destruct (read_scaled s) as [d|] eqn:R; [|discriminate]. intros [= <-]. apply read_scaled_sound, R.
  - intros H. apply read_scaled_complete in H as [d [-> <-]]. reflexivity.
Qed.

Lemma decimal_is_unique s p q : decimal s p -> decimal s q -> p = q.
Proof.
  intros P Q. apply decimals_are_exact in P, Q. congruence.
Qed.

Lemma canonical_value d : canonical d == value d.
Proof. apply Qred_correct. Qed.
