import { PIP_SESSION } from '../../model/python/pip-session.js';

/** Downloads one source archive, unchanged, from the index that pip is configured for. `pip download` would run the
 * project's build backend for its metadata, which can take minutes or fail. Input: name, version, folder, most bytes,
 * and the name of the file or an empty text. Output: one line of JSON, `{file, versions, files, trouble, refused}`;
 * `file` is null if there is none, and `files` then lists those of the version. `trouble` lists failed requests: an
 * archive counts as absent only if every page loaded or was 404 or 410. It is recorded from the requests themselves,
 * since the text of pip's log is not reliable. `refused` says why the archive is not taken. No text has an address. */
export const FETCH_SDIST = String.raw`${PIP_SESSION}
import json
from pip._internal.commands.download import DownloadCommand
from pip._vendor.packaging.utils import canonicalize_name
from pip._vendor.packaging.version import InvalidVersion, Version

SDIST = (".tar.gz", ".zip", ".tar.bz2", ".tgz", ".tar.xz")
PAGE = ("text/html", "application/vnd.pypi.simple.v1")
ABSENT = (404, 410)
# An answer that asks to wait is told at once: whoever started this tries again.
RETRIES = urllib3.Retry(2, backoff_factor=0.25, status_forcelist=(500, 502, 503, 520, 524, 527),
    raise_on_status=False, respect_retry_after_header=False)

def parsed(text):
    try:
        return Version(str(text))
    except InvalidVersion:
        return None

def same_version(a, b):
    return str(a) == b or (parsed(a) is not None and parsed(a) == parsed(b))

def asked_to_wait(answer):
    wait = seconds(answer.headers.get("Retry-After"))
    return "HTTP %d%s" % (answer.status_code, "" if wait is None else ", try again in %d s" % wait)

def watch(session, pages, trouble):
    """Notes each page that is neither there nor absent, until del session.request. A page is read up to a limit."""
    plain = session.request
    def request(method, url, *args, **more):
        def told(what):
            at = next((n for n, page in enumerate(pages, 1) if url.split("#")[0] == page), None)
            trouble.append("%s: %s" % ("the index" if at is None or len(pages) == 1 else "index %d of %d" % (at, len(pages)), what))
        try:
            answer = plain(method, url, *args, **{**more, "stream": True})
            is_read = answer.status_code < 400 and method == "GET"
            answer._content = body_of(answer) if is_read else b""
            answer._content_consumed = True
        except Exception as error:
            told(words_of(error))
            raise NetworkConnectionError("no page")
        kind = answer.headers.get("Content-Type", "none")
        if answer.status_code in ABSENT:
            return answer
        if answer.status_code >= 400:
            told(asked_to_wait(answer))
        elif not kind.lower().startswith(PAGE):
            told("not a page of an index, its Content-Type is %s" % kind[:60])
        return answer
    session.request = request

class Fetch(DownloadCommand):
    def run(self, options, args):
        name, version, folder, most, wanted = args
        trouble, refused, file = [], [], None
        session = session_of(self, options, RETRIES)
        # The Python of this program builds nothing, so Requires-Python is left to the build.
        finder = self._build_package_finder(options=options, session=session, ignore_requires_python=True)
        watch(session, finder.search_scope.get_index_urls_locations(canonicalize_name(name)), trouble)
        try:
            all = finder.find_all_candidates(canonicalize_name(name))
        except Exception as error:  # a page can be no JSON, or nest too deeply
            all = []
            trouble.append("the index: %s" % words_of(error))
        found = [c for c in all if c.link.filename.endswith(SDIST) and c.link.filename.isprintable()]
        same = [c for c in found if same_version(c.version, version)]
        files = sorted({c.link.filename for c in same}) if wanted else []
        same = [c for c in same if wanted in ("", c.link.filename)]
        same.sort(key=lambda c: SDIST.index(next(s for s in SDIST if c.link.filename.endswith(s))))
        del session.request
        if same:
            link = same[0].link
            try:
                file = self.save(session, link, folder, int(most))
            except Refused as error:
                refused.append("%s: %s" % (link.filename, words_of(error)))
            except (PipError, requests.RequestException, urllib3.exceptions.HTTPError, OSError) as error:
                trouble.append("%s: %s" % (link.filename, words_of(error)))
        versions = sorted({str(c.version) for c in found}, key=lambda v: parsed(v) or Version("0"))
        said = {"file": file, "versions": versions[-5:], "files": files[:5], "trouble": trouble, "refused": refused}
        print("slipway:" + json.dumps(said))
        return 0

    def save(self, session, link, folder, most):
        url, size = link.url.split("#")[0], 0
        assert_leads(url, str(getattr(link.comes_from, "url", link.comes_from) or url))
        with session.get(url, headers={"Accept-Encoding": "identity"}, stream=True) as answer:
            if answer.status_code != 200:
                raise Silent(asked_to_wait(answer))
            declared = answer.headers.get("Content-Length", "")
            def limit(size):
                if size > most:
                    raise Refused("it is larger than %d bytes" % most)
            limit(int(declared) if declared.isdigit() else 0)
            with open(os.path.join(folder, link.filename), "wb") as to:
                # urllib3 decodes no coding here; a file: address has plain bytes.
                for piece in iter(lambda: answer.raw.read(1 << 16), b""):
                    size += len(piece)
                    limit(size)
                    to.write(piece)
            if declared.isdigit() and size < int(declared):
                raise Silent("the file is cut: %d of %s bytes" % (size, declared))
        return link.filename

keep_addresses()
sys.exit(Fetch("download", "").main(["--no-binary=:all:", "--pre", *QUIET, *sys.argv[1:]]))
`;
