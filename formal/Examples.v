(* Guards against empty theorems: certificates that are accepted, near misses that are not, and what follows. *)

From Coq Require Import Ascii String List ZArith NArith QArith.
From Coq Require Import Lqa.
Require Import Statements Real Decimals Checker Soundness Mistakes Runs Optimum Coefficients.
Require Logistic.
Import ListNotations.
Local Open Scope string_scope.

Definition chars : string -> text := list_ascii_of_string.
Definition line_end : string := String newline "".
Definition file (l : list string) : text := chars (String.concat line_end l).

(* ---- Decimals *)

Example decimal_point : decimal (chars "-1.50e1") (-15 # 1).
Proof. apply decimals_are_exact. reflexivity. Qed.
Example decimal_tenth : decimal (chars ".1") (1 # 10).
Proof. apply decimals_are_exact. reflexivity. Qed.
Example zero_with_any_exponent : decimal (chars "0e123456789") 0.
Proof. apply decimals_are_exact. reflexivity. Qed.

Definition no_decimal (s : string) : Prop := ~ exists q, decimal (chars s) q.
Lemma no_decimal_by_reading s : read_decimal (chars s) = None -> no_decimal s.
Proof. intros H (q & D). apply decimals_are_exact in D. congruence. Qed.
Example not_decimals : Forall no_decimal [""; "."; "+"; "1e"; "1e+"; "1.2.3"; "0x1"; "1 "; "nan"; "--1"; "1e100001"].
Proof. repeat constructor; apply no_decimal_by_reading; reflexivity. Qed.

(* ---- Certificates *)

Definition about_two (features : N) (c : option Q) (negative positive : N) : description :=
  {| asked := Two_classes; format := Libsvm false; features := features; groups :=
    [[chars "-1"]; [chars "+1"]]; left_out := [];
     bias := c; sizes := [negative; positive]; left_out_size := 0; source_sizes := [(negative + positive)%N] |}.
Definition row_term (row : N) (k : nat) (weight : Z) : term :=
  {| term_source := 0; term_row := row; term_class := k; term_rival := 0; term_weight := weight |}.
Definition facts_of (v : list (list Z)) (norm : Q) (low : option Q) (w n p : N) : separator :=
  {| vectors := v; squared_norm := norm; minimum := low; wrong := w; zero_negative := n; zero_positive := p |}.
Definition sum_of (l : list term) (q : Q) : combination := {| terms := l; squared_distance := q |}.

(* Two rows at distance 1 of the line between them. *)
Definition apart : text := file ["+1 1:1.0"; "-1 1:-1 # a comment"; ""].
Definition separates (w : Z) (low : Q) (q : Q) (n : N) (l : list claim) (says : verdict) : certificate :=
  {| stated := says; about := about_two 1 (Some 1) 1 1; separators :=
    [facts_of [[0; w]%Z] (inject_Z (w * w)) (Some low) 0 0 0];
     combinations := [sum_of [row_term 1 1 1; row_term 2 0 1] q];
     claims := [Separable 0; Margin_at_most 0; Mistakes_at_most 0 n; Rule_A 0; Closed_half_space 0;
       Errors_at_most 0 B 0] ++ l; coefficients := None; minimized := None |}.

Example separator_accepted : check (separates 1 1 1 2 [] Says_separable) [[apart]] = true.
Proof. vm_compute. reflexivity. Qed.
Example scaled_separator_accepted : check (separates 3 3 1 2 [] Says_separable) [[apart]] = true.
Proof. vm_compute. reflexivity. Qed.
Example separator_near_misses : forallb (fun c => negb (check c [[apart]]))
  [separates 1 2 1 2 [] Says_separable; separates (-1) 1 1 2 [] Says_separable; separates 0 0 1 2 [] Says_separable;
   separates 1 1 (999 # 1000) 2 [] Says_separable; separates 1 1 1 1 [] Says_separable;
     separates 1 1 1 3 [] Says_separable;
   separates 1 1 1 2 [Not_separable 0] Says_separable; separates 1 1 1 2 [Not_rule_A 0] Says_separable;
   separates 1 1 1 2 [Errors_at_least B 1 (Packing [0%nat])] Says_separable;
     separates 1 1 1 2 [Errors_at_most 0 A 1] Says_separable;
   separates 1 1 1 2 [] Says_not_separable; separates 1 1 1 2 [] Says_undecided] = true.
Proof. vm_compute. reflexivity. Qed.
Example other_data_refused : forallb (fun f => negb (check (separates 1 1 1 2 [] Says_separable) [[f]]))
  [file ["+1 1:1"; "-1 1:1"]; file ["+1 1:1"]; file ["+1 1:1"; "-1 1:-1"; "-1 1:-5"]; file ["+1 1:1"; "-1 2:-1"];
   file ["+1 1:1"; "-1 1:x"]; file ["+1 1:1"; "-1 1:-1 1:-1"]; file ["+1 1:1"; "2 1:-1"]; file ["+1 1:1";
     "-1 0:-1"]] = true.
Proof. vm_compute. reflexivity. Qed.

(* The rows that the claims speak about are there: the sum of both coordinates is what the margin is bounded by. *)
Example apart_is_separable : exists rows, sources_read (about_two 1 (Some 1) 1 1) 0 [[apart]] rows /\ separable
  (about_two 1 (Some 1) 1 1) rows.
Proof. destruct (check_is_sound _ _ separator_accepted) as (rows & R & _ & _ & _ & V & _). exists rows.
  split; [exact R|exact V]. Qed.
Example perceptron_stops : exists rows, sources_read (about_two 1 (Some 1) 1 1) 0 [[apart]] rows /\
  forall w n, perceptron (about_two 1 (Some 1) 1 1) rows w n -> (n <= 2)%N.
Proof.
  destruct (check_is_sound _ _ separator_accepted) as (rows & R & _ & _ & _ & _ & H & _). exists rows. split; [exact R|].
  do 2 apply Forall_inv_tail in H. exact (Forall_inv H).
Qed.

(* Its figures are those of the rows, none is only a bound. *)
Example apart_has_least_agreement_1 : exists rows, sources_read (about_two 1 (Some 1) 1 1) 0 [[apart]] rows /\
  exists r a, In r rows /\ agreement (about_two 1 (Some 1) 1 1) (weights_of (facts_of [[0;
    1]%Z] 1 (Some 1) 0 0 0)) r = Some a /\
    a == 1.
Proof.
  destruct (check_is_sound _ _ separator_accepted) as (rows & R & _ & S & _). exists rows. split; [exact R|].
  apply Forall_inv in S. destruct S as (_ & (L & _) & _). exact L.
Qed.

(* Two rows that contradict each other, and one that does not. *)
Definition conflict : text := file ["+1 1:0.50"; "1.0 1:3"; "-1 1:5e-1"].
Definition contradicts (l : list term) (q : Q) (more : list claim) : certificate :=
  {| stated := Says_not_separable; about := about_two 1 (Some 1) 1 2;
     separators := [facts_of [[-1; 2]%Z] 5 (Some 0) 0 1 1]; combinations := [sum_of l q];
     claims := [Not_separable 0; Not_rule_A 0; Closed_half_space 0; Errors_at_least A 1 (Packing [0%nat]);
       Errors_at_least B 1 (Witness 0 [Packing []; Packing []]); Errors_at_most 0 A 1; Errors_at_most 0 B 2] ++ more;
     coefficients := None; minimized := None |}.
Definition both : list term := [row_term 1 1 7; row_term 3 0 7].

Example conflict_accepted : check (contradicts both 0 []) [[conflict]] = true.
Proof. vm_compute. reflexivity. Qed.
Example conflict_near_misses : forallb (fun c => negb (check c [[conflict]]))
  [contradicts [row_term 1 1 7; row_term 3 0 6] 0 []; contradicts [row_term 1 1 7] 0 []; contradicts [] 0 [];
   contradicts [row_term 1 1 0; row_term 3 0 0] 0 []; contradicts [row_term 1 1 (-1); row_term 3 0 (-1)] 0 [];
   contradicts [row_term 1 1 1; row_term 2 1 (-1)] 0 []; contradicts [row_term 1 0 7; row_term 3 0 7] 0 [];
   contradicts [row_term 1 1 7; row_term 4 0 7] 0 []; contradicts both 1 []; contradicts both 0 [Margin_at_most 0];
   contradicts both 0 [Errors_at_least A 2 (Packing [0%nat])];
     contradicts both 0 [Errors_at_least A 2 (Packing [0%nat; 0%nat])];
   contradicts both 0 [Errors_at_least B 2 (Witness 0 [Packing [0%nat]; Packing []])]; contradicts both 0 [Separable 0];
   contradicts both 0 [Rule_A 0]; contradicts both 0 [Errors_at_most 0 B 1]] = true.
Proof. vm_compute. reflexivity. Qed.
Example conflict_is_not_separable : exists rows, sources_read (about_two 1 (Some 1) 1 2) 0 [[conflict]] rows /\
  ~ separable (about_two 1 (Some 1) 1 2) rows /\ forall w, (1 <= errors rows A w)%N.
Proof.
  destruct (check_is_sound _ _ conflict_accepted) as (rows & R & _ & _ & _ & V & H & _). exists rows. split; [exact R|].
    split; [exact V|].
  do 3 apply Forall_inv_tail in H. exact (Forall_inv H).
Qed.

(* Three classes. *)
Definition about_three : description :=
  {| asked := Many_classes; format := Libsvm true; features := 3; groups :=
    [[chars "a"]; [chars "b"]; [chars "c"]]; left_out := [chars "z"];
     bias := None; sizes := [1; 1; 1]%N; left_out_size := 1; source_sizes := [1; 3]%N |}.
Definition corners : list (list text) := [[file ["a 0:1"]]; [file ["b 1:1"; "z 0:9"; "c 2:1"]]].
Definition kesler (v : list (list Z)) (low : Q) (n : N) : certificate :=
  {| stated := Says_separable; about := about_three; separators := [facts_of v 3 (Some low) 0 0 0]; combinations := [];
     claims := [Separable 0; Mistakes_at_most 0 n]; coefficients := None; minimized := None |}.
Example kesler_accepted : check (kesler [[0; 1]; [0; 0; 1]; [0; 0; 0; 1]]%Z 1 6) corners = true.
Proof. vm_compute. reflexivity. Qed.
Example kesler_near_misses : forallb (fun c => negb (check c corners))
  [kesler [[0; 0; 1]; [0; 1]; [0; 0; 0; 1]]%Z 1 6; kesler [[0; 1]; [0; 0; 1]; [0; 0; 0; 1]]%Z 1 5] = true.
Proof. vm_compute. reflexivity. Qed.

(* A table: an ignored column, a number that may be missing, a category, the label. *)
Definition mushrooms (names_of : option (list string)) (m : option N) (categories : list (text * N)) : table :=
  {| delimiter := ","; quote := Some """"%char; names := option_map (map chars) names_of; missing_texts :=
    [chars "?"; chars "NA"];
     columns := [Ignored_column; Numeric_column 0 m; Categorical_column None categories; Label_column] |}.
Definition about_table (t : table) : description :=
  {| asked := Two_classes; format := Csv t; features := 4; groups := [[chars "poison"]; [chars "food"]]; left_out := [];
     bias := None; sizes := [1; 2]%N; left_out_size := 0; source_sizes := [3%N] |}.
Definition decides (t : table) (weights : list Z) (low : Q) : certificate :=
  {| stated := Says_separable; about := about_table t; separators := [facts_of [(0 :: weights)%Z] 5 (Some low) 0 0 0];
     combinations := []; claims := [Separable 0; Mistakes_at_most 0 50]; coefficients := None; minimized := None |}.
Definition head : option (list string) := Some ["id"; "size"; "a ""colour"""; "kind"].
Definition red_or_blue : list (text * N) := [(chars "red", 2%N); (chars "blue, dark", 3%N)].
Definition basket : list text :=
  [file ["id , size,""a """"colour"""""",kind"; ""; "1,3.0e0,red,food"; " 2 ,NA,""blue, dark"", food";
    "3,-1,red ,poison"]].
Example table_accepted : check (decides (mushrooms head (Some 1%N) red_or_blue) [2; 0; 0; 1]%Z 1) [basket] = true.
Proof. vm_compute. reflexivity. Qed.
Example table_near_misses : forallb (fun c => negb (check c [basket]))
  [decides (mushrooms head None red_or_blue) [2; 0; 0; 1]%Z 1; decides (mushrooms None (Some 1%N) red_or_blue) [2; 0;
    0; 1]%Z 1;
   decides (mushrooms head (Some 0%N) red_or_blue) [2; 0; 0; 1]%Z 1;
     decides (mushrooms head (Some 1%N) [(chars "red", 2%N)]) [2; 0; 0; 1]%Z 1;
   decides (mushrooms head (Some 1%N) ((chars "red", 3%N) :: red_or_blue)) [2; 0; 0; 1]%Z 1;
   decides (mushrooms (Some ["id"; "size"; "colour"; "kind"]) (Some 1%N) red_or_blue) [2; 0; 0; 1]%Z 1;
   decides (mushrooms head (Some 1%N) red_or_blue) [2; 0; 0; -1]%Z 1] = true.
Proof. vm_compute. reflexivity. Qed.

(* Labels of a table are texts: 3.1 and 3.10 are two classes, and neither is 3.100. *)
Definition versions : list text := [file ["3.1,1"; "3.10,-1"]].
Definition tells (labels : list (list text)) : certificate :=
  {| stated := Says_separable;
     about := {| asked := Two_classes; format := Csv {| delimiter := ","; quote := None; names := None;
       missing_texts := []; columns := [Label_column; Numeric_column 0 None] |}; features := 1; groups := labels;
       left_out := []; bias := None; sizes := [1; 1]%N; left_out_size := 0; source_sizes := [2%N] |};
     separators := [facts_of [[0; 1]%Z] 1 (Some 1) 0 0 0]; combinations := []; claims := [Separable 0];
     coefficients := None; minimized := None |}.
Example versions_accepted : check (tells [[chars "3.10"]; [chars "3.1"]]) [versions] = true.
Proof. vm_compute. reflexivity. Qed.
Example versions_near_misses : forallb (fun c => negb (check c [versions]))
  [tells [[chars "3.1"]; [chars "3.10"]]; tells [[chars "3.100"]; [chars "3.1"]]; tells [[chars "3.1"]; []]] = true.
Proof. vm_compute. reflexivity. Qed.

(* Images of two pixels. *)
Definition bytes (l : list N) : text := map ascii_of_N l.
Definition two_images : list text :=
  [bytes [0; 0; 8; 3; 0; 0; 0; 2; 0; 0; 0; 1; 0; 0; 0; 2; 255; 0; 0; 7]%N; bytes [0; 0; 8; 1; 0; 0; 0; 2; 9; 10]%N].
Definition sees (labels : list (list text)) (low : Q) : certificate :=
  {| stated := Says_separable; about := {| asked := Two_classes; format := Idx; features := 2; groups :=
    labels; left_out := []; bias := None;
       sizes := [1; 1]%N; left_out_size := 0; source_sizes := [2%N] |};
     separators := [facts_of [[0; 1; -1]%Z] 2 (Some low) 0 0 0]; combinations := []; claims := [Separable 0];
     coefficients := None; minimized := None |}.
Example images_accepted : check (sees [[chars "10"]; [chars "9"]] 7) [two_images] = true.
Proof. vm_compute. reflexivity. Qed.
Example images_near_misses : forallb (fun e => negb (check (fst e) [snd e]))
  [(sees [[chars "9"]; [chars "10"]] 7, two_images); (sees [[chars "10"]; [chars "9"]] 8, two_images);
   (sees [[chars "10"]; [chars "9"]] 7, map (fun s => s ++ [newline])%list two_images); (sees [[chars "10"];
     [chars "9"]] 7, rev two_images)] = true.
Proof. vm_compute. reflexivity. Qed.

(* ---- Runs: each has one, and near misses have none *)

Definition unit_point (j : N) : signed_point := [(0%nat, j, 1)].
Definition either (z : signed_point) : Prop := z = unit_point 0 \/ z = unit_point 1.
Definition two_shards : list shard :=
  [{| share := 1 # 4; ends_with := unit_point 0; errs_on := [unit_point 0] |};
   {| share := 3 # 4; ends_with := unit_point 1; errs_on := [unit_point 1] |}].
Example shards_mix : mixing either (mixed two_shards) (shared two_shards ++ []).
Proof.
  apply (mixing_goes_on either []); [constructor| |reflexivity].
  assert (H : forall z, either z -> shard_run either [] z [z]).
  { intros z P. rewrite <- (app_nil_r z) at 1. constructor; [constructor|exact P|].
    destruct P as [->| ->]; discriminate. }
  repeat constructor; cbn; try discriminate; apply H; unfold either; auto.
Qed.
(* The weights (1, 1) have margin 1 on both points, and squared length 2. *)
Definition ones : separator := facts_of [[1; 1]%Z] 2 None 0 0 0.
Example shards_stop : total fst (shared two_shards ++ []) * (1 * 1) <= 1 * 2.
Proof.
  apply (mixing_stops either _ _ shards_mix (weights_of ones)); try reflexivity; try discriminate.
  - exact (norm_bounds_length ones).
  - intros z [->| ->]; discriminate.
  - intros z [->| ->]; discriminate.
Qed.
(* Weights that are right are not updated. *)
Example no_update_without_a_mistake w v l : shard_run either (unit_point 0) w (v :: l) ->
  v <> unit_point 0 \/ l <> [].
Proof.
  intros H. destruct l as [|z l]; [left|right; discriminate]. intros ->. inversion H as [|v' l' z' R P E]; subst.
  inversion R; subst. apply E. reflexivity.
Qed.

Example a_stream : offset [hinge_round (fun _ _ => 0) (unit_point 0); hinge_round (fun _ _ => 0) (unit_point 1)] == 2.
Proof. reflexivity. Qed.
(* So no weights of length 1/2 have a total loss below 2 - sqrt(2) / 2; the penalty 1 leaves at least 1. *)
Example a_stream_is_bounded u b : squared_length_at_most u b ->
  1 <= hinge u (unit_point 0) + hinge u (unit_point 1) + (1 # 2) * b.
Proof.
  intros B.
  destruct (stream_certificate [hinge_round (fun _ _ => 0) (unit_point 0);
    hinge_round (fun _ _ => 0) (unit_point 1)]) with (u := u) (b := b)
    as [_ P]; [repeat constructor; apply hinge_is_bounded_below|exact B|].
  specialize (P 1 eq_refl). unfold total in P. cbn [map sum fold_right hinge_round loss] in P.
  assert (E : squared_length (slopes [hinge_round (fun _ _ => 0) (unit_point 0);
    hinge_round (fun _ _ => 0) (unit_point 1)]) == 2) by reflexivity.
  rewrite E, a_stream in P. assert (F : 2 / (2 * 1) == 1) by reflexivity. rewrite F in P.
  assert (H : 1 / 2 == 1 # 2) by reflexivity. rewrite H in P. lra.
Qed.
Example no_slope_but_zero_where_the_loss_is_flat : ~ bounds_below {| loss := fun _ => 0; played :=
  fun _ _ => 0; slope := unit_point 0 |}.
Proof. intros H. specialize (H (fun _ _ => 1)). cbn in H. apply H. reflexivity. Qed.

Example levels : follows (1 # 10) (1 # 2) (1 # 2) [false; false; false; true; false; false].
Proof. cbn. repeat split; intros H; try reflexivity; exfalso; revert H; unfold Qlt; cbn; discriminate. Qed.
Example an_empty_set_is_an_error : ~ follows (1 # 10) (1 # 2) 2 [false].
Proof. intros (H & _). specialize (H eq_refl). discriminate. Qed.
Example coverage errors : follows (1 # 10) (1 # 2) (1 # 2) errors ->
  total error errors - (1 # 10) * inject_Z (Z.of_nat (List.length errors)) <= 2.
Proof.
  intros F. pose proof (conformal_coverage (1 # 10) (1 # 2) (1 # 2) errors) as H. cbv zeta in H.
  assert (0 <= 1 # 10 <= 1 /\ 0 < 1 # 2 /\ 0 <= 1 # 2 <= 1) as (A & G & L) by (repeat split; discriminate).
  specialize (H A G L F). lra.
Qed.

(* ---- Coefficients: 1 is finite, 2 is infinite, 3 equals 2, and 4 and 5 can move either way. *)

Definition lines_of_all : text :=
  file ["+1 1:1"; "-1 1:1"; "+1 2:1 3:1"; "+1 4:1 5:1"; "-1 4:-2 5:-1"].
Definition about_all : description := about_two 5 None 2 3.
Definition with_regression (d : description) (s : list separator) (c : list combination) (l : list claim) (says : verdict)
  (r : regression) : certificate :=
  {| stated := says; about := d; separators := s; combinations := c; claims := l; coefficients := Some r;
     minimized := None |}.
Definition flat_at_3 : separator := facts_of [[0; 0; 1; -1; 0; 0]%Z] 2 (Some 0) 0 2 3.
Definition leads : separator := facts_of [[0; 0; 1; 0; 2; -1]%Z] 6 (Some 0) 0 1 1.
Definition along_2 : separator := facts_of [[0; 0; 1]%Z] 1 (Some 0) 0 2 2.
Definition along_4 : separator := facts_of [[0; 0; 0; 0; 1]%Z] 1 (Some 0) 0 1 2.
Definition along_5 : separator := facts_of [[0; 0; 0; 0; 0; 1]%Z] 1 (Some 0) 0 1 2.
Definition opposes : separator := facts_of [[0; 0; 0; 0; -1; 2]%Z] 5 (Some 0) 0 2 2.
Definition of_all : regression -> certificate :=
  with_regression about_all [flat_at_3; leads; along_2; along_4; along_5; opposes]
    [sum_of [row_term 1 1 1; row_term 2 0 1] 0; sum_of [row_term 3 1 1] 2] [Not_separable 0] Says_not_separable.
Definition rows_named (l : list N) : list (N * N) := map (fun n => (0%N, n)) l.
Definition all_kinds : regression :=
  {| aliased := [(3%N, 0%nat)]; rank_rows := rows_named [1; 3; 4; 5]%N; direction := Some 1%nat; witness := Some 0%nat;
     null_space := [2; 3; 4]%nat; signs := [(2%N, Plus_by 1); (4%N, Undetermined_by 5); (5%N, Undetermined_by 5)] |}.

Example all_kinds_accepted : check (of_all all_kinds) [[lines_of_all]] = true.
Proof. vm_compute. reflexivity. Qed.
Example all_kinds_are : map (coefficient_of (of_all all_kinds) all_kinds) (coordinates about_all) =
  [Finite; Plus_infinity; Aliased; Undetermined; Undetermined].
Proof. vm_compute. reflexivity. Qed.

(* A sign need not be known, and any basis of the null space will do. *)
Definition with_aliased (l : list (N * nat)) (r : regression) : regression :=
  {| aliased := l; rank_rows := rank_rows r; direction := direction r; witness := witness r; null_space := null_space r;
     signs := signs r |}.
Definition with_rank (l : list N) (r : regression) : regression :=
  {| aliased := aliased r; rank_rows := rows_named l; direction := direction r; witness := witness r;
     null_space := null_space r; signs := signs r |}.
Definition with_witness (i j : option nat) (r : regression) : regression :=
  {| aliased := aliased r; rank_rows := rank_rows r; direction := i; witness := j; null_space := null_space r;
     signs := signs r |}.
Definition with_null (l : list nat) (r : regression) : regression :=
  {| aliased := aliased r; rank_rows := rank_rows r; direction := direction r; witness := witness r; null_space := l;
     signs := signs r |}.
Definition with_signs (l : list (N * sign_proof)) (r : regression) : regression :=
  {| aliased := aliased r; rank_rows := rank_rows r; direction := direction r; witness := witness r;
     null_space := null_space r; signs := l |}.
Example other_proofs_accepted : forallb (fun r => check (of_all r) [[lines_of_all]])
  [with_signs [] all_kinds; with_null [1; 5; 4]%nat all_kinds; with_rank [2; 3; 4; 5]%N all_kinds] = true.
Proof. vm_compute. reflexivity. Qed.
Example regression_near_misses : forallb (fun r => negb (check (of_all r) [[lines_of_all]]))
  [with_aliased [] all_kinds; with_aliased [(3%N, 2%nat)] all_kinds; with_aliased [(4%N, 0%nat)] all_kinds;
   with_aliased [(2%N, 0%nat); (3%N, 0%nat)] all_kinds; with_rank [1; 3; 4]%N all_kinds;
   with_rank [1; 2; 4; 5]%N all_kinds; with_rank [1; 2; 3; 4; 5]%N all_kinds; with_rank [1; 3; 4; 6]%N all_kinds;
   with_witness (Some 0%nat) (Some 0%nat) all_kinds; with_witness (Some 2%nat) (Some 0%nat) all_kinds;
   with_witness (Some 1%nat) (Some 1%nat) all_kinds; with_witness (Some 1%nat) None all_kinds;
   with_witness None (Some 0%nat) all_kinds; with_witness None None all_kinds;
   with_witness None (Some 0%nat) (with_signs [] (with_null [] all_kinds)); with_null [2; 3]%nat all_kinds;
   with_null [2; 3; 3]%nat all_kinds; with_null [2; 3; 4; 5]%nat all_kinds; with_null [0; 3; 4]%nat all_kinds;
   with_signs [(2%N, Minus_by 1)] all_kinds; with_signs [(1%N, Plus_by 1)] all_kinds;
   with_signs [(3%N, Plus_by 1)] all_kinds; with_signs [(4%N, Plus_by 1)] all_kinds;
   with_signs [(2%N, Plus_by 0)] all_kinds; with_signs [(2%N, Undetermined_by 5)] all_kinds;
   with_signs [(4%N, Undetermined_by 3)] all_kinds] = true.
Proof. vm_compute. reflexivity. Qed.

(* What follows for these rows, from the theorem. *)
Example coefficient_2_is_infinite : exists rows, sources_read about_all 0 [[lines_of_all]] rows /\
  forall v, recedes about_all rows v -> v 0%nat 3%N == 0 -> 0 <= v 0%nat 2%N /\ v 0%nat 1%N == 0.
Proof.
  destruct (check_is_sound _ _ all_kinds_accepted) as (rows & R & _ & _ & _ & _ & _ & (_ & _ & C & _) & _). exists rows.
  split; [exact R|]. intros v Rv Z.
  assert (A : allowed about_all rows all_kinds v).
  { split; [exact Rv|]. intros j J. unfold is_aliased in J. cbn in J. destruct (N.eqb_spec 3 j) as [<-|N]; [exact Z|].
    destruct j as [|[[?|?|]|?|]]; discriminate || congruence. }
  pose proof (C 2%N ltac:(vm_compute; auto)) as [P _]. pose proof (C 1%N ltac:(vm_compute; auto)) as F. split.
  - exact (P v A).
  - exact (F v A).
Qed.

(* All rows are separated: coefficient 1 is -infinity, and 2 can move either way. *)
Definition lines_apart : text := file ["-1 1:1"; "+1 1:-2 2:1"].
Definition of_apart (by_ : separator) (says : sign_proof) : certificate :=
  with_regression (about_two 2 None 1 1) [by_; facts_of [[0; -1; -2]%Z] 5 (Some 0) 0 0 1]
    [sum_of [row_term 1 0 1] 1; sum_of [row_term 1 0 1; row_term 2 1 1] (5 # 2)]
    [] Says_undecided
    {| aliased := []; rank_rows := rows_named [1; 2]%N; direction := Some 0%nat; witness := None; null_space := [];
       signs := [(1%N, says); (2%N, Undetermined_by 1)] |}.
Definition both_apart : separator := facts_of [[0; -1; 1]%Z] 2 (Some 1) 0 0 0.
Example complete_separation_accepted : check (of_apart both_apart (Minus_by 0)) [[lines_apart]] = true.
Proof. vm_compute. reflexivity. Qed.
Example complete_separation_near_misses : forallb (fun c => negb (check c [[lines_apart]]))
  [of_apart both_apart (Plus_by 0); of_apart both_apart (Minus_by 1); of_apart both_apart (Undetermined_by 1);
   of_apart (facts_of [[0; -1; 0]%Z] 1 (Some 1) 0 0 0) (Minus_by 0);
   of_apart (facts_of [[0; -1; -2]%Z] 5 (Some 0) 0 0 1) (Minus_by 0)] = true.
Proof. vm_compute. reflexivity. Qed.

(* No row is separated, with a bias. *)
Definition of_overlap (rank : list N) (l : list (N * sign_proof)) (terms : list term) : certificate :=
  with_regression (about_two 1 (Some 1) 2 2) [] [sum_of terms 0] [Not_separable 0] Says_not_separable
    {| aliased := []; rank_rows := rows_named rank; direction := None; witness := Some 0%nat; null_space := [];
       signs := l |}.
Definition lines_overlap : text := file ["+1 1:1"; "-1 1:1"; "+1 1:2"; "-1 1:2"].
Definition every_row : list term := [row_term 1 1 1; row_term 2 0 1; row_term 3 1 3; row_term 4 0 3].
Example overlap_accepted : check (of_overlap [1; 3]%N [] every_row) [[lines_overlap]] = true.
Proof. vm_compute. reflexivity. Qed.
Example overlap_near_misses : forallb (fun c => negb (check c [[lines_overlap]]))
  [of_overlap [1; 2]%N [] every_row; of_overlap [1; 3]%N [(0%N, Plus_by 0)] every_row;
   of_overlap [1; 3]%N [] [row_term 1 1 1; row_term 2 0 1]] = true.
Proof. vm_compute. reflexivity. Qed.
Example overlap_has_no_direction : exists rows, sources_read (about_two 1 (Some 1) 2 2) 0 [[lines_overlap]] rows /\
  forall v, recedes (about_two 1 (Some 1) 2 2) rows v -> v 0%nat 0%N == 0 /\ v 0%nat 1%N == 0.
Proof.
  destruct (check_is_sound _ _ overlap_accepted) as (rows & R & _ & _ & _ & _ & _ & (_ & _ & C & _) & _). exists rows.
  split; [exact R|]. intros v Rv.
  split; [apply (C 0%N ltac:(vm_compute; auto))|apply (C 1%N ltac:(vm_compute; auto))]; (split; [exact Rv|]);
    intros j; discriminate.
Qed.

(* ---- Minima: of the two rows that are apart, w = 1 is the minimum of the hinge losses of cost 1. *)

Definition near (l : loss_kind) (both_costs : list Q) (b : bool) (w : list Z) (a : list (N * N * Z)) (p q : Q)
  : certificate :=
  {| stated := Says_undecided; about := about_two 1 (Some 1) 1 1; separators := []; combinations := []; claims := [];
     coefficients := None;
     minimized := Some {| loss_of := l; costs := both_costs; penalize_bias := b;
       solutions := [{| numerators := w; weights_over := 2; dual_variables := a; dual_variables_over := 4; primal := p;
         dual := q |}]; joint := None |} |}.
Definition of_rows (first second : Z) : list (N * N * Z) := [(0%N, 1%N, first); (0%N, 2%N, second)].

Example minimum_accepted : check (near Hinge [1; 1] true [0; 2]%Z (of_rows 2 2) (1 # 2) (1 # 2)) [[apart]] = true.
Proof. vm_compute. reflexivity. Qed.
Example other_objectives_accepted : forallb (fun c => check c [[apart]])
  [near Hinge [1; 1] true [6; 2]%Z (of_rows 2 2) 8 (1 # 2);
   near Hinge [1; 1] false [6; 2]%Z (of_rows 2 2) (7 # 2) (1 # 2);
   near Hinge [1; 1] true [0; 2]%Z (of_rows 2 1) (1 # 2) (7 # 16); near Hinge [1; 1] true [0; 2]%Z [] (1 # 2) 0;
   near Hinge [3; 1 # 3] true [0; 1]%Z (of_rows 1 1) (43 # 24) (3 # 8);
   near Squared_hinge [1 # 4; 1 # 4] true [0; 1]%Z (of_rows 1 1) (1 # 4) (1 # 4);
   near Squared_hinge [1 # 4; 1 # 4] false [0; 1]%Z (of_rows 1 1) (1 # 4) (1 # 4);
   near Squared_hinge [1 # 4; 1 # 3] true [0; 1]%Z (of_rows 1 1) (13 # 48) (17 # 64)] = true.
Proof. vm_compute. reflexivity. Qed.
Example minimum_near_misses : forallb (fun c => negb (check c [[apart]]))
  [near Hinge [1; 1] true [0; 2]%Z (of_rows 2 2) (1 # 2) (51 # 100);
   near Hinge [1; 1] true [0; 2]%Z (of_rows 2 2) (49 # 100) (1 # 2);
   near Hinge [1; 1] true [0; 3]%Z (of_rows 2 2) (1 # 2) (1 # 2);
   near Squared_hinge [1; 1] true [0; 2]%Z (of_rows 2 2) (1 # 2) (1 # 2);
   (* a dual variable above its cost, below 0, or of no row *)
   near Hinge [1; 1 # 4] true [0; 2]%Z (of_rows 2 2) (1 # 2) (1 # 2);
   near Hinge [1 # 4; 1] true [0; 2]%Z (of_rows 2 2) (1 # 2) (1 # 2);
   near Hinge [1; 1] true [0; 2]%Z (of_rows 5 (-1)) (1 # 2) (1 # 2);
   near Hinge [1; 1] true [0; 2]%Z ((0%N, 3%N, 2%Z) :: of_rows 2 2) (1 # 2) (1 # 2);
   near Squared_hinge [1; 1] true [0; 2]%Z (of_rows 2 (-1)) (1 # 2) (1 # 32);
   (* sums that differ, without a penalty of the bias *)
   near Hinge [1; 1] false [0; 2]%Z (of_rows 2 1) (1 # 2) (7 # 16);
   near Hinge [1; 1] false [0; 2]%Z (of_rows 2 1) (1 # 2) (15 # 32);
   near Hinge [1; 1] true [6; 2]%Z (of_rows 2 2) (7 # 2) (1 # 2);
   near Hinge [1; 1] false [6; 2]%Z (of_rows 2 2) 8 (1 # 2);
   (* costs *)
   near Hinge [1; 0] true [0; 2]%Z [(0%N, 2%N, 2%Z)] (1 # 2) (1 # 4);
   near Hinge [1] true [0; 2]%Z (of_rows 2 2) (1 # 2) (1 # 2);
   near Hinge [1; 1; 1] true [0; 2]%Z (of_rows 2 2) (1 # 2) (1 # 2);
   near Hinge [1 # 3; 3] true [0; 1]%Z (of_rows 1 1) (43 # 24) (13 # 32);
   near Squared_hinge [1 # 3; 1 # 4] true [0; 1]%Z (of_rows 1 1) (13 # 48) (1 # 4)] = true.
Proof. vm_compute. reflexivity. Qed.

(* Logistic losses: the primal is 1.07315..., and the dual 0.99967..., or 0.92295... for other costs. *)
Definition both_halves : list Z -> list (N * N * Z) -> Q -> Q -> certificate := near Logistic [1; 1] true.
Example logistic_minimum_accepted : forallb (fun c => check c [[apart]])
  [both_halves [0; 1]%Z (of_rows 1 1) (10732 # 10000) (9996 # 10000);
   both_halves [0; 1]%Z (of_rows 4 4) (10732 # 10000) (-2);
   near Logistic [3; 1 # 3] true [0; 1]%Z (of_rows 1 1) (17053 # 10000) (9229 # 10000);
   near Logistic [1; 1] false [6; 1]%Z (of_rows 1 1) (27337 # 10000) (9996 # 10000)] = true.
Proof. vm_compute. reflexivity. Qed.
Example logistic_near_misses : forallb (fun c => negb (check c [[apart]]))
  [both_halves [0; 1]%Z (of_rows 1 1) (10731 # 10000) (9996 # 10000);
   both_halves [0; 1]%Z (of_rows 1 1) (10732 # 10000) (9997 # 10000);
   both_halves [0; 1]%Z (of_rows 1 5) (10732 # 10000) (-100);
   both_halves [0; 1]%Z (of_rows 1 (-1)) (10732 # 10000) (-100);
   near Logistic [3; 1 # 3] true [0; 1]%Z (of_rows 2 1) (17053 # 10000) (-100);
   near Logistic [1; 1] false [6; 1]%Z (of_rows 1 2) (27337 # 10000) (-100);
   near Logistic [1; 1] true [6; 1]%Z (of_rows 1 1) (27337 # 10000) (9996 # 10000)] = true.
Proof. vm_compute. reflexivity. Qed.

(* What follows, from the theorem: no weights have an objective below 1/2, so w = 1 is a minimum, and the only one. *)
Definition at_one : solution :=
  {| numerators := [0; 2]%Z; weights_over := 2; dual_variables := of_rows 2 2; dual_variables_over := 4;
     primal := 1 # 2; dual := 1 # 2 |}.
Definition apart_objective : list row -> weights -> Q := fun rows =>
  objective (about_two 1 (Some 1) 1 1) rows
    {| loss_of := Hinge; costs := [1; 1]; penalize_bias := true; solutions := [at_one]; joint := None |} 1.
Example minimum_is_one : exists rows, sources_read (about_two 1 (Some 1) 1 1) 0 [[apart]] rows /\ forall w,
  1 # 2 <= apart_objective rows w /\ (apart_objective rows w == 1 # 2 -> w 0%nat 0%N == 0 /\ w 0%nat 1%N == 1).
Proof.
  destruct (check_is_sound _ _ minimum_accepted) as (rows & R & _ & _ & _ & _ & _ & _ & _ & _ & M). exists rows.
  split; [exact R|]. inversion_clear M as [|? ? ? ? [P D] _].
  assert (P1 : apart_objective rows (solution_weights at_one) == 1 # 2) by exact P.
  assert (B : forall w, 1 # 2 <= apart_objective rows w) by exact (fun w => proj1 (D w)).
  intros w. split; [exact (B w)|]. intros E.
  assert (L : forall v, apart_objective rows w <= apart_objective rows v) by (intros v; specialize (B v); lra).
  pose proof (proj2 (D (solution_weights at_one)) w L) as N. fold (apart_objective rows) in N.
  assert (N1 : ((0 # 2) - w 0%nat 0%N) * ((0 # 2) - w 0%nat 0%N) +
      (((2 # 2) - w 0%nat 1%N) * ((2 # 2) - w 0%nat 1%N) + 0)
    <= 2 * (apart_objective rows (solution_weights at_one) - (1 # 2))) by exact N.
  rewrite P1 in N1. set (x := w 0%nat 0%N) in *. set (y := w 0%nat 1%N) in *.
  pose proof (Algebra.square_nonneg ((0 # 2) - x)). pose proof (Algebra.square_nonneg ((2 # 2) - y)).
  assert (X : ((0 # 2) - x) * ((0 # 2) - x) == 0) by lra. assert (Y : ((2 # 2) - y) * ((2 # 2) - y) == 0) by lra.
  apply Qmult_integral in X. apply Qmult_integral in Y. split; [destruct X|destruct Y]; lra.
Qed.

(* Three classes: each against the rest, and a row without a class. *)
Definition corner (w : list Z) (a : list (N * N * Z)) : solution :=
  {| numerators := w; weights_over := 1; dual_variables := a; dual_variables_over := 3; primal := 3 # 2;
     dual := 3 # 2 |}.
Definition each_row : list (N * N * Z) := [(0%N, 1%N, 3%Z); (1%N, 1%N, 3%Z); (1%N, 3%N, 3%Z)].
Definition by_class (l : list solution) : certificate :=
  {| stated := Says_undecided; about := about_three; separators := []; combinations := []; claims := [];
     coefficients := None;
     minimized := Some {| loss_of := Hinge; costs := [1; 1; 1]; penalize_bias := true; solutions := l;
       joint := None |} |}.
Definition first_corner : solution := corner [0; 1; -1; -1]%Z each_row.
Definition second_corner : solution := corner [0; -1; 1; -1]%Z each_row.
Definition third_corner : solution := corner [0; -1; -1; 1]%Z each_row.
Example each_class_accepted : check (by_class [first_corner; second_corner; third_corner]) corners = true.
Proof. vm_compute. reflexivity. Qed.
Example each_class_near_misses : forallb (fun c => negb (check c corners))
  [by_class [first_corner; second_corner]; by_class [first_corner; second_corner; third_corner; third_corner];
   by_class [second_corner; first_corner; third_corner]; by_class [first_corner; second_corner; second_corner];
   by_class [first_corner; second_corner; corner [0; -1; -1; 1]%Z ((1%N, 2%N, 3%Z) :: each_row)];
   by_class [first_corner; second_corner; corner [0; -1; -1; 1]%Z (tl each_row)]] = true.
Proof. vm_compute. reflexivity. Qed.

(* A multinomial loss: the primal is 2.75813..., and the dual 2.29583... *)
Definition vector (w : list Z) (a : list (N * N * Z)) : solution :=
  {| numerators := w; weights_over := 2; dual_variables := a; dual_variables_over := 3; primal := 0; dual := 0 |}.
Definition together (l : list solution) (p q : Q) : certificate :=
  {| stated := Says_undecided; about := about_three; separators := []; combinations := []; claims := [];
     coefficients := None;
     minimized := Some {| loss_of := Logistic; costs := [1; 1; 1]; penalize_bias := true; solutions := l;
       joint := Some (p, q) |} |}.
Definition row_a (n : Z) := (0%N, 1%N, n).
Definition row_b (n : Z) := (1%N, 1%N, n).
Definition row_c (n : Z) := (1%N, 3%N, n).
Definition vector_a : solution := vector [0; 1]%Z [row_b 1; row_c 1].
Definition vector_b : solution := vector [0; 0; 1]%Z [row_a 1; row_c 1].
Definition vector_c : solution := vector [0; 0; 0; 1]%Z [row_a 1; row_b 1].
Example multinomial_minimum_accepted : forallb (fun c => check c corners)
  [together [vector_a; vector_b; vector_c] (27582 # 10000) (22958 # 10000);
   together [vector_a; vector_b; vector [0; 0; 0; 1]%Z []] (27582 # 10000) (1816 # 1000)] = true.
Proof. vm_compute. reflexivity. Qed.
Example multinomial_near_misses : forallb (fun c => negb (check c corners))
  [together [vector_a; vector_b; vector_c] (27581 # 10000) (22958 # 10000);
   together [vector_a; vector_b; vector_c] (27582 # 10000) (22959 # 10000);
   together [vector_b; vector_a; vector_c] (27582 # 10000) (-100);
   together [vector_a; vector_b] (27582 # 10000) (-100);
   together [vector [0; 1]%Z [row_a 1; row_b 1; row_c 1]; vector_b; vector_c] (27582 # 10000) (-100);
   together [vector [0; 1]%Z [row_b 3; row_c 1]; vector_b; vector_c] (27582 # 10000) (-100);
   together [vector [0; 1]%Z [row_b (-1); row_c 1]; vector_b; vector_c] (27582 # 10000) (-100);
   together [vector [0; 1]%Z [row_b 1; row_c 1; (1%N, 2%N, 1%Z)]; vector_b; vector_c] (27582 # 10000) (-100);
   together [first_corner; second_corner; vector_c] 100 (-100)] = true.
Proof. vm_compute. reflexivity. Qed.

(* ---- The types are those of Statements.v and Real.v *)

Definition the_theorem : Check_is_sound check := check_is_sound.
Definition the_reading : Decimals_are_exact read_decimal := decimals_are_exact.
Definition the_runs : Mixing_bound /\ Mixing_stops /\ Stream_certificate /\ Conformal_coverage :=
  conj mixing_bound (conj mixing_stops (conj stream_certificate conformal_coverage)).
Definition the_dualities : Hinge_duality /\ Squared_hinge_duality := conj hinge_duality squared_hinge_duality.
Definition the_logistic_theorem : Logistic_minima_are_sound check :=
  Logistic.logistic_minima_are_sound.
