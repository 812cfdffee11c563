import { OWN_MARK } from '../../../model/python/index-entry.js';

/** Reads pages of a Python index (PEP 503, PEP 691) in Python, because file names and versions follow pip's own rules.
 * `read_page` returns the files of asked versions. It raises NotAPage with words that name no address. */
export const READ_PAGE = String.raw`
import json, posixpath, re
from urllib.parse import unquote, urlsplit
from pip._internal.index.collector import HTMLLinkParser
from pip._vendor.packaging.utils import canonicalize_name
from pip._vendor.packaging.version import Version

LONGEST_NAME, LONGEST_TEXT = 255, 1000
MOST_FILES, MOST_FILES_OF_A_VERSION = 50000, 2000
SDISTS = (".tar.gz", ".zip", ".tar.bz2", ".tgz", ".tar.xz")

class NotAPage(Exception):
    pass

class OwnIndex(Exception):
    """The page is of an index that Slipway wrote."""

def parsed(text):
    try:
        return Version(text)
    except ValueError:  # also of a number with thousands of digits
        return None

def version_in(file, project):
    """The version in a file's name. None: it is another project's. False: it is no wheel or source archive."""
    if len(file) > LONGEST_NAME or not file.isprintable():  # a line end, a turn of direction
        return False
    if file.endswith(".whl"):
        parts = file[:-4].split("-")
        return parts[1] if len(parts) >= 5 and canonicalize_name(parts[0]) == project else None
    ending = next((one for one in SDISTS if file.endswith(one)), None)
    if ending is None:
        return False
    stem = file[:-len(ending)]
    for at, letter in enumerate(stem):
        if letter == "-" and canonicalize_name(stem[:at]) == project:
            return stem[at + 1:]
    return None

def is_of(version, asked):
    """Whether a version is the asked one. A local label counts only if the asked one has one (PEP 440)."""
    if version is None or asked is None:
        return False
    return version == asked or (asked.local is None and version.local is not None and Version(version.public) == asked)

def asked_texts(versions):
    """From the version in a file's name to the asked versions that it is."""
    if versions == "all":
        return lambda text: [text]
    known = [(one, parsed(one)) for one in versions]
    def of(text):
        version = parsed(text)
        return [one for one, same in known if one == text or is_of(version, same)]
    return of

def read_page(body, kind, charset, project, versions):
    files = json_files(body, project) if kind.endswith("+json") else html_files(body, charset)
    texts, of, counts, out, foreign = asked_texts(versions), {}, {}, [], []
    for one in files:
        version = version_in(one["file"], project)
        if version is None:
            foreign.append(one["file"])
        if not version:
            continue
        if version not in of:
            of[version] = texts(version)
        for text in of[version]:
            counts[text] = counts.get(text, 0) + 1
            out.append({**one, "version": text})
            if counts[text] > MOST_FILES_OF_A_VERSION or len(out) > MOST_FILES:
                raise NotAPage("the page lists more than %d files of a version, or %d in all" % (MOST_FILES_OF_A_VERSION, MOST_FILES))
    if foreign and not of:
        raise NotAPage("the page lists only files of other projects, %s for one" % foreign[0][:100])
    newest = sorted((v for v in map(parsed, of) if v), reverse=True)[:5]
    return {"files": out, "newest": [str(v) for v in reversed(newest)], "foreign": foreign[:5]}

def text_or_none(value):
    """A text that was cut is no valid field: nobody takes it for another one."""
    if not isinstance(value, str):
        return None
    return value if len(value) <= LONGEST_TEXT else value[:LONGEST_TEXT] + "…"

def sha256_or_none(value):
    return value.lower() if isinstance(value, str) and re.fullmatch("[0-9a-fA-F]{64}", value) else None

def json_files(body, project):
    try:
        page = json.loads(body)
    except ValueError:
        raise NotAPage("the page is no JSON, although the index says so")
    if not isinstance(page, dict) or not isinstance(page.get("files"), list):
        raise NotAPage("the page has no list of files")
    if "_slipway" in page or any("_slipway" in one for one in page["files"] if isinstance(one, dict)):
        raise OwnIndex()
    name = page.get("name")
    if not isinstance(name, str) or canonicalize_name(name) != project:
        raise NotAPage("the page is of another project, %s" % str(name)[:100])
    return [json_file(one) for one in page["files"] if isinstance(one, dict) and isinstance(one.get("filename"), str)]

def json_file(one):
    hashes, size, yanked = one.get("hashes"), one.get("size"), one.get("yanked")
    return {
        "file": one["filename"],
        "sha256": sha256_or_none(hashes.get("sha256") if isinstance(hashes, dict) else None),
        "size": size if type(size) is int and 0 <= size < 2 ** 53 else None,
        "requiresPython": text_or_none(one.get("requires-python")),
        "yanked": "" if yanked is True else text_or_none(yanked),
        "uploadedAt": text_or_none(one.get("upload-time")),
    }

def html_files(body, charset):
    try:
        text = body.decode(charset or "utf-8", "replace")
    except LookupError:
        text = body.decode("utf-8", "replace")
    if '${OWN_MARK}' in text.split("<body", 1)[0]:
        raise OwnIndex()
    parser = HTMLLinkParser("http://index.invalid/")
    parser.feed(text)
    files = [file for file in map(html_file, parser.anchors) if file]
    if not files and "pypi:repository-version" not in text:
        raise NotAPage("the index answers with a page that lists no files")
    return files

def html_file(anchor):
    try:
        parts = urlsplit(anchor.get("href") or "")
    except ValueError:
        return None
    file = unquote(posixpath.basename(parts.path))
    if not file.endswith((".whl", *SDISTS)):
        return None
    sha256 = next((one[7:] for one in parts.fragment.split("&") if one.startswith("sha256=")), None)
    return {
        "file": file, "sha256": sha256_or_none(sha256), "size": None, "requiresPython": text_or_none(anchor.get("data-requires-python")),
        "yanked": text_or_none(anchor.get("data-yanked") or "") if "data-yanked" in anchor else None, "uploadedAt": None,
    }
`;
