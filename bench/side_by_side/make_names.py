#!/usr/bin/env python3
"""Writes data whose features are names, from a seed: what reading them costs.

  vw      rows of 12 namespaces a to l, one name each, as Vowpal Wabbit text
  csv     two numbers and a column of categories
  jsonl   objects of three short members, one of which is a name
  text    a column of texts, for n-grams

The share of popular names is as in logs of clicks: a name's number is drawn by a power law, and the label depends on
two namespaces.
"""
import argparse
import random

LETTERS = "abcdefghijkl"


def draw(rng: random.Random, names: int) -> int:
    """Returns a number below `names`: half of the draws by a power law, half uniform, so that most names occur."""
    u = rng.random()
    return int(names * u**4) if rng.random() < 0.5 else int(names * u)


def vw(rng, rows, names, write):
    each = names // len(LETTERS)
    for _ in range(rows):
        drawn = [draw(rng, each) for _ in LETTERS]
        label = 1 if (drawn[0] * 7 + drawn[1]) % 5 < 2 or rng.random() < 0.1 else -1
        spaces = " ".join(f"|{space} {space}{number:x}" for space, number in zip(LETTERS, drawn))
        write(f"{label} {spaces}\n")


def csv(rng, rows, names, write):
    write("label,first,who,second\n")
    for row in range(rows):
        number = row % names if row < names else draw(rng, names)
        write(f"{'yes' if number % 3 == 0 else 'no'},{rng.random():.3f},user{number * 7919 % names},{row % 17}\n")


def jsonl(rng, rows, names, write):
    for _ in range(rows):
        number = draw(rng, names)
        write(f'{{"y":{number % 2},"a":{rng.randrange(100)},"b":"n{number:x}","c":{rng.random():.2f}}}\n')


def text(rng, rows, names, write):
    write("label\ttext\n")
    for _ in range(rows):
        words = [f"w{draw(rng, names):x}" for _ in range(20)]
        write(f"{'good' if words[0] < words[1] else 'bad'}\t{' '.join(words)}\n")


def main():
    kinds = {"vw": vw, "csv": csv, "jsonl": jsonl, "text": text}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=kinds)
    parser.add_argument("out")
    parser.add_argument("--rows", type=int, default=300_000)
    parser.add_argument("--names", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with open(arguments.out, "w", encoding="utf-8", buffering=1 << 20) as out:
        kinds[arguments.kind](random.Random(arguments.seed), arguments.rows, arguments.names, out.write)


if __name__ == "__main__":
    main()
