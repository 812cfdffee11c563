"""`ray start --head --dir DIR`, `ray start --dir DIR`: a node takes tasks out of the folder that the head made, and leaves results there.
`ray nodes --dir DIR` prints how many are alive."""

import argparse
import json
import os
import time
from fcntl import LOCK_EX, LOCK_NB, LOCK_SH, flock
from pathlib import Path

from ray import square_sum


def serve(folder: Path, name: str, is_head: bool) -> None:
    """Works until the folder is gone. A task is a file FIRST-LAST.task, which one node can rename and no other."""
    with (folder / f"{name}.node").open("w") as held:
        print(os.getpid(), file=held, flush=True)
        flock(held, LOCK_EX)  # a node is alive while it holds this lock, which ends with its process
        while folder.is_dir():
            if is_head:
                take_back(folder)
            for task in sorted(folder.glob("*.task")):
                mine = task.with_suffix(f".{name}")
                try:
                    task.rename(mine)
                except FileNotFoundError:
                    continue
                work(mine, name)
            time.sleep(0.02)


def work(task: Path, name: str) -> None:
    """Leaves FIRST-LAST.done in place of the task."""
    first, last = map(int, task.stem.split("-"))
    time.sleep(0.01)
    made = task.with_suffix(".part")
    made.write_text(json.dumps({"node": name, "sum": square_sum(first, last)}))
    made.rename(task.with_suffix(".done"))
    task.unlink()


def take_back(folder: Path) -> None:
    """Gives tasks of nodes that ended to the others."""
    for node in folder.glob("*.node"):
        for task in folder.glob(f"*.{node.stem}"):
            if not is_alive(node):
                task.rename(task.with_suffix(".task"))


def is_alive(node: Path) -> bool:
    with node.open() as held:
        try:
            flock(held, LOCK_SH | LOCK_NB)
        except BlockingIOError:
            return True
    return False


def main() -> None:
    parser = argparse.ArgumentParser(prog="ray", description=__doc__)
    parser.add_argument("action", choices=["start", "nodes"])
    parser.add_argument("--head", action="store_true")
    parser.add_argument("--dir", type=Path, required=True)
    given = parser.parse_args()
    if given.action == "nodes":
        print(sum(map(is_alive, given.dir.glob("*.node"))))
        return
    if given.head:
        given.dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    serve(given.dir, "head" if given.head else f"node{os.getpid()}", given.head)


if __name__ == "__main__":
    main()
