(* What an accepted certificate of logistic losses says, in Coq's real numbers: the second page to read, without proofs.

   Statements.v has the certificate, its rows and its rational bounds. Here weights are real numbers, and the losses
   those of logistic regression, with the exponential and the logarithm of Coq's library. That library has axioms;
   README.md names them. *)

From Coq Require Import List ZArith NArith QArith Reals Qreals.
Require Import Statements.
Import ListNotations.
#[local] Open Scope R_scope.

Definition real_weights := nat -> N -> R.
Definition real_sum {A} (f : A -> R) (l : list A) : R := fold_right Rplus 0 (map f l).
Definition real_dot (w : real_weights) (z : signed_point) : R := real_sum (fun '(k, j, v) => w k j * Q2R v) z.
Definition real (w : weights) : real_weights := fun k j => Q2R (w k j).

Section Objective.
Variable d : description.
Variable rows : list row.
Variable o : minimization.
Variable own : nat.  (* the class whose rows have y = 1 *)

(* cost * ln (1 + e^-m), m = y <w, x> *)
Definition logistic_row_loss (w : real_weights) (r : row) : R :=
  match class r with
  | None => 0
  | Some k => Q2R (nth k (costs o) 0%Q) * ln (1 + exp (- real_dot w (place 0 (side own k) (values r))))
  end.

Definition logistic_distance (w u : real_weights) : R :=
  real_sum (fun j => (w 0%nat j - u 0%nat j) * (w 0%nat j - u 0%nat j)) (penalized d o).
Definition logistic_objective (w : real_weights) : R :=
  real_sum (fun j => w 0%nat j * w 0%nat j) (penalized d o) / 2 + real_sum (logistic_row_loss w) rows.

(* P of the stated weights is at most the stated primal; no weights have a P below the stated dual; and any weights, the
   stated ones among them, are near every minimum u. A bias without a penalty is left out of the distance. *)
Definition logistic_solution_holds (s : solution) : Prop :=
  logistic_objective (real (solution_weights s)) <= Q2R (primal s) /\
  forall w, Q2R (dual s) <= logistic_objective w /\
    forall u, (forall v, logistic_objective u <= logistic_objective v) ->
      logistic_distance w u <= 2 * (logistic_objective w - Q2R (dual s)).
End Objective.

(* A multinomial loss, which all classes share: each class k has the block k of w, and its score of a row. *)
Section Joint.
Variable d : description.
Variable rows : list row.
Variable o : minimization.

Definition real_score (w : real_weights) (k : nat) (r : row) : R := real_dot w (place k 1 (values r)).

(* cost * (ln (sum of e^score) - the score of the row's class) *)
Definition multinomial_row_loss (w : real_weights) (r : row) : R :=
  match class r with
  | None => 0
  | Some k => Q2R (nth k (costs o) 0%Q) *
      (ln (real_sum (fun i => exp (real_score w i r)) (seq 0 (length (groups d)))) - real_score w k r)
  end.

Definition multinomial_distance (w u : real_weights) : R :=
  real_sum (fun '(k, j) => (w k j - u k j) * (w k j - u k j)) (joint_keys d o).
Definition multinomial_objective (w : real_weights) : R :=
  real_sum (fun '(k, j) => w k j * w k j) (joint_keys d o) / 2 + real_sum (multinomial_row_loss w) rows.

Definition multinomial_minimum_holds (primal dual : Q) : Prop :=
  multinomial_objective (real (joint_weights o)) <= Q2R primal /\
  forall w, Q2R dual <= multinomial_objective w /\
    forall u, (forall v, multinomial_objective u <= multinomial_objective v) ->
      multinomial_distance w u <= 2 * (multinomial_objective w - Q2R dual).
End Joint.

(* The theorem: what an accepted certificate states of a minimum of logistic or multinomial losses holds. *)
Definition Logistic_minima_are_sound (check : certificate -> list (list text) -> bool) : Prop :=
  forall c sources o, check c sources = true -> minimized c = Some o -> (loss_of o = Logistic \/ joint o <> None) ->
    exists rows, sources_read (about c) 0 sources rows /\
      (forall others, sources_read (about c) 0 sources others -> others = rows) /\
      match joint o with
      | None => Forall2 (logistic_solution_holds (about c) rows o) (own_classes (about c)) (solutions o)
      | Some (primal, dual) => multinomial_minimum_holds (about c) rows o primal dual
      end.
