(* Reading files while their characters come, equal to the reading of Formats.v.

   [feed_byte] takes one character; what it keeps is the line so far and an accumulator of rows. So memory stays bounded
   by the longest line, and recursion is only within a line;
     [feed_pixel] does the same for images. [read_file_sound] and
   [read_images_sound] say that the accumulator has folded exactly the rows of the files. *)

From Coq Require Import Ascii List ZArith NArith QArith Qreduction Lia.
Require Import Statements Decimals Tries.
Import ListNotations.
Local Arguments Ascii.eqb : simpl never.

(* A row whose values are exact and quick to look up. *)
Definition cell : Type := path * scaled.
Record exact_row := { row_source : N; row_number : N; row_class : option nat; cells : list cell }.

Definition same_cell (c : cell) (v : N * Q) : Prop := fst c = path_of (fst v) /\ value (snd c) == snd v.
Definition same_point : list cell -> point -> Prop := Forall2 same_cell.
Definition same_row (c : exact_row) (r : row) : Prop :=
  row_source c = source r /\ row_number c = number r /\ row_class c = class r /\ same_point (cells c) (values r).

(* ---- Labels *)

Fixpoint same_text (s t : text) : bool :=
  match s, t with
  | [], [] => true
  | a :: s', b :: t' => Ascii.eqb a b && same_text s' t'
  | _, _ => false
  end.

Lemma same_text_spec s : forall t, same_text s t = true <-> s = t.
Proof.
  induction s as [|a s IH]; intros [|b t]; cbn; try (split; congruence).
  rewrite Bool.andb_true_iff, Ascii.eqb_eq, IH. split; [intros [-> ->]; reflexivity|intros [= -> ->]; auto].
Qed.

Definition labels_agree (d : description) (s t : text) : bool :=
  same_text s t || labels_are_numbers d &&
    match read_scaled s, read_scaled t with Some a, Some b => equal a b | _, _ => false end.

Lemma labels_agree_spec d s t : labels_agree d s t = true <-> same_label d s t.
Proof.
  unfold labels_agree, same_label. rewrite Bool.orb_true_iff, Bool.andb_true_iff, same_text_spec.
  split; intros [H|[N H]]; auto; right; (split; [exact N|]).
  - destruct (read_scaled s) as [a|] eqn:S; [|discriminate]. destruct (read_scaled t) as [b|] eqn:T; [|discriminate].
    apply equal_spec in H. exists (canonical a). split; [apply read_scaled_sound, S|].
    unfold canonical. rewrite (Qred_complete _ _ H). apply read_scaled_sound, T.
  - destruct H as [q [S T]]. apply read_scaled_complete in S as [a [-> Ea]].
    apply read_scaled_complete in T as [b [-> Eb]].
    apply equal_spec. rewrite <- (canonical_value a), <- (canonical_value b), Ea, Eb. reflexivity.
Qed.

Lemma same_label_trans d r s t : same_label d r s -> same_label d s t -> same_label d r t.
Proof.
  intros [->|[N [p [Rp Sp]]]] [->|[M [q [Sq Tq]]]]; try (left; reflexivity); right; (split; [assumption|]).
  - exists q. auto.
  - exists p. auto.
  - exists p. split; [exact Rp|]. rewrite (decimal_is_unique _ _ _ Sp Sq). exact Tq.
Qed.
Lemma same_label_sym d s t : same_label d s t -> same_label d t s.
Proof. intros [->|[N [q [S T]]]]; [left; reflexivity|right; split; [exact N|exists q; auto]]. Qed.

(* Every label with its class. *)
Fixpoint table_from (i : nat) (l : list (list text)) : list (text * option nat) :=
  match l with [] => [] | group :: rest => map (fun name => (name, Some i)) group ++ table_from (S i) rest end.
Definition label_table (d : description) : list (text * option nat) :=
  map (fun name => (name, None)) (left_out d) ++ table_from 0 (groups d).

Lemma in_table_from l : forall i name k,
  In (name, k) (table_from i l) <-> exists j group, k = Some (i + j)%nat /\ nth_error l j = Some group /\ In name group.
Proof.
  induction l as [|group l IH]; intros i name k; cbn [table_from].
  - split; [intros []|]. intros (j & g & _ & E & _). destruct j; discriminate.
  - rewrite in_app_iff, in_map_iff, IH. split.
    + intros [(n & [= <- <-] & I)|(j & g & -> & E & I)].
      * exists 0%nat, group. rewrite Nat.add_0_r. auto.
      * exists (S j), g. split; [f_equal; lia|]. auto.
    + intros ([|j] & g & -> & E & I).
      * injection E as <-. left. exists name. rewrite Nat.add_0_r. auto.
      * right. exists j, g. split; [f_equal; lia|]. auto.
Qed.

Lemma class_of_table d label k : class_of d label k <-> exists name, In (name,
  k) (label_table d) /\ same_label d name label.
Proof.
  unfold class_of, label_table. split.
  - intros (group & E & name & I & S). exists name. split; [|exact S]. rewrite in_app_iff. destruct k as [i|].
    + right. apply in_table_from. exists i, group. auto.
    + left. subst group. apply in_map_iff. exists name. auto.
  - intros (name & I & S). apply in_app_iff in I as [I|I].
    + apply in_map_iff in I as (n & [= <- <-] & I). exists (left_out d). split; [reflexivity|]. exists n. auto.
    + apply in_table_from in I as (j & group & -> & E & I). exists group. split; [exact E|]. exists name. auto.
Qed.

Definition class_in (d : description) (table : list (text * option nat)) (label : text) : option (option nat) :=
  option_map snd (find (fun entry => labels_agree d (fst entry) label) table).

Fixpoint labels_distinct (d : description) (table : list (text * option nat)) : bool :=
  match table with
  | [] => true
  | entry :: rest =>
      forallb (fun other => negb (labels_agree d (fst entry) (fst other))) rest && labels_distinct d rest
  end.

