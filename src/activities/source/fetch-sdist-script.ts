/** Downloads one source archive, unchanged, from the index that pip is configured for. `pip download` would run the
 * project's build backend for its metadata, which can take minutes or fail. Input: name, version, folder, and the
 * name of the file or an empty text. Output: one line of JSON, `{file, versions, files, trouble}`; `file` is null if
 * there is none, and `files` then lists those of the version. `trouble` lists failed requests: an
 * archive counts as absent only if every page loaded or was 404 or 410. It is recorded from the requests themselves,
 * since the text of pip's log is not reliable. */
export const FETCH_SDIST = String.raw`
import json, os, sys
from pip._internal.commands.download import DownloadCommand
from pip._internal.exceptions import PipError
from pip._internal.utils.misc import redact_auth_from_url
from pip._vendor import requests, urllib3
from pip._vendor.packaging.utils import canonicalize_name
from pip._vendor.packaging.version import InvalidVersion, Version

SDIST = (".tar.gz", ".zip", ".tar.bz2", ".tgz", ".tar.xz")
PAGE = ("text/html", "application/vnd.pypi.simple.v1")
ABSENT = (404, 410)

def parsed(text):
    try:
        return Version(str(text))
    except InvalidVersion:
        return None

def same_version(a, b):
    return str(a) == b or (parsed(a) is not None and parsed(a) == parsed(b))

def watch(session, trouble):
    """Notes each page that is neither there nor absent, until del session.request."""
    plain = session.request
    def request(method, url, *args, **more):
        def told(what):
            trouble.append("%s %s: %s" % (method, redact_auth_from_url(url), what))
        try:
            answer = plain(method, url, *args, **more)
        except Exception as error:
            told(error)
            raise
        kind = answer.headers.get("Content-Type", "none")
        if answer.status_code in ABSENT:
            return answer
        if answer.status_code >= 400:
            told("HTTP %d" % answer.status_code)
        elif not kind.lower().startswith(PAGE):
            told("not a page of an index, its Content-Type is %s" % kind)
        return answer
    session.request = request

class Fetch(DownloadCommand):
    def run(self, options, args):
        name, version, folder, wanted = args
        trouble = []
        session = self.get_default_session(options)
        watch(session, trouble)
        finder = self._build_package_finder(options=options, session=session)
        found = [c for c in finder.find_all_candidates(canonicalize_name(name)) if c.link.filename.endswith(SDIST)]
        same = [c for c in found if same_version(c.version, version)]
        files = sorted({c.link.filename for c in same}) if wanted else []
        same = [c for c in same if wanted in ("", c.link.filename)]
        same.sort(key=lambda c: SDIST.index(next(s for s in SDIST if c.link.filename.endswith(s))))
        del session.request
        file = self.save(session, same[0].link, folder, trouble) if same else None
        versions = sorted({str(c.version) for c in found}, key=lambda v: parsed(v) or Version("0"))
        print("slipway:" + json.dumps({"file": file, "versions": versions[-5:], "files": files[:5], "trouble": trouble}))
        return 0

    def save(self, session, link, folder, trouble):
        try:
            answer = session.get(link.url.split("#")[0], headers={"Accept-Encoding": "identity"}, stream=True)
            answer.raise_for_status()
            with open(os.path.join(folder, link.filename), "wb") as to:
                for piece in answer.raw.stream(1 << 16, decode_content=False):
                    to.write(piece)
        except (PipError, requests.RequestException, urllib3.exceptions.HTTPError) as error:
            trouble.append("GET %s: %s" % (redact_auth_from_url(link.url), error))
            return None
        return link.filename

sys.exit(Fetch("download", "").main(["--no-binary=:all:", "--pre", "--quiet", "--retries=2", *sys.argv[1:]]))
`;
