"""Compares the verdicts `upstream` and `build` of a plan with what uv resolves for each target.

slipway why == examples/wheel-cache --json | python3 examples/wheel-cache/compare-verdicts.py debian-12=2.36 debian-13=2.41

uv takes wheels alone: a version whose verdict is `upstream` must resolve, and one whose verdict is `build` must not. Both ask the
index that pip or uv is configured for. Exit status 1: a verdict differs. $UV names another uv."""

import json
import os
import subprocess
import sys
from collections import defaultdict

UV = os.environ.get("UV", "uv")
# uv knows no newer one. Wheels for a newer C library are rare, and would be reported as a difference.
NEWEST_GLIBC = (2, 40)


def platform_of(glibc):
    version = min(tuple(int(part) for part in glibc.split(".")), NEWEST_GLIBC)
    return "x86_64-manylinux_%d_%d" % version


def resolves(pins, glibc, python):
    """Returns whether wheels of all pins exist for a target, and the last line that uv says."""
    line = [UV, "pip", "compile", "--quiet", "--no-deps", "--only-binary", ":all:", "--no-header", "--no-annotate"]
    target = ["--python-platform", platform_of(glibc), "--python-version", "3." + python[3:]]
    done = subprocess.run([*line, *target, "-"], input="\n".join(pins), capture_output=True, text=True)
    return done.returncode == 0, (done.stderr.strip().splitlines() or [""])[-1]


def differences(pins, verdict, glibc, python):
    """All wheels of a target are asked for at once, and one by one if one of them is absent."""
    if verdict == "upstream" and (not pins or resolves(pins, glibc, python)[0]):
        return []
    wanted = verdict == "upstream"
    answers = [(pin, *resolves([pin], glibc, python)) for pin in pins]
    return [(pin, said) for pin, found, said in answers if found != wanted]


def main():
    glibcs = dict(word.split("=") for word in sys.argv[1:])
    verdicts = defaultdict(list)
    for row in json.load(sys.stdin)["rows"]:
        pin, platform, python = row["subject"].rsplit(" ", 2)
        if row["verdict"] in ("upstream", "build"):
            verdicts[platform, python, row["verdict"]].append(pin)
    if not verdicts:
        sys.exit("compare-verdicts: no row has the verdict upstream or build. Pipe `slipway why == FILE --json` into this.")
    unknown = sorted({platform for platform, _, _ in verdicts} - set(glibcs))
    if unknown:
        sys.exit("compare-verdicts: say the version of glibc of each platform: %s=2.36" % unknown[0])
    failed = 0
    for (platform, python, verdict), pins in sorted(verdicts.items()):
        found = differences(pins, verdict, glibcs[platform], python)
        failed += len(found)
        print("%s %s %s: %d compared, %d differ" % (platform, python, verdict, len(pins), len(found)))
        for pin, said in found:
            print("  %s: %s" % (pin, said or "uv finds a wheel"))
    sys.exit(1 if failed else 0)


main()
