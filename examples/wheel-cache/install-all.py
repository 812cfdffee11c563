"""Installs every wheel of an index by pip and by uv, each from that index alone and by digest, and imports it.

    python3 install-all.py http://127.0.0.1:8082/debian-12/simple/

Every other address leads to a closed port. A module of a project that is not in the wheel may be absent.
"""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import urllib.request
from collections import defaultdict
from urllib.parse import urljoin, urlsplit

INDEX = sys.argv[1]
CLOSED = "http://127.0.0.1:9"
PROXIES = {name: CLOSED for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY")}
HOST = urlsplit(INDEX).hostname
ENV = {**os.environ, **PROXIES, "no_proxy": HOST, "NO_PROXY": HOST}
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))
FORMATS = {"json": "application/vnd.pypi.simple.v1+json", "html": "text/html"}

IMPORT = """
import importlib, importlib.metadata, sys
files = importlib.metadata.distribution(sys.argv[1]).files or []
parts = [file.parts for file in files if file.suffix in ('.py', '.so')]
tops = {part[0] for part in parts if len(part) == 2 and part[1] == '__init__.py'}
tops |= {part[0].split('.')[0] for part in parts if len(part) == 1}
for top in sorted(name for name in tops if name.isidentifier()):
    try:
        importlib.import_module(top)
    except ModuleNotFoundError as error:
        if (error.name or '').split('.')[0] in tops: raise
"""


def get(url, accept="*/*"):
    return DIRECT.open(urllib.request.Request(url, headers={"Accept": accept})).read()


def versions_of(project):
    """Returns the files of each version. Exits if a page or a sidecar is not what the index says."""
    url = urljoin(INDEX, f"{project}/")
    files = json.loads(get(url, FORMATS["json"]))["files"]
    html = get(url, FORMATS["html"]).decode()
    versions = defaultdict(list)
    for file in files:
        sidecar = get(urljoin(url, file["url"]) + ".metadata")
        if hashlib.sha256(sidecar).hexdigest() != file["core-metadata"]["sha256"]:
            sys.exit(f"{file['filename']}: its METADATA has another digest than the page says")
        if file["filename"] not in html:
            sys.exit(f"{file['filename']}: the HTML page of {project} lacks it")
        versions[file["filename"].split("-")[1]].append(file["hashes"]["sha256"])
    return versions


def installers(folder, wanted):
    alone = ["--no-deps", "--require-hashes", "--only-binary", ":all:", "--target", folder, "-r", wanted]
    yield "pip", [sys.executable, "-m", "pip", "--isolated", "install", "-q", "--no-cache-dir", "--index-url", INDEX, *alone]
    uv = ["uv", "pip", "install", "-q", "--no-config", "--no-cache", "--default-index", INDEX, "--python", sys.executable]
    yield "uv", [*uv, *alone]


def main():
    projects = [one["name"] for one in json.loads(get(INDEX, FORMATS["json"]))["projects"]]
    versions = [(project, *one) for project in projects for one in versions_of(project).items()]
    broken = []
    for project, version, digests in versions:
        with tempfile.TemporaryDirectory() as place:
            wanted = os.path.join(place, "wanted.txt")
            with open(wanted, "w") as file:
                file.write(" ".join([f"{project}=={version}", *(f"--hash=sha256:{one}" for one in digests)]) + "\n")
            for name in ("pip", "uv"):
                folder = os.path.join(place, name)
                argv = dict(installers(folder, wanted))[name]
                use = [sys.executable, "-c", IMPORT, project]
                done = subprocess.run(argv, env=ENV).returncode == 0
                works = done and subprocess.run(use, env={**ENV, "PYTHONPATH": folder}).returncode == 0
                print(f"{project} {version} by {name}: {'works' if works else 'is broken'}", flush=True)
                broken += [] if works else [f"{project} {version} by {name}"]
    if broken:
        sys.exit(f"{len(broken)} broken: {', '.join(broken)}")
    print(f"{len(versions)} versions of {len(projects)} projects")
    print("every wheel was installed by pip and by uv, and imported" if versions else "the index is empty")


main()
