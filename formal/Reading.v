(* Reading LIBSVM: line by line while the characters come, and equal to the reading of Statements.v.

   [feed_byte] takes one character; what it keeps is the line so far and an accumulator of rows. So memory stays bounded
   by the longest line, and recursion is only within a line. [reading_is_sound] says that the accumulator has folded
   exactly the rows of the files. *)

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

Definition labels_agree (s t : text) : bool :=
  same_text s t || match read_scaled s, read_scaled t with Some a, Some b => equal a b | _, _ => false end.

Lemma labels_agree_spec s t : labels_agree s t = true <-> same_label s t.
Proof.
  unfold labels_agree, same_label. rewrite Bool.orb_true_iff, same_text_spec. split; intros [H|H]; auto; right.
  - destruct (read_scaled s) as [a|] eqn:S; [|discriminate]. destruct (read_scaled t) as [b|] eqn:T; [|discriminate].
    apply equal_spec in H. exists (canonical a). split; [apply read_scaled_sound, S|].
    unfold canonical. rewrite (Qred_complete _ _ H). apply read_scaled_sound, T.
  - destruct H as [q [S T]]. apply read_scaled_complete in S as [a [-> Ea]].
    apply read_scaled_complete in T as [b [-> Eb]].
    apply equal_spec. rewrite <- (canonical_value a), <- (canonical_value b), Ea, Eb. reflexivity.
Qed.

Lemma same_label_trans r s t : same_label r s -> same_label s t -> same_label r t.
Proof.
  intros [->|[p [Rp Sp]]] [->|[q [Sq Tq]]]; try (left; reflexivity).
  - right. exists q. auto.
  - right. exists p. auto.
  - right. exists p. split; [exact Rp|]. rewrite (decimal_is_unique _ _ _ Sp Sq). exact Tq.
Qed.
Lemma same_label_sym s t : same_label s t -> same_label t s.
Proof. intros [->|[q [S T]]]; [left; reflexivity|right; exists q; auto]. Qed.

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
  k) (label_table d) /\ same_label name label.
Proof.
  unfold class_of, label_table. split.
  - intros (group & E & name & I & S). exists name. split; [|exact S]. rewrite in_app_iff. destruct k as [i|].
    + right. apply in_table_from. exists i, group. auto.
    + left. subst group. apply in_map_iff. exists name. auto.
  - intros (name & I & S). apply in_app_iff in I as [I|I].
    + apply in_map_iff in I as (n & [= <- <-] & I). exists (left_out d). split; [reflexivity|]. exists n. auto.
    + apply in_table_from in I as (j & group & -> & E & I). exists group. split; [exact E|]. exists name. auto.
Qed.

Definition class_in (table : list (text * option nat)) (label : text) : option (option nat) :=
  option_map snd (find (fun entry => labels_agree (fst entry) label) table).

Fixpoint labels_distinct (table : list (text * option nat)) : bool :=
  match table with
  | [] => true
  | entry :: rest => forallb (fun other => negb (labels_agree (fst entry) (fst other))) rest && labels_distinct rest
  end.

