/** Asks the index that pip is configured for, by pip's own client, and downloads one source archive as it is.
 * `pip download` would run the project's build backend for its metadata: minutes for some, an error for others.
 * Input: name, version, folder. Output: one line of JSON, `{file, versions, trouble}`; `file` is null where there is none,
 * and then `trouble` says whether the index answered at all (pip itself keeps that to its debug log). */
export const FETCH_SDIST = String.raw`
import json, logging, os, sys
from pip._internal.commands.download import DownloadCommand
from pip._vendor.packaging.utils import canonicalize_name
from pip._vendor.packaging.version import InvalidVersion, Version

SDIST = (".tar.gz", ".zip", ".tar.bz2", ".tgz", ".tar.xz")

def parsed(text):
    try:
        return Version(str(text))
    except InvalidVersion:
        return None

class Trouble(logging.Handler):
    lines = []
    def emit(self, record):
        text = record.getMessage()
        if "Could not fetch URL" in text and "404" not in text:
            self.lines.append(text)

class Fetch(DownloadCommand):
    def run(self, options, args):
        name, version, folder = args
        collector = logging.getLogger("pip._internal.index.collector")
        collector.setLevel(logging.DEBUG)
        collector.addHandler(Trouble())
        session = self.get_default_session(options)
        finder = self._build_package_finder(options=options, session=session)
        found = [c for c in finder.find_all_candidates(canonicalize_name(name)) if c.link.filename.endswith(SDIST)]
        same = [c for c in found if parsed(c.version) == parsed(version)]
        same.sort(key=lambda c: SDIST.index(next(s for s in SDIST if c.link.filename.endswith(s))))
        file = self.save(session, same[0].link, folder) if same else None
        versions = sorted({str(c.version) for c in found}, key=lambda v: parsed(v) or Version("0"))
        print("slipway:" + json.dumps({"file": file, "versions": versions[-5:], "trouble": Trouble.lines}))
        return 0

    def save(self, session, link, folder):
        answer = session.get(link.url.split("#")[0], headers={"Accept-Encoding": "identity"}, stream=True)
        answer.raise_for_status()
        with open(os.path.join(folder, link.filename), "wb") as to:
            for piece in answer.raw.stream(1 << 16, decode_content=False):
                to.write(piece)
        return link.filename

sys.exit(Fetch("download", "").main(["--no-binary=:all:", "--pre", "--quiet", "--retries=2", *sys.argv[1:]]))
`;
