/** Installs as `spack install` does, with its arguments. Spack waits until the log of a phase is closed, and a process that the recipe left
 * may hold it open for hours. Such a process has ten seconds to end after the phase, and is killed then. */
export const INSTALL_PROGRAM = `import os, signal, sys, time
import spack.installer
import spack.main

GRACE_S = 10
log = sys.modules[spack.installer.log_output.__module__].nixlog
leave = log.__exit__

def is_same(path, pipe):
    try:
        return os.path.samestat(os.stat(path), pipe)
    except OSError:
        return False

def holders(pipe, spared):
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            fds = [] if int(pid) in spared else os.listdir(f"/proc/{pid}/fd")
        except OSError:
            continue
        if any(is_same(f"/proc/{pid}/fd/{fd}", pipe) for fd in fds):
            yield int(pid)

def close(self, *told):
    pipe, spared, until = os.fstat(1), (os.getpid(), self.process.pid), time.monotonic() + GRACE_S
    while left := list(holders(pipe, spared)):
        if time.monotonic() < until:
            time.sleep(0.05)
            continue
        for pid in left:
            print(f"==> Warning: a process that the recipe left is ended: {pid}", flush=True)
            os.kill(pid, signal.SIGKILL)
    return leave(self, *told)

log.__exit__ = close
parser = spack.main.make_argument_parser()
install = parser.add_command("install")
install(parser, parser.parse_args(["install", *sys.argv[1:]]))
`;
