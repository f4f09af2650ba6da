(* JSON as certificates have it: whole numbers from 0, no key twice, UTF-8. Everything else is malformed. *)

exception Malformed of string

let fail what = raise (Malformed what)

type t = Null | Bool of bool | Whole of Z.t | Text of string | List of t list | Object of (string * t) list

(* The length of the UTF-8 sequence at a position. *)
let utf8_length text at =
  let byte i = if at + i < String.length text then Char.code text.[at + i] else 0 in
  let follows i low high = let b = byte i in b >= low && b <= high in
  let rest from last = List.for_all (fun i -> follows i 0x80 0xbf) (List.init (last - from + 1) (fun k -> from + k)) in
  match byte 0 with
  | b when b < 0x80 -> 1
  | b when b >= 0xc2 && b <= 0xdf && rest 1 1 -> 2
  | 0xe0 when follows 1 0xa0 0xbf && rest 2 2 -> 3
  | 0xed when follows 1 0x80 0x9f && rest 2 2 -> 3
  | b when b >= 0xe1 && b <= 0xef && b <> 0xed && rest 1 2 -> 3
  | 0xf0 when follows 1 0x90 0xbf && rest 2 3 -> 4
  | b when b >= 0xf1 && b <= 0xf3 && rest 1 3 -> 4
  | 0xf4 when follows 1 0x80 0x8f && rest 2 3 -> 4
  | _ -> fail "not UTF-8"

let parse text =
  let size = String.length text in
  let at = ref 0 in
  let here () = if !at < size then text.[!at] else '\000' in
  let rec skip () = match here () with ' ' | '\t' | '\n' | '\r' when !at < size -> incr at; skip () | _ -> () in
  let expect word =
    let length = String.length word in
    if !at + length > size || String.sub text !at length <> word then fail ("expected " ^ word);
    at := !at + length in
  let hex () =
    if !at + 4 > size then fail "a short escape";
    let digits = String.sub text !at 4 in
    String.iter (function '0' .. '9' | 'a' .. 'f' | 'A' .. 'F' -> () | _ -> fail "not a hex digit") digits;
    at := !at + 4;
    int_of_string ("0x" ^ digits) in
  let escape buffer =
    incr at;
    let plain c = incr at; Buffer.add_char buffer c in
    match here () with
    | ('"' | '\\' | '/') as c -> plain c
    | 'b' -> plain '\b' | 'f' -> plain '\012' | 'n' -> plain '\n' | 'r' -> plain '\r' | 't' -> plain '\t'
    | 'u' ->
        incr at;
        let high = hex () in
        let code =
          if high < 0xd800 || high > 0xdfff then high
          else if high > 0xdbff then fail "half a surrogate pair"
          else begin
            expect "\\u";
            let low = hex () in
            if low < 0xdc00 || low > 0xdfff then fail "half a surrogate pair";
            0x10000 + ((high - 0xd800) lsl 10) + (low - 0xdc00)
          end in
        Buffer.add_utf_8_uchar buffer (Uchar.of_int code)
    | _ -> fail "an unknown escape" in
  let string () =
    expect "\"";
    let buffer = Buffer.create 16 in
    while !at < size && here () <> '"' do
      if here () = '\\' then escape buffer
      else if here () < ' ' then fail "a control character"
      else begin
        let length = utf8_length text !at in
        Buffer.add_string buffer (String.sub text !at length);
        at := !at + length
      end
    done;
    expect "\"";
    Buffer.contents buffer in
  let whole () =
    let start = !at in
    while (match here () with '0' .. '9' -> true | _ -> false) do incr at done;
    let digits = String.sub text start (!at - start) in
    if digits = "" || (String.length digits > 1 && digits.[0] = '0') then fail "not a whole number";
    (match here () with '.' | 'e' | 'E' -> fail "not a whole number" | _ -> ());
    Whole (Z.of_string digits) in
  let rec value depth =
    if depth > 1000 then fail "nested too deeply";
    skip ();
    let found =
      match here () with
      | '{' -> Object (series '{' '}' (member depth))
      | '[' -> List (series '[' ']' (fun () -> value (depth + 1)))
      | '"' -> Text (string ())
      | 't' -> expect "true"; Bool true
      | 'f' -> expect "false"; Bool false
      | 'n' -> expect "null"; Null
      | _ -> whole () in
    skip ();
    found
  and member depth () =
    skip ();
    let key = string () in
    skip ();
    expect ":";
    (key, value (depth + 1))
  and series : 'a. char -> char -> (unit -> 'a) -> 'a list = fun opening closing item ->
    expect (String.make 1 opening);
    skip ();
    if here () = closing then (incr at; [])
    else begin
      let rec more found =
        let found = item () :: found in
        skip ();
        if here () = ',' then (incr at; more found) else (expect (String.make 1 closing); List.rev found) in
      more []
    end in
  let rec check_keys = function
    | Object members ->
        let seen = Hashtbl.create 16 in
        List.iter (fun (key, v) ->
          if Hashtbl.mem seen key then fail ("the key " ^ key ^ " occurs twice");
          Hashtbl.add seen key ();
          check_keys v) members
    | List items -> List.iter check_keys items
    | Null | Bool _ | Whole _ | Text _ -> () in
  let found = value 0 in
  if !at <> size then fail "text after the end";
  check_keys found;
  found
