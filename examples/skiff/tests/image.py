"""Runs in the image: Python and Java call the same C core, each through what the release made for this machine."""

import json
import os
import platform
import runpy
import subprocess
from pathlib import Path

import skiff

runpy.run_path(str(Path(__file__).with_name("smoke.py")))

hull = ("9", "2", "0.5")
said = subprocess.run(["java", "dev.slipway.skiff.Main", *hull], check=True, capture_output=True, text=True).stdout.strip()
volume = skiff.text(skiff.displacement(*skiff.wigley(*map(float, hull))))
assert said == f"{volume} on {platform.machine()}", said

seen = {"commit": skiff.commit, "java": said, "machine": platform.machine(), "python": platform.python_version()}
Path(os.environ["OUT"], "seen.json").write_text(json.dumps(seen, indent=1, sort_keys=True))
print(f"python and java: {volume} on {platform.machine()}", flush=True)
