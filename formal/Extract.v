(* Extraction to OCaml: integers become Zarith's, naturals and characters the machine's.

   The directives of this file are trusted, like those of Coq's library that it requires. *)

From Coq Require Import Ascii ZArith NArith.
From Coq Require Extraction ExtrOcamlBasic ExtrOcamlChar ExtrOcamlNatInt ExtrOcamlZBigInt.
Require Import Statements Checker.

Extract Constant N_of_ascii => "(fun c -> Big_int_Z.big_int_of_int (Char.code c))".
Extract Constant Z.pow => "(fun a n -> if Big_int_Z.sign_big_int n < 0 then Big_int_Z.zero_big_int
  else Big_int_Z.power_big_int_positive_big_int a n)".
Extract Constant Z.leb => "Big_int_Z.le_big_int".
Extract Constant Z.ltb => "Big_int_Z.lt_big_int".
Extract Constant N.eqb => "Big_int_Z.eq_big_int".
Extract Constant Z.gcd => "Big_int_Z.gcd_big_int".
Extract Constant N.succ_pos => "Big_int_Z.succ_big_int".

Extraction "checker.ml" prepare first_tally begin_lines plan_byte plan_end after_lines plan_images plan_pixel
  after_images
  of_size finish kind_of coefficient_of.
