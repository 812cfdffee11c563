import { PIP_SESSION } from '../../../model/python/pip-session.js';
import { READ_PAGE } from './page-script.js';

/** Asks the indexes that pip is configured for, with pip's own session: files, environment, certificates, proxies, netrc, keyring.
 * Input: JSON, `{tries, connections, others, questions}`. Output: one line for the identities of the indexes, which do not
 * contain their addresses, then one for each question as it is answered. */
export const ASK_INDEXES = String.raw`${PIP_SESSION}
${READ_PAGE}
import email.message, hashlib, threading
from concurrent.futures import ThreadPoolExecutor
from pip._internal.commands.download import DownloadCommand
from pip._internal.models.index import PyPI
from pip._internal.utils.misc import split_auth_from_netloc

ACCEPT = "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html; q=0.1, text/html; q=0.01"
PAGES = ("application/vnd.pypi.simple.v1+json", "application/vnd.pypi.simple.v1+html", "text/html")
SILENT_IN_A_ROW = 4

def identity(url):
    parts = urlsplit(url.rstrip("/"))
    netloc = split_auth_from_netloc(parts.netloc)[0].lower()
    return hashlib.sha256(("%s://%s%s" % (parts.scheme, netloc, parts.path)).encode()).hexdigest()[:32]

class Index:
    def __init__(self, session, say):
        self.session, self.say, self.lock = session, say, threading.Lock()
        self.not_before, self.silent, self.why = 0, 0, ""

    def answer(self, question, url):
        """One line of output. After several silent projects in a row the others are not asked."""
        told = {"index": question["index"], "project": question["project"]}
        if self.silent >= SILENT_IN_A_ROW:
            return {**told, "kind": "none", "why": self.why}
        try:
            got = self.tried(question, url)
            self.silent = 0
            return {**told, **got}
        except OwnIndex:
            return {**told, "kind": "absent"}
        except (Refused, NotAPage) as error:
            return {**told, "kind": "none", "why": str(error)}
        except Silent as error:
            with self.lock:
                self.silent, self.why = self.silent + 1, str(error)
            return {**told, "kind": "none", "why": str(error)}
        except Exception as error:  # a page can be JSON that nests too deeply, or HTML that the parser refuses
            return {**told, "kind": "none", "why": words_of(error)}

    def tried(self, question, url):
        for left in reversed(range(self.say["tries"])):
            time.sleep(max(0, self.not_before - time.monotonic()))
            try:
                return self.once(question, url)
            except Silent as error:
                wait = error.wait if error.wait is not None else 0.3 * 2 ** (self.say["tries"] - left)
                if left == 0 or wait > LONGEST_WAIT_S:
                    raise
                self.not_before = max(self.not_before, time.monotonic() + wait)

    def once(self, question, url):
        headers = {"Accept": ACCEPT, "Cache-Control": "max-age=0"}
        if question.get("etag"):
            headers["If-None-Match"] = question["etag"]
        try:
            answer = self.session.get(url, headers=headers, stream=True)
        except Refused:
            raise
        except (requests.RequestException, urllib3.exceptions.HTTPError, PipError, OSError) as error:
            raise Silent(words_of(error))
        with answer:
            return self.judged(question, answer)

    def judged(self, question, answer):
        status = answer.status_code
        if status == 304 and question.get("etag"):
            return {"kind": "same"}
        if status in (404, 410):
            return {"kind": "absent"}
        if status == 429 or status >= 500:
            wait = seconds(answer.headers.get("Retry-After"))
            raise Silent("it answers HTTP %d%s" % (status, "" if wait is None else ", try again in %d s" % wait), wait)
        if status != 200:
            raise Refused("it answers HTTP %d" % status)
        said = email.message.Message()
        said["content-type"] = answer.headers.get("Content-Type", "none")
        kind = said.get_content_type()
        if kind not in PAGES:
            raise Refused("it answers with %s, which is no page of an index" % kind[:60])
        page = read_page(body_of(answer), kind, said.get_content_charset(), question["project"], question["versions"])
        return {"kind": "page", "etag": answer.headers.get("ETag"), **page}

class Ask(DownloadCommand):
    def run(self, options, args):
        say = json.load(sys.stdin)
        session = session_of(self, options, urllib3.Retry(0, read=False))
        scope = self._build_package_finder(options=options, session=session).search_scope
        ids = [identity(url) for url in scope.index_urls]
        tell({"indexes": ids, "builtIn": identity(PyPI.simple_url), "others": [identity(one) for one in say["others"]]})
        indexes = {one: Index(session, say) for one in ids}
        def answered(question):
            at = ids.index(question["index"])
            url = scope.get_index_urls_locations(question["project"])[at]
            if url.startswith("file:"):
                url += "index.html"
            tell(indexes[question["index"]].answer(question, url))
        known = [one for one in say["questions"] if one["index"] in indexes]
        for question in known[:1]:
            answered(question)  # a credential that is asked for is found once
        for has_tag in (True, False):
            some = [one for one in known[1:] if bool(one.get("etag")) == has_tag]
            with ThreadPoolExecutor(say["connections"]["tags" if has_tag else "pages"]) as pool:
                list(pool.map(answered, some))
        return 0

telling = threading.Lock()
def tell(line):
    with telling:
        print("slipway:" + json.dumps(line), flush=True)

keep_addresses()
sys.exit(Ask("download", "").main(QUIET))
`;
