(* SHA-256 (FIPS 180-4), block by block. Trusted, and tested against sha256sum. *)

let mask = 0xffffffff

(* The first 32 bits of the fractional part of the root of a prime: of the square root, or of the cube root. *)
let primes n =
  let rec from k found = if List.length found = n then List.rev found
    else from (k + 1) (if List.exists (fun p -> k mod p = 0) found then found else k :: found) in
  from 2 []
let fraction_of_root power p =
  let target = Z.mul (Z.of_int p) (Z.pow (Z.of_int 2) (32 * power)) in
  Z.to_int (Z.logand (Z.root target power) (Z.of_int mask))
let constants = Array.of_list (List.map (fraction_of_root 3) (primes 64))
let initial () = Array.of_list (List.map (fraction_of_root 2) (primes 8))

type t = { state : int array; block : Bytes.t; mutable used : int; mutable bytes : int; words : int array }

let create () = { state = initial (); block = Bytes.create 64; used = 0; bytes = 0; words = Array.make 64 0 }

let rotate x n = ((x lsr n) lor (x lsl (32 - n))) land mask

let compress h =
  let w = h.words in
  for i = 0 to 15 do
    w.(i) <- Int32.to_int (Bytes.get_int32_be h.block (4 * i)) land mask
  done;
  for i = 16 to 63 do
    let a = w.(i - 15) and b = w.(i - 2) in
    let s0 = rotate a 7 lxor rotate a 18 lxor (a lsr 3) and s1 = rotate b 17 lxor rotate b 19 lxor (b lsr 10) in
    w.(i) <- (w.(i - 16) + s0 + w.(i - 7) + s1) land mask
  done;
  let rec rounds i a b c d e f g k =
    if i = 64 then List.iteri (fun j x -> h.state.(j) <- (h.state.(j) + x) land mask) [ a; b; c; d; e; f; g; k ]
    else
      let s1 = rotate e 6 lxor rotate e 11 lxor rotate e 25 and choice = (e land f) lxor (lnot e land mask land g) in
      let t1 = k + s1 + choice + constants.(i) + w.(i) in
      let s0 = rotate a 2 lxor rotate a 13 lxor rotate a 22 and majority = (a land b) lxor (a land c) lxor (b land c) in
      rounds (i + 1) ((t1 + s0 + majority) land mask) a b c ((d + t1) land mask) e f g in
  let s = h.state in
  rounds 0 s.(0) s.(1) s.(2) s.(3) s.(4) s.(5) s.(6) s.(7)

let rec add h text at length =
  if length > 0 then begin
    let taken = min length (64 - h.used) in
    Bytes.blit text at h.block h.used taken;
    h.used <- h.used + taken;
    h.bytes <- h.bytes + taken;
    if h.used = 64 then (compress h; h.used <- 0);
    add h text (at + taken) (length - taken)
  end

let finish h =
  let bits = Bytes.create 8 in
  Bytes.set_int64_be bits 0 (Int64.of_int (8 * h.bytes));
  let zeros = (119 - h.used) mod 64 in
  add h (Bytes.cat (Bytes.of_string "\x80") (Bytes.make zeros '\000')) 0 (zeros + 1);
  add h bits 0 8;
  String.concat "" (List.map (Printf.sprintf "%08x") (Array.to_list h.state))

let of_string text =
  let h = create () in
  add h (Bytes.unsafe_of_string text) 0 (String.length text);
  finish h