Lemma class_in_sound d label k : class_in d (label_table d) label = Some k -> class_of d label k.
Proof.
  unfold class_in. intros H. destruct (find _ _) as [[name k']|] eqn:F; [|discriminate]. injection H as <-.
  apply find_some in F as [I A]. apply class_of_table. exists name. split; [exact I|]. apply labels_agree_spec, A.
Qed.

Lemma distinct_labels_have_one_class d table : labels_distinct d table = true -> forall s t j k,
  In (s, j) table -> In (t, k) table -> same_label d s t -> j = k.
Proof.
  induction table as [|[u i] rest IH]; cbn; intros D s t j k Is It S; [destruct Is|].
  apply Bool.andb_true_iff in D as [H D]. rewrite forallb_forall in H.
  assert (away : forall v l, In (v, l) rest -> ~ same_label d u v).
  { intros v l I C. specialize (H _ I). cbn in H. apply labels_agree_spec in C. rewrite C in H. discriminate. }
  destruct Is as [[= <- <-]|Is], It as [[= <- <-]|It]; auto.
  - exfalso. exact (away _ _ It S).
  - exfalso. exact (away _ _ Is (same_label_sym _ _ _ S)).
  - exact (IH D s t j k Is It S).
Qed.

Lemma class_is_unique d : labels_distinct d (label_table d) = true -> forall label j k,
  class_of d label j -> class_of d label k -> j = k.
Proof.
  intros D label j k J K. apply class_of_table in J as (s & Is & Ss), K as (t & It & St).
  apply (distinct_labels_have_one_class _ _ D s t); auto.
  apply (same_label_trans _ _ label); [exact Ss|apply same_label_sym, St].
Qed.

(* ---- Lines of LIBSVM *)

(* The values of index:value words, and the least index that may follow. *)
Fixpoint read_entries (first limit least : Z) (l : list text) : option (list cell * Z) :=
  match l with
  | [] => Some ([], least)
  | word :: rest =>
      let '(index, k, tail) := take_digits 0 0 word in
      if (0 <? k)%Z && (least <=? index)%Z && (index <? limit)%Z then
        match tail with
        | c :: number =>
            if Ascii.eqb ":" c then
              match read_scaled number with
              | None => None
              | Some v =>
                  match read_entries first limit (index + 1) rest with
                  | None => None
                  | Some (more, last) => Some ((path_of (Z.to_N (index - first + 1)), v) :: more, last)
                  end
              end
            else None
        | [] => None
        end
      else None
  end.

Lemma read_entries_sound first features l : forall least x last,
  read_entries first (first + features) least l = Some (x, last) ->
  exists y, entries first features least l y /\ same_point x y.
Proof.
  induction l as [|word l IH]; intros least x last H; cbn [read_entries] in H.
  - injection H as <- <-. exists []. split; constructor.
  - destruct (take_digits 0 0 word) as [[index k] tail] eqn:T.
    destruct (0 <? k)%Z eqn:K; [|discriminate]. destruct (least <=? index)%Z eqn:L; [|discriminate].
    destruct (index <? _)%Z eqn:U; [|discriminate]. cbn [andb] in H.
    destruct tail as [|c number]; [discriminate|]. destruct (Ascii.eqb_spec ":" c) as [<-|]; [|discriminate].
    destruct (read_scaled number) as [v|] eqn:V; [|discriminate].
    destruct (read_entries _ _ _ l) as [[more end']|] eqn:M; [|discriminate]. injection H as <- <-.
    apply IH in M as (y & E & S). apply take_digits_spec in T as (ds & -> & D & _ & -> & ->).
    fold (numeral ds) in *. apply Z.ltb_lt in K, U. apply Z.leb_le in L.
    eexists ((_, canonical v) :: y). split.
    + apply next_entry; auto; [intros ->; cbn in K; lia|apply read_scaled_sound, V].
    + constructor; [|exact S]. split; [reflexivity|]. cbn [snd]. symmetry. apply canonical_value.
Qed.

(* What a line is; a row comes with the number of features that it shows. *)
Inductive line_content := Nothing | Header | Labelled (label : text) (x : list cell) (shown : Z) | Unreadable |
  Uncovered.

Definition read_libsvm (zero_based : bool) (features : N) (line : text) : line_content :=
  let first := if zero_based then 0%Z else 1%Z in
  match line_words line with
  | [] => Nothing
  | label :: more =>
      if existsb (Ascii.eqb ":") label then Unreadable
      else match read_entries first (first + Z.of_N features) first more with
           | None => Unreadable
           | Some (x, last) => Labelled label x (last - first)
           end
  end.

Lemma no_colon label : existsb (Ascii.eqb ":") label = false -> ~ In ":"%char label.
Proof.
  intros H I. apply Bool.not_true_iff_false in H. apply H, existsb_exists. exists ":"%char.
  split; [exact I|apply Ascii.eqb_refl].
Qed.

(* What a reader of lines has to give, due header or not. *)
Record reader_is_sound (skipped heads : text -> Prop) (gives : text -> text -> point -> Prop)
  (read : bool -> text -> line_content) : Prop := {
  reads_nothing : forall due line, read due line = Nothing -> skipped line;
  reads_header : forall line, read true line = Header -> ~ skipped line /\ heads line;
  reads_row : forall line label x n, read false line = Labelled label x n ->
    ~ skipped line /\ exists y, gives line label y /\ same_point x y
}.

Lemma libsvm_reader (zero_based : bool) (features : N) : reader_is_sound (fun line => line_words line = []) (fun _ =>
  False)
  (libsvm_line (if zero_based then 0 else 1)%Z (Z.of_N features)) (fun _ => read_libsvm zero_based features).
Proof.
  split; unfold read_libsvm; intros until line.
  - destruct (line_words line) as [|label more]; [reflexivity|]. destruct (existsb _ label); [discriminate|].
    destruct (read_entries _ _ _ more) as [[x last]|]; discriminate.
  - destruct (line_words line) as [|label more]; [discriminate|]. destruct (existsb _ label); [discriminate|].
    destruct (read_entries _ _ _ more) as [[x last]|]; discriminate.
  - intros label x n. destruct (line_words line) as [|label' more] eqn:W; [discriminate|].
    destruct (existsb _ label') eqn:C; [discriminate|].
    destruct (read_entries _ _ _ more) as [[x' last]|] eqn:E; [|discriminate]. intros [= <- <- <-].
    split; [discriminate|]. apply read_entries_sound in E as (y & E & S). exists y. split; [|exact S].
    exists more. split; [exact W|]. split; [apply no_colon, C|exact E].
Qed.

(* ---- Records of CSV *)

Section Csv.
Variable t : table.

Definition missing (v : text) : bool := match v with [] => true | _ => existsb (same_text v) (missing_texts t) end.

Lemma missing_spec v : missing v = true <-> is_missing t v.
Proof.
  unfold missing, is_missing. destruct v as [|c v]; [split; auto|]. rewrite existsb_exists. split.
  - intros (w & I & E). apply same_text_spec in E. subst w. auto.
  - intros [E|I]; [discriminate|]. exists (c :: v). split; [exact I|]. apply same_text_spec. reflexivity.
Qed.
Lemma missing_false v : missing v = false -> ~ is_missing t v.
Proof. intros H M. apply missing_spec in M. congruence. Qed.

Definition one : scaled := Scaled 1 0.
Definition cell_at (j : N) (v : scaled) : cell := (path_of (j + 1), v).

Fixpoint read_columns (l : list column) (fields : list (option text)) : option (list text * list cell) :=
  match l, fields with
  | [], [] => Some ([], [])
  | c :: more, Some v :: rest =>
      match read_columns more rest with
      | None => None
      | Some (labels, x) =>
          let with_cell (j : N) (a : scaled) : option (list text * list cell) := Some (labels, cell_at j a :: x) in
          let none (m : option N) := match m with Some j => with_cell j one | None => None end in
          match c with
          | Label_column => if negb (missing v) || same_text v ["-"%char] then Some (v :: labels, x) else None
          | Ignored_column => Some (labels, x)
          | Numeric_column j m =>
              if missing v then none m else match read_scaled v with Some a => with_cell j a | None => None end
          | Categorical_column m categories =>
              if missing v then none m
              else match find (fun entry => same_text v (fst entry)) categories with
                   | Some (_, j) => with_cell j one
                   | None => None
                   end
          end
      end
  | _, _ => None
  end.

Lemma read_columns_sound l : forall fields labels x, read_columns l fields = Some (labels, x) ->
  exists y, columns_read t l fields labels y /\ same_point x y.
Proof.
  assert (cell_is : forall j a q, value a == q -> same_cell (cell_at j a) ((j + 1)%N, q)) by (intros; split; auto).
  induction l as [|c l IH]; intros [|[v|] fields] labels x H; cbn [read_columns] in H; try discriminate.
  { injection H as <- <-. exists []. split; constructor. }
  destruct (read_columns l fields) as [[labels' x']|] eqn:R; [|discriminate].
  apply IH in R as (y & R & S).
  destruct c as [| |j m|m categories].
  - destruct (negb (missing v) || same_text v ["-"%char])%bool eqn:M; [|discriminate]. injection H as <- <-.
    exists y. split; [|exact S]. apply a_label; [|exact R]. apply Bool.orb_true_iff in M as [M|M].
    + left. apply missing_false. destruct (missing v); [discriminate|reflexivity].
    + right. apply same_text_spec, M.
  - injection H as <- <-. exists y. split; [apply ignored, R|exact S].
  - destruct (missing v) eqn:M.
    + destruct m as [m|]; [|discriminate]. injection H as <- <-. apply missing_spec in M.
      eexists. split; [apply no_number; [exact M|exact R]|]. constructor; [apply cell_is; reflexivity|exact S].
    + destruct (read_scaled v) as [a|] eqn:V; [|discriminate]. injection H as <- <-. apply missing_false in M.
      eexists. split; [apply a_number; [exact M|apply read_scaled_sound, V|exact R]|].
      constructor; [apply cell_is; symmetry; apply canonical_value|exact S].
  - destruct (missing v) eqn:M.
    + destruct m as [m|]; [|discriminate]. injection H as <- <-. apply missing_spec in M.
      eexists. split; [apply no_category; [exact M|exact R]|]. constructor; [apply cell_is; reflexivity|exact S].
    + destruct (find _ categories) as [[w j]|] eqn:F; [|discriminate]. injection H as <- <-. apply missing_false in M.
      apply find_some in F as [I E]. apply same_text_spec in E. cbn [fst] in E. subst w.
      eexists. split; [apply (a_category t v j); [exact M|exact I|exact R]|].
      constructor; [apply cell_is; reflexivity|exact S].
Qed.

Fixpoint same_fields (fields : list (option text)) (l : list text) : bool :=
  match fields, l with
  | [], [] => true
  | Some v :: fields', name :: l' => same_text v name && same_fields fields' l'
  | _, _ => false
  end.

Lemma same_fields_spec fields : forall l, same_fields fields l = true -> fields = map Some l.
Proof.
  induction fields as [|[v|] fields IH]; intros [|name l] H; try discriminate; [reflexivity|].
  cbn in H. apply Bool.andb_true_iff in H as [E H]. apply same_text_spec in E. subst v. cbn. f_equal. apply IH, H.
Qed.

Definition zero_byte : ascii := "000".
Definition odd_quotes (line : text) : bool := fold_left (fun odd c => xorb odd (is_quote t c)) line false.

(* A column without a name has its number for one, which is not covered. *)
Definition unnamed (v : option text) : bool := match v with Some [] => true | _ => false end.

Definition read_csv (due : bool) (line : text) : line_content :=
  let content := without_return line in
  if forallb (around t) content then Nothing
  else if odd_quotes content then Uncovered
  else if existsb (Ascii.eqb zero_byte) content then Unreadable
  else if due then
    match names t with
    | Some l =>
        if existsb unnamed (record_of t line) then Uncovered
        else if same_fields (record_of t line) l then Header else Unreadable
    | None => Unreadable
    end
  else match read_columns (columns t) (record_of t line) with
       | Some ([label], x) => Labelled label x 0
       | _ => Unreadable
       end.

Lemma csv_reader : reader_is_sound (fun line => Forall (fun c => around t c = true) (without_return line))
  (csv_header t)
  (csv_line t) read_csv.
Proof.
  assert (skip : forall s, forallb (around t) s = false -> ~ Forall (fun c => around t c = true) s).
  { intros s H F. apply Bool.not_true_iff_false in H. apply H, forallb_forall. intros c I.
    rewrite Forall_forall in F. auto. }
  split.
  - intros due line. unfold read_csv. destruct (forallb (around t) _) eqn:B.
    + intros _. rewrite forallb_forall in B. apply Forall_forall, B.
    + destruct (odd_quotes _); [discriminate|]. destruct (existsb _ _); [discriminate|]. destruct due.
      * destruct (names t) as [l|]; [|discriminate]. destruct (existsb unnamed _); [discriminate|].
        destruct (same_fields _ l); discriminate.
      * destruct (read_columns _ _) as [[[|label [|? ?]] x]|]; discriminate.
  - intros line. unfold read_csv. destruct (forallb (around t) _) eqn:B; [discriminate|].
    destruct (odd_quotes _); [discriminate|]. destruct (existsb _ _); [discriminate|].
    destruct (names t) as [l|] eqn:N; [|discriminate]. destruct (existsb unnamed _); [discriminate|].
    destruct (same_fields _ l) eqn:S; [|discriminate]. intros _.
    split; [apply skip, B|]. exists l. split; [exact N|]. apply same_fields_spec, S.
  - intros line label x n. unfold read_csv. destruct (forallb (around t) _) eqn:B; [discriminate|].
    destruct (odd_quotes _); [discriminate|]. destruct (existsb _ _); [discriminate|].
    destruct (read_columns _ _) as [[[|label' [|? ?]] x']|] eqn:R; try discriminate. intros [= <- <- <-].
    split; [apply skip, B|]. apply read_columns_sound, R.
Qed.
End Csv.

(* ---- Rows, folded into an accumulator *)

Inductive fault := Unreadable_line (file line : N) | Uncovered_line (file line : N) | Unknown_label (file row : N)
| Unreadable_images (file : N).

Section Fold.
Variable d : description.
Variable table : list (text * option nat).
Variable bias_cells : list cell.
Variable A : Type.
Variable add_row : A -> exact_row -> A.
Hypothesis table_is : table = label_table d.
Hypothesis bias_is : same_point bias_cells (with_bias d []).

Definition row_with (file next : N) (k : option nat) (x : list cell) : exact_row :=
  {| row_source := file; row_number := next; row_class := k; cells := bias_cells ++ x |}.

Lemma with_bias_cells x y : same_point x y -> same_point (bias_cells ++ x) (with_bias d y).
Proof.
  intros H. unfold with_bias in *. destruct (bias d); inversion_clear bias_is as [|? ? ? ? E R];
    [inversion_clear R; constructor; assumption|exact H].
Qed.

Lemma same_row_with file next k x y : same_point x y ->
  same_row (row_with file next k x) {| source := file; number := next; class := k; values := with_bias d y |}.
Proof. intros S. split; [|split; [|split; [|apply with_bias_cells, S]]]; reflexivity. Qed.

(* After some lines of a file: the next line and row, whether a header is due, the features shown, the rows so far. *)
Inductive progress := Going (line next : N) (due : bool) (used : Z) (rows : A) | Stopped (why : fault).

Section Lines.
Variable read : bool -> text -> line_content.

Definition feed_text (file : N) (p : progress) (text : text) : progress :=
  match p with
  | Stopped _ => p
  | Going line next due used rows =>
      match read due text with
      | Nothing => Going (line + 1) next due used rows
      | Header => if due then Going (line + 1) next false used rows else Stopped (Unreadable_line file line)
      | Unreadable => Stopped (Unreadable_line file line)
      | Uncovered => Stopped (Uncovered_line file line)
      | Labelled label x shown =>
          if due then Stopped (Unreadable_line file line)
          else match class_in d table label with
               | None => Stopped (Unknown_label file next)
               | Some k => Going (line + 1) (next + 1) false (Z.max used shown) (add_row rows (row_with file next k x))
               end
      end
  end.

Definition feed_line (file : N) (p : progress) (raw : text) : progress :=
  match p with
  | Going 1 _ _ _ _ => feed_text file p (without_mark raw)
  | _ => feed_text file p raw
  end.

Definition feed_byte (file : N) (state : text * progress) (c : ascii) : text * progress :=
  let (buffer, p) := state in
  if Ascii.eqb newline c then ([], feed_line file p (rev_append buffer [])) else (c :: buffer, p).

Definition end_file (file : N) (state : text * progress) : progress :=
  feed_line file (snd state) (rev_append (fst state) []).

Definition read_file (file : N) (bytes : text) (p : progress) : progress :=
  end_file file (fold_left (feed_byte file) bytes ([], p)).

(* Character by character is line by line. *)
Definition continued (buffer : text) (l : list text) : list text :=
  match l with piece :: rest => (rev buffer ++ piece) :: rest | [] => [rev buffer] end.

Lemma split_has_a_piece cut s : split cut s <> [].
Proof. destruct s as [|c s]; cbn; [discriminate|]. destruct (split cut s); [discriminate|].
  destruct (cut c); discriminate. Qed.

Lemma bytes_are_lines file bytes : forall buffer p,
  end_file file (fold_left (feed_byte file) bytes (buffer,
    p)) = fold_left (feed_line file) (continued buffer (lines bytes)) p.
Proof.
  induction bytes as [|c bytes IH]; intros buffer p.
  - cbn. unfold end_file. cbn. rewrite rev_append_rev. reflexivity.
  - cbn [fold_left]. unfold lines. cbn [split]. fold (lines bytes). unfold feed_byte at 2.
    pose proof (split_has_a_piece (Ascii.eqb newline) bytes) as S. fold (lines bytes) in S.
    destruct (lines bytes) as [|piece rest] eqn:E; [congruence|].
    destruct (Ascii.eqb_spec newline c) as [<-|N]; rewrite IH.
    + cbn [continued fold_left rev app]. rewrite rev_append_rev, app_nil_r. reflexivity.
    + cbn [continued rev]. rewrite <- app_assoc. reflexivity.
Qed.

Lemma mark_is_in_the_first_line bytes :
  lines (without_mark bytes) = match lines bytes with l :: rest => without_mark l :: rest | [] => [] end.
Proof.
  assert (E : forall c s, c <> newline -> lines (c :: s) = match lines s with l :: rest => (c :: l) :: rest | [] =>
    [[c]] end).
  { intros c s N. unfold lines. cbn [split]. destruct (split _ s); [reflexivity|].
    destruct (Ascii.eqb_spec newline c); [congruence|reflexivity]. }
  assert (short : forall s, without_mark s = s -> lines s = match lines s with l :: rest => without_mark l :: rest |
    [] => [] end ->
    lines (without_mark s) = match lines s with l :: rest => without_mark l :: rest | [] => [] end).
  { intros s H1 H2. rewrite H1. exact H2. }
  pose proof (split_has_a_piece (Ascii.eqb newline)) as some. fold lines in some.
  destruct bytes as [|a [|b [|c rest]]].
  - reflexivity.
  - apply short; [reflexivity|]. unfold lines. cbn. destruct (Ascii.eqb newline a); reflexivity.
  - apply short; [reflexivity|]. unfold lines. cbn. destruct (Ascii.eqb newline a), (Ascii.eqb newline b); reflexivity.
  - cbn [without_mark].
    destruct (Ascii.eqb_spec "239" a) as [<-|Na]; [destruct (Ascii.eqb_spec "187" b) as [<-|Nb];
      [destruct (Ascii.eqb_spec "191" c) as [<-|Nc]|]|]; cbn [andb].
    + rewrite !E by discriminate. specialize (some rest). destruct (lines rest) as [|l more]; [congruence|].
      reflexivity.
    + rewrite 2!E by discriminate. unfold lines at 1 2. cbn [split]. fold (lines rest).
      specialize (some rest). unfold lines in some |- *. destruct (split _ rest) as [|l more]; [congruence|].
      destruct (Ascii.eqb newline c); cbn [without_mark]; [reflexivity|].
      rewrite !Ascii.eqb_refl. destruct (Ascii.eqb_spec "191" c); [congruence|reflexivity].
    + rewrite E by discriminate. specialize (some (b :: c :: rest)).
      unfold lines in some |- *. destruct (split _ (b :: c :: rest)) as [|[|b' [|c' l]] more] eqn:S; try reflexivity;
        try congruence.
      cbn [without_mark]. rewrite Ascii.eqb_refl.
      assert (b' = b).
      { cbn [split] in S. destruct (split _ rest) as [|? ?]; [|];
        destruct (Ascii.eqb newline c), (Ascii.eqb newline b); congruence. }
      subst b'. destruct (Ascii.eqb_spec "187" b); [congruence|]. reflexivity.
    + specialize (some (a :: b :: c :: rest)). unfold lines in some |- *.
      destruct (split _ (a :: b :: c :: rest)) as [|[|a' [|b' [|c' l]]] more] eqn:S; try reflexivity; try congruence.
      cbn [without_mark].
      assert (a' = a).
      { change (split (Ascii.eqb newline) (a :: b :: c :: rest)) with
          (match split (Ascii.eqb newline) (b :: c :: rest) with
           | piece :: pieces => if Ascii.eqb newline a then [] :: piece :: pieces else (a :: piece) :: pieces
           | [] => [[a]] end) in S.
        destruct (split _ (b :: c :: rest)); destruct (Ascii.eqb newline a); congruence. }
      subst a'. destruct (Ascii.eqb_spec "239" a); [congruence|]. reflexivity.
Qed.

Variable skipped heads : text -> Prop.
Variable gives : text -> text -> point -> Prop.
Hypothesis reader : reader_is_sound skipped heads gives read.

Lemma stays_stopped file l : forall why, fold_left (feed_text file) l (Stopped why) = Stopped why.
Proof. induction l as [|raw l IH]; cbn; auto. Qed.

Lemma fed_lines file l : forall line next due used rows line' next' due' used' rows',
  fold_left (feed_text file) l (Going line next due used rows) = Going line' next' due' used' rows' ->
  exists exact_rows raw read, lines_read skipped heads gives due l raw /\ rows_of d file next raw read /\
    Forall2 same_row exact_rows read /\ rows' = fold_left add_row exact_rows rows.
Proof.
  destruct reader as [Rn Rh Rr].
  induction l as [|this l IH]; intros line next due used rows line' next' due' used' rows' H.
  - injection H as <- <- <- <- <-. exists [], [], []. repeat split; constructor.
  - cbn [fold_left feed_text] in H. destruct (read due this) as [| |label x shown| |] eqn:E;
      try (rewrite stays_stopped in H; discriminate).
    + apply IH in H as (c & raw & r & L & R & S & F). exists c, raw, r. repeat split; auto.
      apply skipped_line; [exact (Rn _ _ E)|exact L].
    + destruct due; [|rewrite stays_stopped in H; discriminate].
      apply IH in H as (c & raw & r & L & R & S & F). exists c, raw, r. repeat split; auto.
      destruct (Rh _ E). apply header_line; assumption.
    + destruct due; [rewrite stays_stopped in H; discriminate|].
      destruct (class_in d table label) as [k|] eqn:K; [|rewrite stays_stopped in H; discriminate].
      apply IH in H as (c & raw & r & L & R & S & F). destruct (Rr _ _ _ _ E) as (N & y & G & Y).
      rewrite table_is in K. apply class_in_sound in K.
      exists (row_with file next k x :: c), ((label, y) :: raw),
        ({| source := file; number := next; class := k; values := with_bias d y |} :: r). split; [|split; [|split]].
      * apply row_line; assumption.
      * apply next_row; [exact K|exact R].
      * constructor; [apply same_row_with, Y|exact S].
      * exact F.
Qed.

(* After the first line the mark has no meaning. *)
Lemma later_lines file l : forall line next due used rows, (1 < line)%N ->
  fold_left (feed_line file) l (Going line next due used rows) = fold_left (feed_text file) l (Going line next due
    used rows).
Proof.
  assert (stuck : forall l why, fold_left (feed_line file) l (Stopped why) = Stopped why).
  { clear l. induction l as [|raw l IH]; cbn; auto. }
  induction l as [|raw l IH]; intros line next due used rows B; [reflexivity|]. cbn [fold_left].
  replace (feed_line file (Going line next due used rows) raw) with (feed_text file (Going line next due used rows)
    raw).
  2: { unfold feed_line. destruct line as [|[ | | ]]; try reflexivity. lia. }
  cbn [feed_text]. destruct (read due raw); [|destruct due|destruct due; [|destruct (class_in d table label)]| |];
    try (apply IH; lia); rewrite stuck, stays_stopped; reflexivity.
Qed.

Lemma all_lines file raw l next due used rows :
  fold_left (feed_line file) (raw :: l) (Going 1 next due used rows) =
  fold_left (feed_text file) (without_mark raw :: l) (Going 1 next due used rows).
Proof.
  cbn [fold_left feed_line]. remember (feed_text file (Going 1 next due used rows) (without_mark raw)) as p eqn:P.
  cbn [feed_text] in P.
  assert (stuck : forall l why, fold_left (feed_line file) l (Stopped why) = Stopped why).
  { clear. induction l as [|raw l IH]; cbn; auto. }
  destruct (read due _); [|destruct due|destruct due; [|destruct (class_in d table label)]| |]; subst p;
    try (rewrite stuck, stays_stopped; reflexivity); apply later_lines; lia.
Qed.

Lemma read_file_sound file bytes due used rows line' next' due' used' rows' :
  read_file file bytes (Going 1 1 due used rows) = Going line' next' due' used' rows' ->
  exists exact_rows raw read, lines_read skipped heads gives due (lines (without_mark bytes)) raw /\
    rows_of d file 1 raw read /\ Forall2 same_row exact_rows read /\ rows' = fold_left add_row exact_rows rows.
Proof.
  unfold read_file. rewrite bytes_are_lines, mark_is_in_the_first_line.
  pose proof (split_has_a_piece (Ascii.eqb newline) bytes) as S. fold (lines bytes) in S.
  destruct (lines bytes) as [|raw l]; [congruence|]. cbn [continued rev app]. rewrite all_lines. apply fed_lines.
Qed.
End Lines.

(* ---- Images, pixel by pixel *)

Fixpoint image_cells (j : N) (s : text) : list cell :=
  match s with
  | [] => []
  | c :: rest =>
      if (code c =? 0)%Z then image_cells (j + 1) rest else (path_of j, Scaled (code c) 0) :: image_cells (j + 1) rest
  end.

Lemma image_cells_are_pixels s : forall j, same_point (image_cells j s) (pixels j s).
Proof.
  induction s as [|c s IH]; intros j; cbn; [constructor|]. destruct (code c =? 0)%Z; [apply IH|].
  constructor; [|apply IH]. split; [reflexivity|apply value_of_whole].
Qed.

(* The pixels of the image so far, from the last, how many it lacks, and the labels that are left. *)
Inductive image_progress := Pixels (buffer : text) (lacking : Z) (labels : text) (next : N) (rows : A)
| No_more (why : fault).

Definition feed_pixel (features : Z) (file : N) (p : image_progress) (c : ascii) : image_progress :=
  match p with
  | No_more _ => p
  | Pixels buffer lacking labels next rows =>
      if (lacking =? 1)%Z then
        match labels with
        | [] => No_more (Unreadable_images file)
        | label :: rest =>
            match class_in d table (byte_text label) with
            | None => No_more (Unknown_label file next)
            | Some k => Pixels [] features rest (next + 1)
                          (add_row rows (row_with file next k (image_cells 1 (rev_append (c :: buffer) []))))
            end
        end
      else Pixels (c :: buffer) (lacking - 1) labels next rows
  end.

Lemma no_more_stays features file bytes : forall why,
  fold_left (feed_pixel features file) bytes (No_more why) = No_more why.
Proof. induction bytes as [|c bytes IH]; cbn; auto. Qed.

Lemma fed_pixels features file (size : nat) bytes : features = Z.of_nat size -> (0 < size)%nat ->
  forall buffer lacking labels next rows next' rows',
  (Z.of_nat (length buffer) + lacking = features)%Z -> (0 < lacking)%Z ->
  fold_left (feed_pixel features file) bytes (Pixels buffer lacking labels next rows) = Pixels [] features [] next'
    rows' ->
  exists exact_rows raw read, images_read size (rev buffer ++ bytes) labels raw /\ rows_of d file next raw read /\
    Forall2 same_row exact_rows read /\ rows' = fold_left add_row exact_rows rows.
Proof.
  intros F P. induction bytes as [|c bytes IH]; intros buffer lacking labels next rows next' rows' L B H.
  - injection H as -> -> -> <- <-. exists [], [], []. repeat split; constructor.
  - cbn [fold_left feed_pixel] in H. destruct (Z.eqb_spec lacking 1) as [->|N].
    + destruct labels as [|label labels]; [rewrite no_more_stays in H; discriminate|].
      destruct (class_in d table (byte_text label)) as [k|] eqn:K; [|rewrite no_more_stays in H; discriminate].
      apply IH in H as (e & raw & r & I & R & S & E); [|cbn; lia|lia]. rewrite table_is in K. apply class_in_sound in K.
      rewrite rev_append_rev, app_nil_r in E. cbn [rev app] in I.
      exists (row_with file next k (image_cells 1 (rev (c :: buffer))) :: e),
        ((byte_text label, pixels 1 (rev (c :: buffer))) :: raw),
        ({| source := file; number := next; class := k; values :=
          with_bias d (pixels 1 (rev (c :: buffer))) |} :: r). split; [|split; [|split]].
      * replace (rev buffer ++ c :: bytes) with (rev (c :: buffer) ++ bytes) by (cbn; rewrite <- app_assoc;
        reflexivity).
        apply next_image; [|exact I]. rewrite rev_length. cbn [length]. lia.
      * apply next_row; [exact K|exact R].
      * constructor; [apply same_row_with, image_cells_are_pixels|exact S].
      * exact E.
    + apply IH in H as (e & raw & r & I & R & S & E); [|cbn [length]; lia|lia]. exists e, raw, r. repeat split; auto.
      cbn [rev] in I. rewrite <- app_assoc in I. exact I.
Qed.

(* Images begin after 16 bytes, labels after 8. *)
Definition begin_images (features : N) (front labels : text) (rows : A) : option image_progress :=
  match words_of_four front, words_of_four (firstn 8 labels) with
  | [magic; count; height; width], [magic'; count'] =>
      if (magic =? 2051)%Z && (magic' =? 2049)%Z && (count' =? count)%Z && (height * width =? Z.of_N features)%Z &&
        (0 <? features)%N && (Z.of_nat (length (skipn 8 labels)) =? count)%Z
      then Some (Pixels [] (Z.of_N features) (skipn 8 labels) 1 rows) else None
  | _, _ => None
  end.

(* All pixels and labels are used: the next row, and the rows. *)
Definition end_images (p : image_progress) : option (N * A) :=
  match p with Pixels [] _ [] next rows => Some (next, rows) | _ => None end.

Lemma lacking_when_empty features file bytes : forall p,
  (match p with Pixels [] l _ _ _ => l = features | _ => True end) ->
  match fold_left (feed_pixel features file) bytes p with Pixels [] l _ _ _ => l = features | _ => True end.
Proof.
  induction bytes as [|c bytes IH]; intros p H; [exact H|]. cbn [fold_left]. apply IH. unfold feed_pixel.
  destruct p as [buffer lacking labels next rows|why]; [|exact I]. destruct (lacking =? 1)%Z; [|exact I].
  destruct labels as [|label labels]; [exact I|]. destruct (class_in d table _); [reflexivity|exact I].
Qed.

Lemma read_images_sound features file images labels rows p next' rows' :
  begin_images features (firstn 16 images) labels rows = Some p ->
  end_images (fold_left (feed_pixel (Z.of_N features) file) (skipn 16 images) p) = Some (next', rows') ->
  exists exact_rows raw read, idx_reads features images labels raw /\ rows_of d file 1 raw read /\
    Forall2 same_row exact_rows read /\ rows' = fold_left add_row exact_rows rows.
Proof.
  unfold begin_images. intros B E.
  remember (skipn 8 labels) as left eqn:Left in *. remember (skipn 16 images) as bytes eqn:Bytes in *.
  destruct (words_of_four (firstn 16 images)) as [|magic [|count [|height [|width [|? ?]]]]] eqn:W; try discriminate.
  destruct (words_of_four (firstn 8 labels)) as [|magic' [|count' [|? ?]]] eqn:V; try discriminate.
  destruct (_ && _)%bool eqn:H in B; [|discriminate]. injection B as <-.
  repeat (apply Bool.andb_true_iff in H as [H ?]).
  repeat match goal with H : (_ =? _)%Z = true |- _ => apply Z.eqb_eq in H end.
  match goal with H : (0 <? features)%N = true |- _ => apply N.ltb_lt in H end. subst magic magic' count'.
  pose proof (lacking_when_empty (Z.of_N features) file bytes (Pixels [] (Z.of_N features) left 1 rows) eq_refl) as K.
  remember (fold_left (feed_pixel (Z.of_N features) file) bytes (Pixels [] (Z.of_N features) left 1 rows)) as p eqn:F
    in *.
  symmetry in F.
  destruct p as [[|] lacking [|] next rows2|]; cbn [end_images] in E; try discriminate.
  subst lacking. injection E as -> ->.
  apply (fed_pixels (Z.of_N features) file (N.to_nat features)) in F as (e & raw & r & I & R & S & G); [|lia|lia|cbn;
    lia|lia].
  exists e, raw, r. split; [|auto]. exists count, height, width. cbn [rev app] in I. subst left bytes. auto.
Qed.
End Fold.

(* ---- Files are read in one way only *)

Section Unique.
Variable d : description.
Hypothesis labels_are_distinct : labels_distinct d (label_table d) = true.

Lemma lines_unique (skipped heads : text -> Prop) (gives : text -> text -> point -> Prop) due l raw :
  (forall line label x label' x', gives line label x -> gives line label' x' -> label = label' /\ x = x') ->
  lines_read skipped heads gives due l raw -> forall raw', lines_read skipped heads gives due l raw' -> raw = raw'.
Proof.
  intros U. induction 1 as [due|due line rest raw S R IH|line rest raw S H R IH|line rest raw label x S G R IH];
    intros raw' R'.
  - inversion R'. reflexivity.
  - inversion R'; subst; [apply IH; assumption|contradiction|contradiction].
  - inversion R'; subst; [contradiction|apply IH; assumption].
  - inversion R' as [|? ? ? ? S' R''| |? ? ? label' x' S' G' R'']; subst; [contradiction|].
    destruct (U _ _ _ _ _ G G') as [-> ->]. f_equal. apply IH, R''.
Qed.

Lemma one_index index value index' value' : digits index -> digits index' ->
  index ++ ":"%char :: value = index' ++ ":"%char :: value' -> index = index' /\ value = value'.
Proof.
  intros D D' E.
  pose proof (take_digits_complete index (":"%char :: value) 0 0 D eq_refl) as T.
  pose proof (take_digits_complete index' (":"%char :: value') 0 0 D' eq_refl) as T'.
  rewrite E, T' in T. injection T as _ _ V. subst value'. split; [|reflexivity].
  apply app_inv_tail in E. exact E.
Qed.

Lemma entries_unique first features least l x : entries first features least l x ->
  forall y, entries first features least l y -> x = y.
Proof.
  induction 1 as [least|least index value q rest more D N B V E IH]; intros y Y.
  - inversion Y. reflexivity.
  - inversion Y. subst. match goal with H : _ = index ++ _ |- _ => apply one_index in H as [-> ->]; auto end.
    rewrite (decimal_is_unique value q q0) by assumption. f_equal. apply IH. assumption.
Qed.

Lemma libsvm_line_unique first features line label x label' x' :
  libsvm_line first features line label x -> libsvm_line first features line label' x' -> label = label' /\ x = x'.
Proof.
  intros (more & W & _ & E) (more' & W' & _ & E'). rewrite W in W'. injection W' as <- <-. split; [reflexivity|].
  eapply entries_unique; eassumption.
Qed.

(* Each category has one coordinate. *)
Definition categories_once (t : table) : Prop := Forall (fun c =>
  match c with Categorical_column _ l => NoDup (map fst l) | _ => True end) (columns t).

Lemma one_category (l : list (text * N)) v i j : NoDup (map fst l) -> In (v, i) l -> In (v, j) l -> i = j.
Proof.
  induction l as [|[w k] l IH]; intros U I J; [destruct I|]. inversion_clear U as [|? ? N U'].
  assert (away : forall n, In (v, n) l -> w <> v) by (intros n H E; subst; apply N, in_map_iff; exists (v, n); auto).
  destruct I as [E|I], J as [E'|J]; [congruence| | |auto]; exfalso; [apply (away j J)|apply (away i I)]; congruence.
Qed.

Lemma columns_unique t l fields labels x : columns_read t l fields labels x ->
  Forall (fun c => match c with Categorical_column _ l => NoDup (map fst l) | _ => True end) l ->
  forall labels' x', columns_read t l fields labels' x' -> labels = labels' /\ x = x'.
Proof.
  induction 1 as [|v more fields labels x M R IH|v more fields labels x R IH|v q j m more fields labels x M D R IH
    |v j m more fields labels x M R IH|v j m l more fields labels x M I R IH|v m l more fields labels x M R IH];
    intros C labels' x' R'; [inversion R'; auto|..]; inversion_clear C as [|? ? Cl Cr]; inversion R'; subst;
      try contradiction;
    match goal with H : columns_read t more _ ?a ?b |- _ => destruct (IH Cr _ _ H) as [-> ->] end; auto.
  - split; [reflexivity|]. rewrite (decimal_is_unique v q q0) by assumption. reflexivity.
  - split; [reflexivity|]. rewrite (one_category l v j j0) by assumption. reflexivity.
Qed.

Lemma csv_line_unique t line label x label' x' : categories_once t ->
  csv_line t line label x -> csv_line t line label' x' -> label = label' /\ x = x'.
Proof.
  intros C H H'. destruct (columns_unique _ _ _ _ _ H C _ _ H') as [E ->]. injection E as <-. auto.
Qed.

Lemma same_front (a a' b b' : text) : length a = length a' -> a ++ b = a' ++ b' -> a = a' /\ b = b'.
Proof.
  revert a'. induction a as [|c a IH]; intros [|c' a'] L E; try discriminate; auto.
  cbn in E, L. injection E as <- E. injection L as L. destruct (IH a' L E) as [-> ->]. auto.
Qed.

Lemma images_unique size images labels raw : images_read size images labels raw ->
  forall raw', images_read size images labels raw' -> raw = raw'.
Proof.
  induction 1 as [|image rest label labels raw L R IH]; intros raw' R'; inversion R'; try congruence.
  match goal with H : ?a ++ ?b = image ++ rest |- _ => 
    assert (a = image /\ b = rest) as [-> ->] by (apply same_front; [congruence|exact H]) end.
  f_equal. apply IH. assumption.
Qed.

Definition format_is_clear : Prop := match format d with
  Csv t => categories_once t | Idx | Libsvm _ => True end.

Lemma source_unique files raw raw' : format_is_clear -> source_reads d files raw -> source_reads d files raw' ->
  raw = raw'.
Proof.
  unfold format_is_clear, source_reads. intros C.
  destruct (format d) as [zero_based|t|], files as [|f [|g [|h files]]]; try contradiction.
  - intros R R'. revert R'. revert raw'. eapply lines_unique; [|exact R]. intros.
    eapply libsvm_line_unique; eassumption.
  - intros R R'. revert R'. revert raw'. eapply lines_unique; [|exact R]. intros. eapply csv_line_unique; eassumption.
  - intros (n & h & w & _ & _ & _ & _ & R) (n' & h' & w' & _ & _ & _ & _ & R').
    eapply images_unique; [exact R|exact R'].
Qed.

Lemma rows_unique s n raw x : rows_of d s n raw x -> forall y, rows_of d s n raw y -> x = y.
Proof.
  induction 1 as [n|n label x k raw rows K R IH]; intros y Y; inversion Y; subst; [reflexivity|].
  rewrite (class_is_unique d labels_are_distinct label k k0) by assumption. f_equal. apply IH. assumption.
Qed.

Lemma sources_unique s sources x : format_is_clear -> sources_read d s sources x ->
  forall y, sources_read d s sources y -> x = y.
Proof.
  intros C. induction 1 as [s|s files rest raw rows more F R S IH]; intros y Y; inversion Y; subst; [reflexivity|].
  match goal with H : source_reads d files ?r |- _ => rewrite (source_unique files raw r C F H) in R end.
  f_equal; [eapply rows_unique; eassumption|apply IH; assumption].
Qed.
End Unique.

(* ---- Each coordinate of a row is given once *)

Definition once (x : point) : Prop := NoDup (map fst x) /\ Forall (fun v => fst v <> 0%N) x.

Lemma entries_once first features least l x : (first <= least)%Z -> entries first features least l x ->
  Forall (fun v => (least - first + 1 <= Z.of_N (fst v))%Z) x /\ NoDup (map fst x).
Proof.
  intros F H. induction H as [least|least index value q rest more D N B V E IH]; [split; constructor|].
  destruct IH as [A U]; [lia|]. split.
  - constructor; [cbn [fst]; lia|].
    apply (Forall_impl _ (P := fun v => (numeral index + 1 - first + 1 <= Z.of_N (fst v))%Z)); [|exact A]. intros v.
      lia.
  - constructor; [|exact U]. intros I. apply in_map_iff in I as (v & E' & I).
    rewrite Forall_forall in A. specialize (A v I). rewrite E' in A. cbn [fst] in A. lia.
Qed.

Lemma libsvm_line_once first features line label x : libsvm_line first features line label x -> once x.
Proof.
  intros (more & _ & _ & E). apply entries_once in E as [A U]; [|reflexivity]. split; [exact U|].
  apply (Forall_impl _ (P := fun v => (first - first + 1 <= Z.of_N (fst v))%Z)); [|exact A]. intros v. lia.
Qed.

(* The coordinates that a column may set. *)
Definition given (m : option N) : list N := match m with Some j => [j] | None => [] end.
Definition coordinates_of (c : column) : list N :=
  match c with
  | Label_column | Ignored_column => []
  | Numeric_column j m => j :: given m
  | Categorical_column m l => given m ++ map snd l
  end.

Lemma columns_once t l fields labels x : columns_read t l fields labels x -> NoDup (flat_map coordinates_of l) ->
  (forall v, In v x -> exists j, In j (flat_map coordinates_of l) /\ fst v = (j + 1)%N) /\ NoDup (map fst x).
Proof.
  assert (one : forall c l j q x, In j (coordinates_of c) -> NoDup (coordinates_of c ++ flat_map coordinates_of l) ->
    (forall v, In v x -> exists i, In i (flat_map coordinates_of l) /\ fst v = (i + 1)%N) -> NoDup (map fst x) ->
    (forall v, In v (((j + 1)%N, q) :: x) -> exists i,
      In i (coordinates_of c ++ flat_map coordinates_of l) /\ fst v = (i + 1)%N) /\
    NoDup (map fst (((j + 1)%N, q) :: x : point))).
  { intros c l' j q x' J U A N. split.
    - intros v [<-|I]; [exists j; split; [apply in_or_app; auto|reflexivity]|].
      destruct (A v I) as (i & Ii & E). exists i. split; [apply in_or_app; auto|exact E].
    - constructor; [|exact N]. intros I. apply in_map_iff in I as (v & E & I). destruct (A v I) as (i & Ii & E').
      rewrite E' in E. cbn [fst] in E. assert (i = j) by lia. subst i. clear - J U Ii.
      induction (coordinates_of c) as [|k m IH]; [destruct J|]. cbn in U. inversion_clear U as [|? ? M U'].
      destruct J as [->|J]; [apply M, in_or_app; auto|auto]. }
  assert (tail : forall c l, NoDup (coordinates_of c ++ flat_map coordinates_of l) ->
    NoDup (flat_map coordinates_of l)).
  { intros c l'. induction (coordinates_of c) as [|k m IH]; cbn; intros U; [exact U|]. inversion_clear U. auto. }
  induction 1 as [|v more fields labels x M R IH|v more fields labels x R IH|v q j m more fields labels x M D R IH
    |v j m more fields labels x M R IH|v j m l more fields labels x M I R IH|v m l more fields labels x M R IH];
    intros U; cbn [flat_map] in *.
  - split; [intros v []|constructor].
  - apply IH, U.
  - apply IH, U.
  - destruct (IH (tail (Numeric_column j m) more U)) as [A N].
    apply (one (Numeric_column j m)); auto. left. reflexivity.
  - destruct (IH (tail (Numeric_column j (Some m)) more U)) as [A N].
    apply (one (Numeric_column j (Some m))); auto. right. left. reflexivity.
  - destruct (IH (tail (Categorical_column m l) more U)) as [A N].
    apply (one (Categorical_column m l)); auto. apply in_or_app. right. apply in_map_iff. exists (v, j). auto.
  - destruct (IH (tail (Categorical_column (Some m) l) more U)) as [A N].
    apply (one (Categorical_column (Some m) l)); auto. left. reflexivity.
Qed.

Lemma csv_line_once t line label x : NoDup (flat_map coordinates_of (columns t)) -> csv_line t line label x -> once x.
Proof.
  intros U H. destruct (columns_once _ _ _ _ _ H U) as [A N]. split; [exact N|]. apply Forall_forall. intros v I.
  destruct (A v I) as (j & _ & ->). lia.
Qed.

Lemma pixels_once s : forall j, Forall (fun v => (j <= fst v)%N) (pixels j s) /\ NoDup (map fst (pixels j s)).
Proof.
  induction s as [|c s IH]; intros j; cbn [pixels]; [split; constructor|]. destruct (IH (j + 1)%N) as [A U].
  assert (A' : Forall (fun v : N * Q => (j <= fst v)%N) (pixels (j + 1) s)).
  { apply (Forall_impl _ (P := fun v => (j + 1 <= fst v)%N)); [intros v; lia|exact A]. }
  destruct (code c =? 0)%Z; [split; assumption|]. split; [constructor; [cbn; lia|exact A']|].
  constructor; [|exact U]. intros I. apply in_map_iff in I as (v & E & I). rewrite Forall_forall in A.
  specialize (A v I). rewrite E in A. cbn [fst] in A. lia.
Qed.

Definition coordinates_are_distinct (d : description) : Prop :=
  match format d with Csv t => NoDup (flat_map coordinates_of (columns t)) | _ => True end.

Lemma lines_once (skipped heads : text -> Prop) (gives : text -> text -> point ->
  Prop) due l raw : (forall line label x, gives line label x -> once x) ->
  lines_read skipped heads gives due l raw -> Forall (fun e => once (snd e)) raw.
Proof. intros G. induction 1; auto. constructor; [eapply G; eassumption|assumption]. Qed.

Lemma source_once d files raw : coordinates_are_distinct d -> source_reads d files raw ->
  Forall (fun e => once (snd e)) raw.
Proof.
  unfold coordinates_are_distinct, source_reads. intros C.
  destruct (format d) as [zero_based|t|], files as [|f [|g [|h files]]]; try contradiction.
  - apply lines_once. apply libsvm_line_once.
  - apply lines_once. intros. eapply csv_line_once; eassumption.
  - intros (n & h & w & _ & _ & _ & _ & R). induction R as [|image rest label labels raw L R IH]; constructor;
    [|exact IH].
    cbn [snd]. destruct (pixels_once image 1) as [A N]. split; [exact N|].
    apply (Forall_impl _ (P := fun v => (1 <= fst v)%N)); [intros v; lia|exact A].
Qed.

Lemma sources_once d s sources rows r : coordinates_are_distinct d -> sources_read d s sources rows -> In r rows ->
  NoDup (map fst (values r)).
Proof.
  intros C. induction 1 as [|s files rest raw rows more F R S IH]; [intros []|]. rewrite in_app_iff.
    intros [I|I]; [|auto].
  apply source_once in F; [|exact C]. clear - F R I. induction R as [|n label x k raw rows K R IH]; [destruct I|].
  inversion_clear F as [|? ? [U N] F']. destruct I as [<-|I]; [|auto]. cbn [values]. unfold with_bias.
  cbn [snd] in U, N. destruct (bias d); [|exact U]. constructor; [|exact U].
  intros J. apply in_map_iff in J as (v & E & J). rewrite Forall_forall in N. specialize (N v J). rewrite E in N.
    cbn in N. congruence.
Qed.
