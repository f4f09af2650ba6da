(* Exponentials and logarithms in fixed point, rounded to one side: functions only. Exponentials.v proves them, with the
   real numbers of Coq's library.

   An exponential is a power of a number near 1: (1 + x / 2^104)^(2^104) <= e^x, by 104 squarings. A logarithm is
   guessed by a series, and counts only if its exponential shows it: nothing is proved of the guess. Logarithms and
   arguments of exponentials are integers over 2^104, and exponentials over 2^208. *)

From Coq Require Import List ZArith QArith Qround.
Import ListNotations.

Definition fraction_bits : Z := 104.
Definition doublings : nat := 104.
Definition unity : positive := 2 ^ 104.
Definition unity_squared : Z := 2 ^ 208.

(* ---- Exponentials *)

Definition product_below (a b : Z) : Z := Z.shiftr (a * b) 208.
Definition product_above (a b : Z) : Z := (- Z.shiftr (- (a * b)) 208)%Z.

Fixpoint squared_often (product : Z -> Z -> Z) (n : nat) (y : Z) : Z :=
  match n with O => y | S m => squared_often product m (product y y) end.

(* At most e^x. *)
Definition exponential_below (x : Z) : Z :=
  let y := (unity_squared + x)%Z in if (0 <=? y)%Z then squared_often product_below doublings y else 0.

(* At least e^-x, for x >= 0. *)
Definition exponential_above (x : Z) : Z :=
  if (x =? 0)%Z then unity_squared
  else squared_often product_above doublings (unity_squared * unity_squared / (unity_squared + x) + 1).

(* ---- Logarithms *)

(* The sum of z^n / n over odd n from k, given power = z^k and square = z^2. *)
Fixpoint odd_powers (terms : nat) (power square k : Z) : Z :=
  match terms with
  | O => 0
  | S rest => power / k + odd_powers rest (Z.shiftr (power * square) fraction_bits) square (k + 2)
  end%Z.

(* About ln (a / b) for a near b: 2 artanh ((a - b) / (a + b)). *)
Definition logarithm_near_one (terms : nat) (a b : Z) : Z :=
  let z := (Z.shiftl (a - b) fraction_bits / (a + b))%Z in
  (2 * odd_powers terms z (Z.shiftr (z * z) fraction_bits) 1)%Z.
Definition logarithm_of_two : Z := Eval vm_compute in logarithm_near_one 40 2 1.

(* About ln (y / 2^208), for y > 0. *)
Definition about_logarithm (y : Z) : Z :=
  let b := Z.log2 y in
  let r := Z.shiftr y (b - fraction_bits) in
  let e := (b - 208)%Z in
  if (Z.shiftl r 2 <? 6 * Zpos unity)%Z then (e * logarithm_of_two + logarithm_near_one 24 r (Zpos unity))%Z
  else ((e + 1) * logarithm_of_two + logarithm_near_one 24 r (2 * Zpos unity))%Z.

(* What a guess lacks, and its exponential, is less than 2^-95 (1 + its square). *)
Definition raised (l : Z) : Z := (l + 512 * (1 + Z.shiftr (l * l) 208))%Z.

(* At least ln (n / d), if [otherwise] is. *)
Definition logarithm_above (otherwise n d : Z) : Z :=
  let y := (n * unity_squared / d)%Z in
  let l := if (0 <? y)%Z then raised (about_logarithm y) else otherwise in
  if (n * unity_squared <=? exponential_below l * d)%Z then l else otherwise.

(* At least ln (1 + sum of e^-m) = t + ln (e^-t + sum of e^-(m + t)). *)
Definition softmax_above (l : list Z) : Z :=
  let t := fold_right (fun m => Z.max (- m)) 0%Z l in
  let s := fold_right (fun m => Z.add (exponential_above (m + t))) (exponential_above t) l in
  (t + logarithm_above (Z.shiftr (s - unity_squared) fraction_bits + 1) s unity_squared)%Z.

(* ---- Of fractions *)

(* At most q. *)
Definition fixed_below (q : Q) : Z := Qfloor (q * inject_Z (Zpos unity)).

(* At least ln q, for q <= 1. *)
Definition fixed_log_above (q : Q) : Z :=
  if (Qle_bool q 0 || Qle_bool 1 q)%bool then 0 else logarithm_above 0 (Qnum q) (Zpos (Qden q)).
Definition log_above (q : Q) : Q := fixed_log_above q # unity.

(* At least ln (1 + sum of e^-m). *)
Definition fixed_loss_above (l : list Q) : Z := softmax_above (map fixed_below l).
Definition softmax_loss_above (l : list Q) : Q := fixed_loss_above l # unity.
