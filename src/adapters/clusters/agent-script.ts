/** A Python program that runs inside a cluster and listens on a unix socket. Each connection is one order: its first line is
 * JSON. `run` starts a program, answers `{"out": text}` lines and last `{"exit": status}`; the end of the connection ends its
 * process group. `connect` passes bytes to a port. `end` ends all programs, removes the folders and then the agent itself. It is
 * process 1 of a container, so it also collects orphans.
 * Arguments: path of the socket; then folders. With folders, the end of its input is the order `end`. */
export const AGENT_SCRIPT = String.raw`
import codecs, ctypes, fcntl, json, os, select, shutil, signal, socket, struct, subprocess, sys, threading, time

ended = {}
leaders = set()
folders = sys.argv[2:]
changed = threading.Condition()

def loopback_up():
    # A new network namespace has a loopback that is down.
    IFF_UP, SIOCSIFFLAGS = 1, 0x8914
    try:
        fcntl.ioctl(socket.socket(), SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", IFF_UP))
    except OSError:
        pass

def reap():
    while True:
        try:
            pid, status = os.waitpid(-1, 0)
        except ChildProcessError:
            time.sleep(0.05)
            continue
        with changed:
            ended[pid] = os.waitstatus_to_exitcode(status)
            changed.notify_all()

def wait(pid, seconds):
    with changed:
        changed.wait_for(lambda: pid in ended, seconds)
        return ended.get(pid)

def tell(send, pid):
    try:
        send(pid, signal.SIGTERM)
    except ProcessLookupError:
        pass

def stop(pid, order):
    if wait(pid, 0) is None:
        tell(os.kill if order.get("leader") else os.killpg, pid)
        wait(pid, order.get("graceS", 5))
    try:
        os.killpg(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass

def run(peer, order):
    reader, writer = os.pipe()
    child = subprocess.Popen(order["argv"], cwd=order["cwd"], env=order["env"], stdin=subprocess.DEVNULL,
                             stdout=writer, stderr=writer, start_new_session=True)
    os.close(writer)
    leaders.add(child.pid)
    text = codecs.getincrementaldecoder("utf-8")("replace")
    say = lambda what: peer.sendall((json.dumps(what) + "\n").encode())
    PIPE_BYTES = 65536
    open_ = True
    # A child of an ended program may print for ever. The program's own output is no more than a pipe holds, on Linux and macOS.
    left = None
    try:
        while open_ or wait(child.pid, 0) is None:
            if left is None and wait(child.pid, 0) is not None:
                left = PIPE_BYTES
            ready, _, _ = select.select([peer] + ([reader] if open_ else []), [], [], 0.2)
            if peer in ready and not peer.recv(4096):
                return stop(child.pid, order)
            if left == 0:
                break
            if reader in ready:
                piece = os.read(reader, PIPE_BYTES if left is None else left)
                left = None if left is None else left - len(piece)
                open_ = bool(piece)
                if piece:
                    say({"out": text.decode(piece)})
            elif wait(child.pid, 0) is not None:
                break
        stop(child.pid, order)
        code = wait(child.pid, 5)
        say({"exit": 128 - code if code < 0 else code})
    except OSError:
        stop(child.pid, order)
    finally:
        leaders.discard(child.pid)
        os.close(reader)

def descendants():
    parents = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/" + name + "/stat") as file:
                parents[int(name)] = int(file.read().rsplit(")", 1)[1].split()[1])
        except OSError:
            pass
    found, more = set(), {os.getpid()}
    while more:
        more = {pid for pid, parent in parents.items() if parent in more} - found
        found |= more
    return found

def end(peer=None, order=None):
    for pid in list(leaders):
        tell(os.kill, pid)
    until = time.monotonic() + 5
    while descendants() and time.monotonic() < until:
        time.sleep(0.1)
    while True:
        rest = descendants()
        if not rest:
            break
        for pid in rest:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.05)
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
    os._exit(0)

def end_with_input():
    while os.read(0, 4096):
        pass
    end()

def connect(peer, order):
    other = socket.create_connection((order["host"], order["port"]), 30)
    other.settimeout(None)
    def pump(source, sink):
        try:
            while True:
                piece = source.recv(65536)
                if not piece:
                    break
                sink.sendall(piece)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass
    back = threading.Thread(target=pump, args=(other, peer), daemon=True)
    back.start()
    pump(peer, other)
    back.join()
    other.close()

def serve(peer):
    try:
        line = b""
        while not line.endswith(b"\n"):
            piece = peer.recv(1)
            if not piece:
                return
            line += piece
        order = json.loads(line)
        {"run": run, "connect": connect, "end": end}[order["do"]](peer, order)
    except Exception as error:
        try:
            peer.sendall((json.dumps({"failed": str(error)}) + "\n").encode())
        except OSError:
            pass
    finally:
        peer.close()

loopback_up()
signal.signal(signal.SIGTERM, lambda *_: os._exit(143))
threading.Thread(target=reap, daemon=True).start()
if folders:
    PR_SET_CHILD_SUBREAPER = 36
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    threading.Thread(target=end_with_input, daemon=True).start()
server = socket.socket(socket.AF_UNIX)
server.bind(sys.argv[1])
server.listen(64)
print("ready", flush=True)
while True:
    peer, _ = server.accept()
    threading.Thread(target=serve, args=(peer,), daemon=True).start()
`;