Lemma class_in_sound d label k : class_in (label_table d) label = Some k -> class_of d label k.
Proof.
  unfold class_in. intros H. destruct (find _ _) as [[name k']|] eqn:F; [|discriminate]. injection H as <-.
  apply find_some in F as [I A]. apply class_of_table. exists name. split; [exact I|]. apply labels_agree_spec, A.
Qed.

Lemma distinct_labels_have_one_class table : labels_distinct table = true -> forall s t j k,
  In (s, j) table -> In (t, k) table -> same_label s t -> j = k.
Proof.
  induction table as [|[u i] rest IH]; cbn; intros D s t j k Is It S; [destruct Is|].
  apply Bool.andb_true_iff in D as [H D]. rewrite forallb_forall in H.
  assert (away : forall v l, In (v, l) rest -> ~ same_label u v).
  { intros v l I C. specialize (H _ I). cbn in H. apply labels_agree_spec in C. rewrite C in H. discriminate. }
  destruct Is as [[= <- <-]|Is], It as [[= <- <-]|It]; auto.
  - exfalso. exact (away _ _ It S).
  - exfalso. exact (away _ _ Is (same_label_sym _ _ S)).
  - exact (IH D s t j k Is It S).
Qed.

Lemma class_is_unique d : labels_distinct (label_table d) = true -> forall label j k,
  class_of d label j -> class_of d label k -> j = k.
Proof.
  intros D label j k J K. apply class_of_table in J as (s & Is & Ss), K as (t & It & St).
  apply (distinct_labels_have_one_class _ D s t); auto.
  apply (same_label_trans _ label); [exact Ss|apply same_label_sym, St].
Qed.

(* ---- Lines *)

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

Lemma read_entries_sound d l : forall least x last,
  read_entries (first_index d) (first_index d + Z.of_N (features d)) least l = Some (x, last) ->
  exists y, entries d least l y /\ same_point x y.
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

Inductive line_content := Nothing | Labelled (label : text) (x : list cell) (last : Z) | Unreadable.

Definition read_line (first limit : Z) (line : text) : line_content :=
  match line_words line with
  | [] => Nothing
  | label :: more =>
      if existsb (Ascii.eqb ":") label then Unreadable
      else match read_entries first limit first more with
           | None => Unreadable
           | Some (x, last) => Labelled label x last
           end
  end.

Lemma no_colon label : existsb (Ascii.eqb ":") label = false -> ~ In ":"%char label.
Proof.
  intros H I. apply Bool.not_true_iff_false in H. apply H, existsb_exists. exists ":"%char.
  split; [exact I|apply Ascii.eqb_refl].
Qed.

(* ---- Rows, folded into an accumulator *)

Inductive fault := Unreadable_line (file line : N) | Unknown_label (file line : N).

Section Fold.
Variable d : description.
Variable table : list (text * option nat).
Variable bias_cells : list cell.
Variable A : Type.
Variable add_row : A -> exact_row -> A.

(* What is known after some lines of a file: the line's number, the next row's, the features met, the rows so far. *)
Inductive progress := Going (line next : N) (used : Z) (rows : A) | Stopped (why : fault).

Definition first : Z := first_index d.
Definition limit : Z := first_index d + Z.of_N (features d).

Definition feed_text (file : N) (p : progress) (text : text) : progress :=
  match p with
  | Stopped _ => p
  | Going line next used rows =>
      match read_line first limit text with
      | Nothing => Going (line + 1) next used rows
      | Unreadable => Stopped (Unreadable_line file line)
      | Labelled label x last =>
          match class_in table label with
          | None => Stopped (Unknown_label file line)
          | Some k =>
              Going (line + 1) (next + 1) (Z.max used (last - first))
                (add_row rows {| row_source := file; row_number := next; row_class := k; cells := bias_cells ++ x |})
          end
      end
  end.

Definition feed_line (file : N) (p : progress) (raw : text) : progress :=
  match p with
  | Going 1 _ _ _ => feed_text file p (without_mark raw)
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

Hypothesis table_is : table = label_table d.
Hypothesis bias_is : same_point bias_cells (with_bias d []).

Lemma with_bias_cells x y : same_point x y -> same_point (bias_cells ++ x) (with_bias d y).
Proof.
  intros H. unfold with_bias in *. destruct (bias d); inversion_clear bias_is as [|? ? ? ? E R];
    [inversion_clear R; constructor; assumption|exact H].
Qed.

Lemma stays_stopped file l : forall why, fold_left (feed_text file) l (Stopped why) = Stopped why.
Proof. induction l as [|raw l IH]; cbn; auto. Qed.

Lemma fed_lines file l : forall line next used rows line' next' used' rows',
  fold_left (feed_text file) l (Going line next used rows) = Going line' next' used' rows' ->
  exists exact_rows read, rows_of d file next l read /\ Forall2 same_row exact_rows read /\
    rows' = fold_left add_row exact_rows rows.
Proof.
  induction l as [|raw l IH]; intros line next used rows line' next' used' rows' H.
  - injection H as <- <- <- <-. exists [], []. repeat split; constructor.
  - cbn [fold_left feed_text] in H. unfold read_line in H. destruct (line_words raw) as [|label more] eqn:W.
    + apply IH in H as (c & r & R & S & E). exists c, r. repeat split; auto. apply blank_line; assumption.
    + destruct (existsb _ label) eqn:C; [rewrite stays_stopped in H; discriminate|].
      destruct (read_entries first limit first more) as [[x last]|] eqn:X; [|rewrite stays_stopped in H; discriminate].
      destruct (class_in table label) as [k|] eqn:K; [|rewrite stays_stopped in H; discriminate].
      apply IH in H as (c & r & R & S & E).
      apply read_entries_sound in X as (y & Y & Sy). rewrite table_is in K. apply class_in_sound in K.
      eexists ({| row_source := file; row_number := next; row_class := k; cells :=
        bias_cells ++ x |} :: c), (_ :: r). split; [|split].
      * eapply data_line; eauto. apply no_colon, C.
      * cbn [fold_left]. constructor; [|exact S]. split; [|split; [|split; [|apply with_bias_cells, Sy]]]; reflexivity.
      * exact E.
Qed.

(* After the first line the mark has no meaning. *)
Lemma later_lines file l : forall line next used rows, (1 < line)%N ->
  fold_left (feed_line file) l (Going line next used rows) = fold_left (feed_text file) l (Going line next used rows).
Proof.
  assert (stuck : forall l why, fold_left (feed_line file) l (Stopped why) = Stopped why).
  { clear l. induction l as [|raw l IH]; cbn; auto. }
  induction l as [|raw l IH]; intros line next used rows B; [reflexivity|]. cbn [fold_left].
  replace (feed_line file (Going line next used rows) raw) with (feed_text file (Going line next used rows) raw).
  2: { unfold feed_line. destruct line as [|[ | | ]]; try reflexivity. lia. }
  cbn [feed_text]. destruct (read_line first limit raw).
  - apply IH. lia.
  - destruct (class_in table label); [apply IH; lia|]. rewrite stuck, stays_stopped. reflexivity.
  - rewrite stuck, stays_stopped. reflexivity.
Qed.

Lemma all_lines file raw l next used rows :
  fold_left (feed_line file) (raw :: l) (Going 1 next used rows) =
  fold_left (feed_text file) (without_mark raw :: l) (Going 1 next used rows).
Proof.
  cbn [fold_left feed_line]. remember (feed_text file (Going 1 next used rows) (without_mark raw)) as p eqn:P.
  cbn [feed_text] in P.
  assert (stuck : forall l why, fold_left (feed_line file) l (Stopped why) = Stopped why).
  { clear. induction l as [|raw l IH]; cbn; auto. }
  destruct (read_line first limit _); [|destruct (class_in table label)|]; subst p;
    try (rewrite stuck, stays_stopped; reflexivity); apply later_lines; lia.
Qed.

Lemma read_file_sound file bytes used rows line' next' used' rows' :
  read_file file bytes (Going 1 1 used rows) = Going line' next' used' rows' ->
  exists exact_rows read, file_reads d file bytes read /\ Forall2 same_row exact_rows read /\
    rows' = fold_left add_row exact_rows rows.
Proof.
  unfold read_file, file_reads. rewrite bytes_are_lines, mark_is_in_the_first_line.
  pose proof (split_has_a_piece (Ascii.eqb newline) bytes) as S. fold (lines bytes) in S.
  destruct (lines bytes) as [|raw l]; [congruence|]. cbn [continued rev app]. rewrite all_lines. apply fed_lines.
Qed.
End Fold.

(* ---- A file is read in one way only *)

Section Unique.
Variable d : description.
Hypothesis labels_are_distinct : labels_distinct (label_table d) = true.

Lemma one_index index value index' value' : digits index -> digits index' ->
  index ++ ":"%char :: value = index' ++ ":"%char :: value' -> index = index' /\ value = value'.
Proof.
  intros D D' E.
  pose proof (take_digits_complete index (":"%char :: value) 0 0 D eq_refl) as T.
  pose proof (take_digits_complete index' (":"%char :: value') 0 0 D' eq_refl) as T'.
  rewrite E, T' in T. injection T as _ _ V. subst value'. split; [|reflexivity].
  apply app_inv_tail in E. exact E.
Qed.

Lemma entries_unique least l x : entries d least l x -> forall y, entries d least l y -> x = y.
Proof.
  induction 1 as [least|least index value q rest more D N B V E IH]; intros y Y.
  - inversion Y. reflexivity.
  - inversion Y. subst. match goal with H : _ = index ++ _ |- _ => apply one_index in H as [-> ->]; auto end.
    rewrite (decimal_is_unique value q q0) by assumption. f_equal. apply IH. assumption.
Qed.

Lemma rows_unique s n l x : rows_of d s n l x -> forall y, rows_of d s n l y -> x = y.
Proof.
  induction 1 as [n|n line rest rows W R IH|n line label more rest x k rows W C E K R IH]; intros y Y.
  - inversion Y. reflexivity.
  - inversion Y; [|congruence]. subst. apply IH. assumption.
  - inversion Y as [| |? ? label' more' ? x' k' rows' W' C' E' K' R']; [congruence|]. subst.
    rewrite W in W'. injection W' as <- <-.
    rewrite (entries_unique _ _ _ E _ E'), (class_is_unique d labels_are_distinct _ _ _ K K'). f_equal. apply IH, R'.
Qed.

Lemma files_unique s files x : files_read d s files x -> forall y, files_read d s files y -> x = y.
Proof.
  induction 1 as [s|s file rest rows more F R IH]; intros y Y; inversion Y; subst; [reflexivity|].
  f_equal; [eapply rows_unique; eassumption|apply IH; assumption].
Qed.
End Unique.

(* ---- The coordinates of a row ascend, so that each is given once *)

Lemma entries_ascend d least l x : (first_index d <= least)%Z -> entries d least l x ->
  Forall (fun v => (least - first_index d + 1 <= Z.of_N (fst v))%Z) x /\ NoDup (map fst x).
Proof.
  intros F H. induction H as [least|least index value q rest more D N B V E IH]; [split; constructor|].
  destruct IH as [A U]; [lia|]. split.
  - constructor; [cbn [fst]; lia|]. apply (Forall_impl _ (P :=
    fun v => (numeral index + 1 - first_index d + 1 <= Z.of_N (fst v))%Z)); [|exact A].
    intros v. lia.
  - constructor; [|exact U]. intros I. apply in_map_iff in I as (v & E' & I).
    rewrite Forall_forall in A. specialize (A v I). rewrite E' in A. cbn [fst] in A. lia.
Qed.

Lemma coordinates_once d s n l rows r : rows_of d s n l rows -> In r rows -> NoDup (map fst (values r)).
Proof.
  induction 1 as [n|n line rest rows W R IH|n line label more rest x k rows W C E K R IH]; intros I; auto;
    [destruct I|].
  destruct I as [<-|I]; [|auto]. cbn [values]. apply entries_ascend in E as [A U]; [|reflexivity].
  unfold with_bias. destruct (bias d); [|exact U]. constructor; [|exact U].
  intros J. apply in_map_iff in J as (v & E' & J). rewrite Forall_forall in A. specialize (A v J). rewrite E' in A.
    cbn in A. lia.
Qed.

Lemma file_coordinates_once d s files rows r : files_read d s files rows -> In r rows -> NoDup (map fst (values r)).
Proof.
  induction 1 as [|s file rest rows more F R IH]; [intros []|]. rewrite in_app_iff. intros [I|I]; [|auto].
  eapply coordinates_once; eassumption.
Qed.
