(* The checker: functions only. Soundness.v proves them.

   One pass over the rows measures every separator and every objective (Objective.v), keeps the rows that combinations
   name, and counts. [finish] then compares what is stated with what was found, and checks the claims. *)

From Coq Require Import Ascii List ZArith NArith QArith.
Require Import Statements Decimals Tries Reading Algebra Elimination Objective.
Import ListNotations.

Definition term_id (t : term) : id := (term_source t, term_row t).

(* ---- Separators *)

(* The products of a row's signed points with the weights. *)
Definition agreements (d : description) (tries : list (trie Z)) (k : nat) (x : list cell) : list scaled :=
  match asked d with
  | Two_classes => let s := score_of (nth 0 tries Leaf) x in [if Nat.eqb k 1 then s else negate s]
  | Many_classes =>
      let scores := map (fun t => score_of t x) tries in
      let own := nth k scores zero in
      map (fun rival => subtract own (nth rival scores zero))
        (filter (fun rival => negb (Nat.eqb rival k)) (seq 0 (length (groups d))))
  end.

Fixpoint smallest (l : list scaled) : option scaled :=
  match l with
  | [] => None
  | a :: rest => Some (match smallest rest with None => a | Some b => if below b a then b else a end)
  end.

Record facts := { least : option scaled; n_wrong : N; n_zero_negative : N; n_zero_positive : N; n_right : N }.
Definition no_facts : facts :=
  {| least := None; n_wrong := 0; n_zero_negative := 0; n_zero_positive := 0; n_right := 0 |}.

Definition lower (before : option scaled) (a : scaled) : option scaled :=
  match before with None => Some a | Some b => if below a b then Some a else Some b end.

(* Counts a row of class k whose smallest product with the weights is known. *)
Definition record (d : description) (k : nat) (f : facts) (found : option scaled) : facts :=
  match found with
  | None => f
  | Some a =>
      let low := lower (least f) a in
      match (mantissa a ?= 0)%Z with
      | Lt => {| least := low; n_wrong := n_wrong f + 1; n_zero_negative := n_zero_negative f;
                 n_zero_positive := n_zero_positive f; n_right := n_right f |}
      | Gt => {| least := low; n_wrong := n_wrong f; n_zero_negative := n_zero_negative f;
                 n_zero_positive := n_zero_positive f; n_right := n_right f + 1 |}
      | Eq =>
          if match asked d with Two_classes => Nat.eqb k 1 | Many_classes => false end
          then {| least := low; n_wrong := n_wrong f; n_zero_negative := n_zero_negative f;
                  n_zero_positive := n_zero_positive f + 1; n_right := n_right f |}
          else {| least := low; n_wrong := n_wrong f; n_zero_negative := n_zero_negative f + 1;
                  n_zero_positive := n_zero_positive f; n_right := n_right f |}
      end
  end.

Definition measure (d : description) (tries : list (trie Z)) (f : facts) (r : exact_row) : facts :=
  match row_class r with
  | None => f
  | Some k => record d k f (smallest (agreements d tries k (cells r)))
  end.

Definition norm_of (s : separator) : Z :=
  fold_left (fun n v => fold_left (fun n x => n + x * x) v n)%Z (vectors s) 0%Z.

Definition separator_is_exact (s : separator) (f : facts) : bool :=
  is_fraction (Scaled (norm_of s) 0) (squared_norm s) &&
  match least f, minimum s with
  | None, None => true
  | Some a, Some q => is_fraction a q
  | _, _ => false
  end &&
  N.eqb (n_wrong f) (wrong s) && N.eqb (n_zero_negative f) (zero_negative s) && N.eqb (n_zero_positive f)
    (zero_positive s).

(* ---- The pass over the rows *)

Record tally := {
  measured : list (list (trie Z) * facts);
  metered : list (meter * sums);
  joined : option (minimization * pricing * list meter * joint_sums);
  kept : id_map exact_row;
  class_counts : list N;
  out_count : N;
  radius : scaled;    (* the largest squared length of a row *)
  fitting : bool      (* whether every row meets the conditions of a regression *)
}.

Fixpoint bump (k : nat) (l : list N) : list N :=
  match l, k with
  | [], _ => []
  | n :: rest, O => (n + 1)%N :: rest
  | n :: rest, S k' => n :: bump k' rest
  end.

(* What every row must meet if the certificate is about a regression. *)
Record conditions := {
  known : trie unit;           (* the coordinates *)
  always_zero : list nat;      (* separators of score 0 *)
  leading : option nat;        (* where this one has score 0 ... *)
  following : list nat         (* ... these have, too *)
}.

Definition flat (found : list (option scaled)) (i : nat) : bool :=
  match nth i found None with Some a => (mantissa a =? 0)%Z | None => false end.
Definition fits (n : conditions) (x : list cell) (found : list (option scaled)) : bool :=
  forallb (fun e => member (fst e) (known n)) x &&
  forallb (flat found) (always_zero n) &&
  match leading n with Some i => if flat found i then forallb (flat found) (following n) else true | None => true end.

Definition length_of (x : list cell) : scaled := fold_left (fun s '(_, v) => add s (multiply v v)) x zero.

Definition add_row (d : description) (wanted : id_map unit) (with_radius : bool) (regress : option conditions)
  (t : tally) (r : exact_row) : tally :=
  match row_class r with
  | None => {| measured := measured t; metered := metered t; joined := joined t; kept := kept t;
               class_counts := class_counts t; out_count := out_count t + 1; radius := radius t;
               fitting := fitting t |}
  | Some k =>
      let found := map (fun e => smallest (agreements d (fst e) k (cells r))) (measured t) in
      {| measured := map (fun '((tries, f), a) => (tries, record d k f a)) (combine (measured t) found);
         metered := map (fun '(m, s) => (m, weigh_row m s k r)) (metered t);
         joined := option_map (fun '(o, p, ms, s) => (o, p, ms, weigh_jointly d p (joint_over o) ms s k r)) (joined t);
         kept := match find_id wanted (row_source r, row_number r) with
                 | Some _ => put_id (row_source r, row_number r) r (kept t)
                 | None => kept t
                 end;
         class_counts := bump k (class_counts t);
         out_count := out_count t;
         radius := if with_radius then
                     let l := length_of (cells r) in if below (radius t) l then l else radius t
                   else radius t;
         fitting := match regress with
                    | Some n => if fitting t then fits n (cells r) found else false
                    | None => true
                    end |}
  end.

Definition wanted_rows (c : certificate) : id_map unit :=
  fold_left (fun m combination => fold_left (fun m t => put_id (term_id t) tt m) (terms combination) m)
    (combinations c)
    (fold_left (fun m i => put_id i tt m) (match coefficients c with Some l => rank_rows l | None => [] end) Leaf).

Definition asks_for_radius (c : certificate) : bool :=
  existsb (fun claim => match claim with Mistakes_at_most _ _ => true | _ => false end) (claims c).

Definition meters_of (d : description) (o : minimization) : list meter :=
  let p := pricing_of o in map (fun '(own, s) => meter_of p own s) (combine (own_classes d) (solutions o)).

Definition joint_meters (o : minimization) : minimization * pricing * list meter * joint_sums :=
  let p := pricing_of o in (o, p, map (meter_of p 0) (solutions o), no_joint_sums).

Definition first_tally (c : certificate) : tally :=
  {| measured := map (fun s => (map weight_trie (vectors s), no_facts)) (separators c);
     metered := match minimized c with
       | Some o => match joint o with None => map (fun m => (m, no_sums)) (meters_of (about c) o) | Some _ => [] end
       | None => []
       end;
     joined := match minimized c with Some o => option_map (fun _ => joint_meters o) (joint o) | None => None end;
     kept := Leaf; class_counts := map (fun _ => 0%N) (groups (about c)); out_count := 0; radius := zero;
     fitting := true |}.

(* ---- Combinations *)

Definition assemble_term (d : description) (rows : id_map exact_row) (b : option bank) (t : term) : option bank :=
  match b, find_id rows (term_id t) with
  | Some b, Some r =>
      if match row_class r with Some k => Nat.eqb k (term_class t) | None => false end && (0 <? term_weight t)%Z then
        match asked d with
        | Two_classes =>
            Some (add_cells 0 (if Nat.eqb (term_class t) 1 then term_weight t else - term_weight t) (cells r) b)
        | Many_classes =>
            if negb (Nat.eqb (term_rival t) (term_class t)) && Nat.ltb (term_rival t) (length (groups d)) then
              Some (add_cells (term_rival t) (- term_weight t) (cells r)
                     (add_cells (term_class t) (term_weight t) (cells r) b))
            else None
        end
      else None
  | _, _ => None
  end.

Definition total_weight (c : combination) : Z := fold_left (fun n t => n + term_weight t)%Z (terms c) 0%Z.

(* The squared length of the sum, if all terms are rows of the question. *)
Definition assembled (d : description) (rows : id_map exact_row) (c : combination) : option scaled :=
  match terms c with
  | [] => None
  | _ => option_map squares (fold_left (assemble_term d rows) (terms c) (Some []))
  end.

Definition combination_is_exact (d : description) (rows : id_map exact_row) (c : combination) : bool :=
  match assembled d rows c with
  | None => false
  | Some s => is_fraction s (squared_distance c * inject_Z (total_weight c * total_weight c))
  end.

(* ---- Claims *)

Definition is_witness (c : combination) : bool := (Qnum (squared_distance c) =? 0)%Z.
Definition has_negative_row (c : combination) : bool := existsb (fun t => Nat.eqb (term_class t) 0) (terms c).
Definition forces_error (t : tie) (c : combination) : bool :=
  is_witness c && match t with A => has_negative_row c | B => true end.

Definition unused (gone : id_map unit) (i : id) : bool := match find_id gone i with Some _ => false | None => true end.

Section Trees.
Variable all : list combination.
Variable t : tie.

(* The combination, if it forces an error among rows that still count. *)
Definition fresh (gone : id_map unit) (i : nat) : option combination :=
  match nth_error all i with
  | Some c => if forces_error t c && forallb (fun x => unused gone (term_id x)) (terms c) then Some c else None
  | None => None
  end.

Fixpoint packing_value (gone : id_map unit) (l : list nat) : option N :=
  match l with
  | [] => Some 0%N
  | i :: rest =>
      match fresh gone i with
      | None => None
      | Some c => option_map N.succ (packing_value (fold_left (fun m x => put_id (term_id x) tt m) (terms c) gone) rest)
      end
  end.

Fixpoint tree_value (gone : id_map unit) (this : tree) : option N :=
  match this with
  | Packing l => packing_value gone l
  | Witness i branches =>
      match fresh gone i with
      | None => None
      | Some c =>
          (fix least_of (l : list term) (b : list tree) {struct b} : option N :=
             match l, b with
             | [x], [one] => option_map N.succ (tree_value (put_id (term_id x) tt gone) one)
             | x :: l', one :: b' =>
                 match tree_value (put_id (term_id x) tt gone) one, least_of l' b' with
                 | Some m, Some n => Some (N.min (N.succ m) n)
                 | _, _ => None
                 end
             | _, _ => None
             end) (terms c) branches
      end
  end.
End Trees.

Definition two_classes (d : description) : bool := match asked d with Two_classes => true | Many_classes => false end.
Definition is_right (f : facts) : bool := match least f with None => true | Some a => (0 <? mantissa a)%Z end.

Definition claim_follows (c : certificate) (t : tally) (this : claim) : bool :=
  let d := about c in
  let fact i := option_map snd (nth_error (measured t) i) in
  match this with
  | Separable i => match fact i with Some f => is_right f | None => false end
  | Not_separable i => match nth_error (combinations c) i with Some x => is_witness x | None => false end
  | Margin_at_most i => match nth_error (combinations c) i with Some x => negb (is_witness x) | None => false end
  | Mistakes_at_most i n =>
      match fact i, nth_error (separators c) i with
      | Some f, Some s =>
          match least f with
          | Some a =>
              let top := multiply_whole ((if two_classes d then 1 else 2) * norm_of s) (radius t) in
              let unit := multiply a a in
              (0 <? mantissa a)%Z && negb (below top (multiply_whole (Z.of_N n) unit)) &&
              below top (multiply_whole (Z.of_N n + 1) unit)
          | None => false
          end
      | _, _ => false
      end
  | Rule_A i =>
      match fact i with Some f => two_classes d && N.eqb (n_wrong f + n_zero_negative f) 0 | None => false end
  | Not_rule_A i =>
      match nth_error (combinations c) i with Some x => two_classes d && forces_error A x | None => false end
  | Closed_half_space i =>
      match fact i with Some f => two_classes d && N.eqb (n_wrong f) 0 && negb (N.eqb (n_right f) 0) | None => false end
  | Errors_at_most i tie n =>
      match fact i with
      | Some f =>
          two_classes d &&
          N.eqb (n_wrong f + n_zero_negative f + match tie with A => 0 | B => n_zero_positive f end)%N n
      | None => false
      end
  | Errors_at_least tie n proof =>
      two_classes d && match tree_value (combinations c) tie Leaf proof with Some m => N.eqb m n | None => false end
  end.

Definition claims_separable (c : certificate) : bool :=
  existsb (fun this => match this with Separable _ => true | _ => false end) (claims c).
Definition claims_not_separable (c : certificate) : bool :=
  existsb (fun this => match this with Not_separable _ => true | _ => false end) (claims c).

(* Separable is said if it is claimed; else not separable if that is claimed; else undecided. *)
Definition verdict_follows (c : certificate) : bool :=
  match stated c with
  | Says_separable => claims_separable c
  | Says_not_separable => negb (claims_separable c) && claims_not_separable c
  | Says_undecided => negb (claims_separable c) && negb (claims_not_separable c)
  end.

(* ---- The coefficients of a regression *)

Definition aliased_paths (l : regression) : list path := map (fun e => path_of (fst e)) (aliased l).

Definition conditions_of (c : certificate) : option conditions :=
  match coefficients c with
  | None => None
  | Some l =>
      Some {| known := set_of (all_coordinates (about c)); always_zero := map snd (aliased l);
              leading := direction l; following := null_space l |}
  end.

(* Each vector is 0 at the pivots of later ones, but not at its own. *)
Fixpoint triangular (b : basis) : bool :=
  match b with
  | [] => true
  | (p, x) :: rest =>
      negb (at_path x p =? 0)%Z && forallb (fun e => (at_path x (fst e) =? 0)%Z) rest && triangular rest
  end.

(* Who is 0 at the solved paths, and meets each vector at a product of 0, is 0 at the pivots, too. *)
Fixpoint solves (solved : trie unit) (b : basis) (l : list path) : bool :=
  match b with
  | [] => forallb (fun p => member p solved) l
  | (p, x) :: rest =>
      let y := without solved x in
      negb (at_path y p =? 0)%Z && is_zero (without (put p tt Leaf) y) && solves (put p tt solved) rest l
  end.

Definition unit_vector (p : path) : vector := put p 1%Z Leaf.
Definition determines (b : basis) (p : path) : bool := is_zero (reduce b (unit_vector p)).

(* y is a positive multiple of x. *)
Definition same_ray (x y : vector) : bool :=
  match pivot Leaf x with
  | None => false
  | Some p =>
      let a := at_path x p in
      let b := at_path y p in
      (0 <? a * b)%Z && is_zero (mix b x (- a) y)
  end.

Inductive part :=
| Two_classes_only | Aliased_coordinates | Identified_coordinates | Weights_of_aliased | The_direction | The_kind
| Every_row | The_span | Finite_coefficients | Signs_of_coefficients.

Section Regression.
Variable c : certificate.
Variable t : tally.
Variable l : regression.
Let d := about c.

Definition separator_vector (i : nat) : option vector :=
  option_map (fun s => weight_trie (nth 0 (vectors s) [])) (nth_error (separators c) i).
Definition fact (i : nat) : option facts := option_map snd (nth_error (measured t) i).
Definition no_wrong (i : nat) : bool := match fact i with Some f => N.eqb (n_wrong f) 0 | None => false end.

Let gone : trie unit := set_of (aliased_paths l).
Let remaining : list path := filter (fun p => negb (member p gone)) (all_coordinates d).

Definition aliased_holds (e : N * nat) : bool :=
  match separator_vector (snd e) with
  | None => false
  | Some u =>
      negb (at_path u (path_of (fst e)) =? 0)%Z &&
      forallb (fun i => N.eqb (fst i) (fst e) || (at_path u (path_of (fst i)) =? 0)%Z) (aliased l)
  end.

Definition row_vectors (ids : list id) : option (list vector) :=
  fold_right (fun i rest => match rest, find_id (kept t) i with
    | Some vs, Some r =>
        if row_class r then Some (without gone (vector_of (cells r)) :: vs) else None
    | _, _ => None
    end) (Some []) ids.

Definition rank_basis : option basis :=
  option_map (echelon Leaf (length remaining)) (row_vectors (rank_rows l)).

Definition zero_at_aliased (i : nat) : bool :=
  match separator_vector i with
  | Some u => forallb (fun p => (at_path u p =? 0)%Z) (aliased_paths l)
  | None => false
  end.

Definition witness_combination : option combination :=
  match witness l with Some i => nth_error (combinations c) i | None => None end.

Definition witness_basis : option basis :=
  match witness_combination with
  | None => Some []
  | Some x =>
      option_map (echelon Leaf (length remaining - length (null_space l))) (row_vectors (map term_id (terms x)))
  end.

Definition null_vectors : list vector :=
  flat_map (fun i => match separator_vector i with Some u => [u] | None => [] end) (null_space l).

Definition null_basis (b : basis) : basis := echelon (set_of (map fst b)) (length (null_space l)) null_vectors.

(* What is 0 on the witness's rows, and at aliased coordinates, is a sum of multiples of the null space. *)
Definition spans (b : basis) : bool :=
  let n := null_basis b in
  Nat.eqb (length n) (length (null_space l)) && triangular n &&
  forallb (fun e => forallb (fun p => (at_path (snd e) p =? 0)%Z) (aliased_paths l)) n &&
  solves (set_of (map fst n)) b remaining.

Definition direction_vector : vector :=
  match direction l with
  | Some i => match separator_vector i with Some u => u | None => Leaf end
  | None => Leaf
  end.

Definition sum_vector (i : nat) : option vector :=
  match nth_error (combinations c) i with
  | None => None
  | Some x =>
      match fold_left (assemble_term d (kept t)) (terms x) (Some []) with
      | Some [entries] => Some (without gone (vector_of (elements entries)))
      | _ => None
      end
  end.

Definition sign_holds (b : basis) (e : N * sign_proof) : bool :=
  let p := path_of (fst e) in
  let w := at_path direction_vector p in
  negb (member p gone) && negb (w =? 0)%Z &&
  match snd e with
  | Plus_by i =>
      match sum_vector i with Some s => same_ray (reduce b (unit_vector p)) (reduce b s) | None => false end
  | Minus_by i =>
      match sum_vector i with
      | Some s => same_ray (scale (-1) (reduce b (unit_vector p))) (reduce b s)
      | None => false
      end
  | Undetermined_by i =>
      no_wrong i && zero_at_aliased i &&
      match separator_vector i with Some u => (at_path u p * w <? 0)%Z | None => false end
  end.

Definition kind_follows : bool :=
  match direction l, witness l with
  | None, None => false
  | None, Some _ => match null_space l, signs l with [], [] => true | _, _ => false end
  | Some i, None =>
      match null_space l with [] => true | _ => false end && match fact i with Some f => is_right f | None => false end
  | Some _, Some _ => true
  end && match witness l with
         | Some _ => match witness_combination with Some x => is_witness x | None => false end
         | None => true
         end.

Definition direction_follows : bool :=
  match direction l with
  | None => true
  | Some i => no_wrong i && match fact i with Some f => negb (N.eqb (n_right f) 0) | None => false end
  end.

(* The parts, and whether each holds. *)
Definition parts : list (part * bool) :=
  match witness_basis, rank_basis with
  | Some b, Some r =>
      [(Two_classes_only, two_classes d);
       (Every_row, fitting t);
       (Aliased_coordinates, forallb aliased_holds (aliased l));
       (Identified_coordinates, Nat.eqb (length (rank_rows l)) (length remaining) && forallb (determines r) remaining);
       (Weights_of_aliased, match direction l with Some i => zero_at_aliased i | None => true end &&
          forallb zero_at_aliased (null_space l));
       (The_direction, direction_follows);
       (The_kind, kind_follows);
       (The_span, match witness l with Some _ => spans b | None => true end);
       (Finite_coefficients,
          forallb (fun p => if (at_path direction_vector p =? 0)%Z then determines b p else true) remaining);
       (Signs_of_coefficients, forallb (sign_holds b) (signs l))]
  | None, _ => [(The_kind, false)]
  | _, None => [(Identified_coordinates, false)]
  end.
End Regression.

Definition first_wrong {A} (l : list (A * bool)) : option A := option_map fst (find (fun e => negb (snd e)) l).
Definition wrong_part (c : certificate) (t : tally) : option part :=
  match coefficients c with None => None | Some l => first_wrong (parts c t l) end.

(* ---- The minimum of an objective *)

(* Each solution is measured by its meter. *)
Fixpoint wrong_solution (i : N) (l : list path) (all : list (solution * (meter * sums))) : option (N * minimum_part) :=
  match all with
  | [] => None
  | (s, (m, found)) :: rest =>
      match first_wrong (solution_parts l s m found) with
      | Some what => Some (i, what)
      | None => wrong_solution (i + 1) l rest
      end
  end.

Definition wrong_minimum (c : certificate) (t : tally) : option (N * minimum_part) :=
  match minimized c with
  | None => None
  | Some o =>
      let d := about c in
      if negb (costs_are_clear d o) then Some (0%N, The_costs)
      else match joint o, joined t with
           | None, _ =>
               if negb (Nat.eqb (length (solutions o)) (length (own_classes d))) then Some (0%N, The_vectors)
               else wrong_solution 0 (penalized_paths d o) (combine (solutions o) (metered t))
           | Some stated, Some (_, _, ms, found) =>
               option_map (fun what => (0%N, what)) (first_wrong (joint_parts d o stated ms found))
           | Some _, None => Some (0%N, The_vectors)
           end
  end.

(* ---- The whole *)

Inductive reason :=
| Same_label_twice | Bias_is_no_decimal | Too_few_classes | Table_is_not_clear | Data_unreadable (why : fault) |
  Wrong_row_count (file : N)
| Wrong_file_count | Wrong_features | Wrong_class_count | Everything_left_out | Wrong_separator (i : N)
| Wrong_combination (i : N) | Wrong_claim (i : N) | Wrong_verdict | Wrong_coefficients (what : part)
| Wrong_minimum (i : N) (what : minimum_part).

Inductive answer := Accepted | Rejected (why : reason).

(* What the pass needs of the certificate. *)
Record plan := { plan_of : certificate; label_classes : list (text * option nat); bias_cells : list cell;
  wanted : id_map unit; row_conditions : option conditions }.

Fixpoint texts_distinct (l : list text) : bool :=
  match l with [] => true | s :: rest => negb (existsb (same_text s) rest) && texts_distinct rest end.
Fixpoint numbers_distinct (seen : trie unit) (l : list N) : bool :=
  match l with
  | [] => true
  | n :: rest =>
      match get seen (path_of n) with Some _ => false | None => numbers_distinct (put (path_of n) tt seen) rest end
  end.

(* Each category has one coordinate, and each coordinate is given once. *)
Definition table_is_clear (l : layout) : bool :=
  match l with
  | Csv t =>
      forallb (fun c => match c with Categorical_column _ l => texts_distinct (map fst l) | _ => true end) (columns
        t) &&
      numbers_distinct Leaf (flat_map coordinates_of (columns t))
  | Idx | Libsvm _ => true
  end.

Definition prepare (c : certificate) : plan + reason :=
  let d := about c in
  let labels := label_table d in
  if negb (labels_distinct d labels) then inr Same_label_twice
  else if negb (match asked d with
                | Two_classes => Nat.eqb (length (groups d)) 2
                | Many_classes => Nat.leb 2 (length (groups d))
                end) then inr Too_few_classes
  else if negb (table_is_clear (format d)) then inr Table_is_not_clear
  else match bias d with
       | None => inl {| plan_of := c; label_classes := labels; bias_cells := []; wanted := wanted_rows c;
                         row_conditions := conditions_of c |}
       | Some q =>
           match scaled_of q with
           | None => inr Bias_is_no_decimal
           | Some v => inl {| plan_of := c; label_classes := labels; bias_cells := [(path_of 0, v)]; wanted :=
             wanted_rows c; row_conditions := conditions_of c |}
           end
       end.

Definition plan_row (p : plan) : tally -> exact_row -> tally :=
  add_row (about (plan_of p)) (wanted p) (asks_for_radius (plan_of p)) (row_conditions p).

(* Lines *)
Definition reader_of (d : description) : bool -> text -> line_content :=
  match format d with
  | Libsvm zero_based => fun _ => read_libsvm zero_based (features d)
  | Csv t => read_csv t
  | Idx => fun _ _ => Unreadable
  end.
Definition header_due (d : description) : bool :=
  match format d with Csv t => match names t with Some _ => true | None => false end | Libsvm _ | Idx => false end.
Definition plan_byte (p : plan) : N -> text * progress tally -> ascii -> text * progress tally :=
  feed_byte (about (plan_of p)) (label_classes p) (bias_cells p) tally (plan_row p) (reader_of (about (plan_of p))).
Definition plan_end (p : plan) : N -> text * progress tally -> progress tally :=
  end_file (about (plan_of p)) (label_classes p) (bias_cells p) tally (plan_row p) (reader_of (about (plan_of p))).
Definition begin_lines (p : plan) (used : Z) (t : tally) : text * progress tally :=
  ([], Going tally 1 1 (header_due (about (plan_of p))) used t).
Definition after_lines (state : progress tally) : (N * (Z * tally)) + reason :=
  match state with
  | Stopped _ why => inr (Data_unreadable why)
  | Going _ _ next _ used t => inl (next, (used, t))
  end.

(* Images *)
Definition plan_images (p : plan) (file : N) (front labels : text) (t : tally) : image_progress tally :=
  match begin_images tally (features (about (plan_of p))) front labels t with
  | Some state => state
  | None => No_more tally (Unreadable_images file)
  end.
Definition plan_pixel (p : plan) : N -> image_progress tally -> ascii -> image_progress tally :=
  feed_pixel (about (plan_of p)) (label_classes p) (bias_cells p) tally (plan_row p) (Z.of_N (features (about (plan_of p)))).
Definition after_images (file : N) (used : Z) (state : image_progress tally) : (N * (Z * tally)) + reason :=
  match end_images tally state with
  | Some (next, t) => inl (next, (used, t))
  | None => inr (Data_unreadable (match state with No_more _ why => why | Pixels _ _ _ _ _ _ => Unreadable_images
    file end))
  end.

Definition read_source (p : plan) (file : N) (files : list text) (used : Z) (t : tally) : (N * (Z * tally)) + reason :=
  match format (about (plan_of p)), files with
  | Idx, [images; labels] =>
      after_images file used
        (fold_left (plan_pixel p file) (skipn 16 images) (plan_images p file (firstn 16 images) labels t))
  | Libsvm _, [bytes] | Csv _, [bytes] =>
      after_lines (plan_end p file (fold_left (plan_byte p file) bytes (begin_lines p used t)))
  | _, _ => inr Wrong_file_count
  end.

(* The source has as many rows as stated. *)
Definition of_size (file : N) (stated : N) (found : (N * (Z * tally)) + reason) : (Z * tally) + reason :=
  match found with
  | inr why => inr why
  | inl (next, result) => if N.eqb next (stated + 1) then inl result else inr (Wrong_row_count file)
  end.

Fixpoint first_false (i : N) (l : list bool) : option N :=
  match l with [] => None | b :: rest => if b then first_false (i + 1) rest else Some i end.

Definition finish (c : certificate) (used : Z) (t : tally) : answer :=
  let d := about c in
  if negb (match format d with Libsvm _ => Z.eqb used (Z.of_N (features d)) | Csv _ | Idx => true end)
  then Rejected Wrong_features
  else if negb (forallb (fun '(a, b) => N.eqb a b) (combine (class_counts t) (sizes d)) &&
                Nat.eqb (length (class_counts t)) (length (sizes d)) && N.eqb (out_count t) (left_out_size d))
  then Rejected Wrong_class_count
  else if negb (N.eqb (out_count t) 0) && forallb (N.eqb 0) (class_counts t) then Rejected Everything_left_out
  else match first_false 0 (map (fun '(s, (_, f)) => separator_is_exact s f) (combine (separators c) (measured t))) with
  | Some i => Rejected (Wrong_separator i)
  | None =>
      match first_false 0 (map (combination_is_exact d (kept t)) (combinations c)) with
      | Some i => Rejected (Wrong_combination i)
      | None =>
          match first_false 0 (map (claim_follows c t) (claims c)) with
          | Some i => Rejected (Wrong_claim i)
          | None =>
              if verdict_follows c then
                match wrong_part c t with
                | Some what => Rejected (Wrong_coefficients what)
                | None =>
                    match wrong_minimum c t with
                    | Some (i, what) => Rejected (Wrong_minimum i what)
                    | None => Accepted
                    end
                end
              else Rejected Wrong_verdict
          end
      end
  end.

Fixpoint read_sources (p : plan) (file : N) (sizes : list N) (used : Z) (t : tally) (sources : list (list text)) :
  (Z * tally) + reason :=
  match sizes, sources with
  | [], [] => inl (used, t)
  | size :: sizes', files :: sources' =>
      match of_size file size (read_source p file files used t) with
      | inr why => inr why
      | inl (used', t') => read_sources p (file + 1) sizes' used' t' sources'
      end
  | _, _ => inr Wrong_file_count
  end.

Definition answer_of (c : certificate) (sources : list (list text)) : answer :=
  match prepare c with
  | inr why => Rejected why
  | inl p =>
      match read_sources p 0 (source_sizes (about c)) 0 (first_tally c) sources with
      | inr why => Rejected why
      | inl (used, t) => finish c used t
      end
  end.

Definition check (c : certificate) (sources : list (list text)) : bool :=
  match answer_of c sources with Accepted => true | Rejected _ => false end.
