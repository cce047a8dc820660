#!/usr/bin/env python3
"""Breaks the engine's rules one by one and sees whether it is noticed.

Usage: mutate.py [--by tests|scenarios] [--only WORDS] [--jobs N] [--table FILE]

Each mutation of mutations.txt – a title, a file, lines that go (-) and lines that come (+), and why no scenario can see
it (?) – is put into a copy of the engine, which is built and judged: by the engine's tests, or by
the library of scenarios alone. A mutation that is not noticed is a survivor, and the exit code is 1; of scenarios none
that mutations.txt gives a reason for. A mutation whose text is no longer found once, that does not compile, or whose
reason is not true any more, is an error (2): it must follow the code.
"""

import argparse
import concurrent.futures
import pathlib
import queue
import re
import sys
import time

sys.dont_write_bytecode = True

from judges import ENGINE, JUDGES, NotCompiled
from table import write_table

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = ROOT / ".build" / "mutation"


def fail(sentence):
    print(sentence, file=sys.stderr)
    sys.exit(2)


class Mutation:
    def __init__(self, title, file, old, new, unseen):
        self.title, self.file, self.old, self.new = title, file, old, new
        # Why no scenario can see it; None: one must.
        self.unseen = unseen

    def check(self):
        count = (ROOT / ENGINE / self.file).read_text().count(self.old)
        if count != 1:
            fail(f"{self.title}: its text must be in {self.file} once, is there {count} times")

    def apply(self, folder):
        path = folder / ENGINE / self.file
        text = path.read_text()
        path.write_text(text.replace(self.old, self.new))
        return path, text


def read_mutations(path):
    mutations = []
    for block in re.split(r"^# ", path.read_text(), flags=re.M)[1:]:
        title, file, *lines = block.rstrip("\n").split("\n")
        old, new, why = ([line[1:] for line in lines if line.startswith(sign)] for sign in "-+?")
        unseen = " ".join(line.strip() for line in why) or None
        mutations.append(Mutation(title, file, "\n".join(old), "\n".join(new), unseen))
    return mutations


def try_out(mutation, judge, folders):
    """Who notices the mutation; `NotCompiled` where it is no program."""
    folder = folders.get()
    path, original = mutation.apply(folder)
    try:
        return judge.notice(folder)
    except NotCompiled as error:
        return error
    finally:
        path.write_text(original)
        folders.put(folder)


def make_folders(judge, count):
    folders = queue.Queue()
    for job in range(count):
        folder = WORK / judge.folder / str(job)
        folder.mkdir(parents=True, exist_ok=True)
        judge.make_copy(ROOT, folder)
        folders.put(folder)
    return folders


def check_unbroken(judge, folders):
    folder = folders.get()
    try:
        noticed = judge.notice(folder)
    except NotCompiled as error:
        fail(f"the engine does not compile without any mutation:\n{str(error)[-3000:]}")
    folders.put(folder)
    if noticed:
        fail("something fails without any mutation: " + ", ".join(noticed)[:2000])


def try_all(mutations, judge, folders, jobs):
    results = []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for mutation, by in zip(mutations, pool.map(lambda m: try_out(m, judge, folders), mutations)):
            if isinstance(by, NotCompiled):
                print(str(by)[-3000:], file=sys.stderr)
                fail(f"{mutation.title}: does not compile")
            results.append((mutation, by))
            mark = f"noticed  by {len(by):3}" if by else "SURVIVED       "
            print(f"{len(results):3}/{len(mutations)} {mark} {mutation.title}", flush=True)
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--by", choices=JUDGES, default="tests", help="who is to notice it")
    parser.add_argument("--only", default="", help="only mutations whose title has these words, or|these")
    parser.add_argument("--jobs", type=int, default=2, help="how many are tried at a time")
    parser.add_argument("--table", type=pathlib.Path, help="the document whose table gets their rows")
    options = parser.parse_args()
    judge = JUDGES[options.by]
    known = read_mutations(pathlib.Path(__file__).with_name("mutations.txt"))
    mutations = [m for m in known if any(words in m.title for words in options.only.split("|"))]
    if not mutations:
        fail(f"no mutation has \"{options.only}\" in its title")
    for mutation in mutations:
        mutation.check()
    folders = make_folders(judge, min(options.jobs, len(mutations)))
    check_unbroken(judge, folders)
    start = time.monotonic()
    results = try_all(mutations, judge, folders, options.jobs)
    survivors = [m for m, by in results if not by]
    print(f"{len(results) - len(survivors)} of {len(results)} noticed in {time.monotonic() - start:.0f} s")
    if options.table:
        write_table(options.table, known, results, options.by)
    if options.by == "scenarios":
        for mutation in (m for m, by in results if by and m.unseen):
            fail(f"{mutation.title}: is seen by scenarios; its line that begins with ? says the opposite")
        survivors = [m for m in survivors if not m.unseen]
    sys.exit(1 if survivors else 0)


if __name__ == "__main__":
    main()
