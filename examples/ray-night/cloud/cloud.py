"""A small cloud on loopback that makes clusters of Ray on request, for the line of examples/ray-night that asks one.

Its nodes are real nodes of Ray, made by Ray's own class for clusters on one machine. The first cluster lacks a node, as
clusters of a full cloud do. Start it with a Python that has Ray: `.tools/ray/bin/python cloud.py`.
"""
import argparse
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

parser = argparse.ArgumentParser()
parser.add_argument("--port", type=int, default=8270)
args = parser.parse_args()
clusters = {}


class Cluster:
    """A process that has the nodes. It ends them when its input ends, so also when this process dies."""

    def __init__(self, nodes, cpus):
        here = os.path.dirname(os.path.abspath(__file__))
        argv = [sys.executable, os.path.join(here, "nodes.py"), str(nodes), str(cpus)]
        self.running = []
        self.folder = None
        for _ in range(3):  # on a busy machine a node may miss Ray's own time limits
            self.process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            self.address = self.process.stdout.readline().strip()
            if self.address:
                return
            self.process.wait()
        raise RuntimeError("no cluster came up")

    def count(self):
        self.process.stdin.write("count\n")
        self.process.stdin.flush()
        return self.process.stdout.readline()

    def run(self, script):
        folder = os.path.dirname(sys.executable)
        env = {**os.environ, "RAY_ADDRESS": self.address, "PATH": f"{folder}:{os.environ['PATH']}"}
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        self.running.append(subprocess.Popen(["sh", script], env=env, start_new_session=True, **pipes))
        return self.running[-1]

    def down(self):
        for process in self.running:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGTERM)
        self.process.stdin.close()
        self.process.wait()


def below_slipway(path):
    """Refuses paths outside our folders of tests: everyone on this machine can reach this port."""
    path = os.path.normpath(path)
    folder = re.match(r"/tmp/slipway-[0-9a-f]{16}(?=/|$)", path)
    if not folder or os.path.lexists(folder[0]) and os.lstat(folder[0]).st_uid != os.getuid():
        raise PermissionError(path)
    return path


class Handler(BaseHTTPRequestHandler):
    def cluster(self):
        return clusters[json.loads(self.headers["Cluster"])["id"]]

    def folder(self):
        return below_slipway(self.headers["Folder"])

    def body(self):
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers["Content-Length"]))
        body = b""
        while size := int(self.rfile.readline(), 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        return body

    def answer(self, body=b"", status=200):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        if self.path == "/clusters":
            spec = json.loads(self.body())
            nodes = spec["nodes"] - (0 if clusters else 1)
            clusters[spec["id"]] = Cluster(nodes, spec["cpus"])
            return self.answer(json.dumps({"id": spec["id"]}).encode() + b"\n")
        process = self.cluster().run(below_slipway(self.body().decode()))
        self.send_response(200)
        self.end_headers()
        for line in process.stdout:
            self.wfile.write(line)
        self.wfile.write(f"exit status: {process.wait() % 256}\n".encode())

    def do_PUT(self):
        os.mkdir(self.folder(), 0o700)
        self.cluster().folder = self.folder()
        with tarfile.open(fileobj=io.BytesIO(self.body()), mode="r:gz") as tar:
            tar.extractall(self.folder(), filter="data")
        self.answer()

    def do_GET(self):
        if self.path == "/nodes":
            return self.answer(self.cluster().count().encode())
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w:gz") as tar:
            tar.add(self.folder(), arcname=".")
        self.answer(packed.getvalue())

    def do_DELETE(self):
        cluster = json.loads(self.headers["Cluster"] or "null")
        if cluster:
            self.cluster().down()
            if self.cluster().folder:
                shutil.rmtree(self.cluster().folder, ignore_errors=True)
        self.answer()


ThreadingHTTPServer(("127.0.0.1", args.port), Handler).serve_forever()
