"""Refuses places where 64 bits become 32 in silence, as size_t has there, but for those that were read.

What was read is counted by file in narrowings.txt: sizes and places of what is in memory, where 32 bits are enough. After
reading a new one, or removing some: narrowings.py OUT --write.

usage: narrowings.py OUT [--write]    OUT: build/web, with what the compiler said of each source
"""

import re
import sys
from collections import Counter
from pathlib import Path

READ = Path(__file__).with_name("narrowings.txt")
WARNING = re.compile(
    r"^((?:src|include|web)/[^ :]+):(\d+):(\d+): warning: implicit conversion loses integer precision", re.M)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__.strip().rpartition("\n\n")[2])
    said = sorted(Path(sys.argv[1]).glob("objects/*.said"))
    places = {match.groups() for path in said for match in WARNING.finditer(path.read_text(errors="replace"))}
    found = Counter(file for file, _, _ in places)
    if sys.argv[2:] == ["--write"]:
        READ.write_text("".join(f"{count:3} {file}\n" for file, count in sorted(found.items())))
        return
    read = {file: int(count) for count, file in (line.split() for line in READ.read_text().splitlines())}
    more = [file for file in found if found[file] > read.get(file, 0)]
    for file, line, column in sorted(places, key=lambda place: (place[0], int(place[1]), int(place[2]))):
        if file in more:
            print(f"{file}:{line}:{column}: 64 bits become 32", file=sys.stderr)
    if more:
        sys.exit(f"narrowings.py: more than were read in {', '.join(sorted(more))}: read these lines, then --write")


main()
