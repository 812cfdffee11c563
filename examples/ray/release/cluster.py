"""The cluster of the release tests: a head and nodes of the Ray that was just built, as processes of this machine.

`start` installs Ray from wheels/ and starts all nodes once. `submit` starts them anew for a test, since the sandbox ends what a line
of the release file leaves. `nodes` prints how many are alive. `stop` removes all."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

HERE = Path(tempfile.gettempdir(), "ray")  # every attempt of a step has a folder for temporary files of its own
SITE, NODES, UP, SEEN = HERE / "site", HERE / "nodes", HERE / "up", HERE / "seen"


def install() -> None:
    """No pip: the miniature needs no other package."""
    tag = f"-cp{sys.version_info[0]}{sys.version_info[1]}-"
    found = [wheel for wheel in Path("wheels").glob("ray-*.whl") if tag in wheel.name]
    if not found:
        sys.exit(f"no wheel of ray for {tag} in {os.listdir('wheels')}; put a Python that Ray is built for first on PATH")
    with zipfile.ZipFile(found[0]) as wheel:
        wheel.extractall(SITE)


def ray(*args: str) -> list[str]:
    return [sys.executable, "-m", "ray.scripts", *args, f"--dir={NODES}"]


def alive() -> int:
    return int(subprocess.check_output(ray("nodes")))


def bring_up(wanted: int) -> list[subprocess.Popen[bytes]]:
    nodes = [subprocess.Popen(ray("start", "--head"))]
    while not NODES.is_dir() and nodes[0].poll() is None:
        time.sleep(0.02)
    nodes += [subprocess.Popen(ray("start")) for _ in range(wanted - 1)]
    while alive() < wanted:
        if any(node.poll() is not None for node in nodes):
            sys.exit("a node ended at its start")
    UP.touch()
    return nodes


def take_down(nodes: list[subprocess.Popen[bytes]]) -> None:
    """A node ends when the folder of the nodes is gone."""
    UP.unlink()
    NODES.rename(HERE / "ended")
    for node in nodes:
        node.wait()
    shutil.rmtree(HERE / "ended")


def main() -> int:
    action, *rest = sys.argv[1:]
    os.environ["PYTHONPATH"] = str(SITE)
    if action == "stop":
        for folder in [HERE, *map(Path, rest)]:
            shutil.rmtree(folder, ignore_errors=True)
        return 0
    if action == "nodes":
        print(alive() if UP.exists() else SEEN.read_text())
        return 0
    wanted = json.loads(os.environ["CLUSTER"])["nodes"]
    if action == "start":
        install()
        take_down(bring_up(wanted))
        SEEN.write_text(str(wanted))
        print(json.dumps({"nodes": wanted}))
        return 0
    nodes = bring_up(wanted)
    status = subprocess.run(["sh", *rest], env={**os.environ, "RAY_ADDRESS": str(NODES)}).returncode
    take_down(nodes)
    return status


sys.exit(main())
