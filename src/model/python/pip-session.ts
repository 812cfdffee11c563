/** Python, for programs of ours that ask indexes by pip's own session. An index may be hostile: what it answers is bounded, it leads only to
 * where an index may lead, and no word about a failure has an address, because an address may hold a password. */
export const PIP_SESSION = String.raw`
import email.utils, ipaddress, logging, os, re, socket, ssl, sys, time
from urllib.parse import urljoin, urlsplit
from pip._internal.exceptions import NetworkConnectionError, PipError
from pip._vendor import requests, urllib3

LONGEST_WAIT_S, PAGE_LIMIT_S, MOST_PAGE_BYTES = 60, 120, 50 << 20
QUIET = ["--quiet", "--quiet", "--quiet", "--no-input", "--no-cache-dir", "--disable-pip-version-check"]

class Refused(requests.RequestException):
    """No answer of the index, and asking again would not help."""

class Silent(requests.RequestException):
    """No answer of the index now. wait: seconds that it asks for."""
    def __init__(self, why, wait=None):
        super().__init__(why)
        self.wait = wait

class WithoutAddresses:
    """stderr for pip's words. Each line is told without addresses."""
    def __init__(self, to):
        self.to, self.rest = to, ""
    def write(self, text):
        *lines, self.rest = (self.rest + text).split("\n")
        for line in lines:
            self.to.write(re.sub(r"\S*(://|@)\S*", "…", line) + "\n")
        return len(text)
    def flush(self):
        self.to.flush()
    def isatty(self):
        return False

def keep_addresses():
    """Programs that pip starts, such as a keyring, may print a password: they get no stderr."""
    own = os.fdopen(os.dup(2), "w", encoding="utf-8", errors="replace")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    os.close(nowhere)
    logging.disable(logging.ERROR)  # --quiet does not reach warnings of urllib3, which have paths
    sys.stderr = WithoutAddresses(own)

def words_of(error):
    """What failed, without an address."""
    if isinstance(error, PipError) and error.__context__ is not None:
        error = error.__context__
    text = "%r" % error
    if isinstance(error, (Refused, Silent)): return str(error)
    if isinstance(error, requests.exceptions.ProxyError): return "the proxy gives no connection"
    if isinstance(error, (requests.exceptions.SSLError, ssl.SSLError)): return "its certificate is refused"
    if isinstance(error, requests.exceptions.TooManyRedirects): return "it leads in a circle"
    if isinstance(error, requests.exceptions.Timeout) or "imed out" in text: return "it does not answer in time"
    if isinstance(error, (requests.exceptions.ChunkedEncodingError, urllib3.exceptions.ProtocolError)): return "the connection broke"
    if isinstance(error, (requests.exceptions.ContentDecodingError, urllib3.exceptions.DecodeError)): return "the body cannot be decoded"
    if "NameResolution" in text or "getaddrinfo" in text: return "its name has no address"
    if isinstance(error, (PipError, requests.RequestException, urllib3.exceptions.HTTPError, OSError)): return "there is no connection"
    return "its answer cannot be read (%s)" % type(error).__name__

def address_of(host):
    """The IP address that a host is, in any spelling. None if the host is a name."""
    try:
        return ipaddress.ip_address(socket.inet_aton(host))
    except (OSError, ValueError):
        pass
    try:
        address = ipaddress.ip_address(host.strip("[]").split("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address

def closed_kind(host):
    """The kind of a host to which no index may lead. None if an index may lead there. A cloud gives out credentials at a
    link-local address, and an unspecified address is this machine."""
    address = address_of(host)
    if address is None: return None
    return "a link-local" if address.is_link_local else "an unspecified" if address.is_unspecified else None

OPENED, PROXIES = set(), set()

def host_of(url):
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""

def open_host(host):
    """Lets requests connect to a closed address that pip's settings spell out, and to those to which its pages lead."""
    if closed_kind(host) is not None: OPENED.add(address_of(host))

class Closed(Exception):
    """A connection that the guard refuses. It is no OSError, because urllib3 would try again."""

def connect(to, *args, plain=urllib3.util.connection.create_connection, **more):
    """Connects to the first open address of a host. The name is resolved here, and never again for this connection."""
    host, port = to
    if host in PROXIES or address_of(host) in OPENED:
        return plain(to, *args, **more)
    family = urllib3.util.connection.allowed_gai_family()
    found = socket.getaddrinfo(host.strip("[]"), port, family, socket.SOCK_STREAM)
    addresses = [where[0] for *_, where in found]
    failure = OSError("the name has no address")
    for address in addresses:
        if closed_kind(address) is not None: continue
        try:
            return plain((address, port), *args, **more)
        except OSError as error:
            failure = error
    kinds = [closed_kind(one) for one in addresses]
    if addresses and all(kinds):
        raise Closed("the host name resolves to %s address" % kinds[0])
    raise failure
urllib3.util.connection.create_connection = connect

def assert_leads(url, page):
    """Raises Refused if an index may not lead from its page to a URL."""
    try:
        to, here = urlsplit(url), urlsplit(page)
        hosts = [one.hostname or "" for one in (to, here)]
    except ValueError:
        raise Refused("it leads to what is no address")
    if to.scheme not in ("http", "https") and not to.scheme == here.scheme == "file":
        raise Refused("it leads to an address of the kind %s:" % ascii(to.scheme[:20])[1:-1])
    kind = closed_kind(hosts[0])
    if kind is not None and closed_kind(hosts[1]) is None:
        raise Refused("it leads to %s address" % kind)
    open_host(hosts[0])

def session_of(command, options, retries):
    """pip's session. An index cannot make it sleep, and bodies of redirects and refusals are not read."""
    session = command.get_default_session(options)
    for url in [options.index_url, *options.extra_index_urls, *options.find_links]:
        open_host(host_of(url or ""))
    for adapter in session.adapters.values():
        adapter.max_retries = retries
        def send(*args, plain=adapter.send, **more):
            proxy = requests.utils.select_proxy(args[0].url, more.get("proxies"))
            if proxy:
                PROXIES.add(host_of(requests.utils.prepend_scheme_if_needed(proxy, "http")))
            try:
                answer = plain(*args, **more)
            except Closed as error:
                raise Refused(str(error))
            if answer.status_code == 401 or answer.is_redirect:
                answer._content, answer._content_consumed = b"", True
                answer.raw.close()
            return answer
        adapter.send = send
    def target(answer):
        to = requests.Session.get_redirect_target(session, answer)
        if to is not None:
            assert_leads(urljoin(answer.url, to), answer.url)
        return to
    session.get_redirect_target = target
    return session

def seconds(header):
    if header is None:
        return None
    if header.strip().isdigit():
        return int(header)
    try:
        return max(0, email.utils.parsedate_to_datetime(header).timestamp() - time.time())
    except (TypeError, ValueError, OverflowError):
        return None

def body_of(answer):
    """The whole body of a page."""
    until, pieces, size = time.monotonic() + PAGE_LIMIT_S, [], 0
    declared, coding = answer.headers.get("Content-Length", ""), answer.headers.get("Content-Encoding", "")
    if "," in coding:
        raise Refused("the page is coded twice")
    try:
        for piece in answer.iter_content(1 << 14):
            pieces.append(piece)
            size += len(piece)
            if size > MOST_PAGE_BYTES:
                raise Refused("the page is larger than %d MB" % (MOST_PAGE_BYTES >> 20))
            if time.monotonic() > until:
                raise Silent("the page takes longer than %d s" % PAGE_LIMIT_S)
    except (Refused, Silent):
        raise
    except (requests.RequestException, urllib3.exceptions.HTTPError, OSError) as error:
        raise Silent(words_of(error))
    if declared.isdigit() and not coding and size < int(declared):
        raise Silent("the page is cut: %d of %s bytes" % (size, declared))
    return b"".join(pieces)
`;
