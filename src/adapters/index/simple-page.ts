import { isDigest, type Digest } from '../../model/digest.js';
import { readListing } from './listing.js';
import { jsonIn } from '../../model/json.js';

/** A file in an index. `digest` is null if the page gives no sha256. */
export interface ListedFile {
  readonly name: string;
  readonly url: string;
  readonly digest: Digest | null;
}

/** JSON first (PEP 691); HTML (PEP 503) for servers without it. */
export const ACCEPT = 'application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1';

/** Returns the files of a project's page. The page is untrusted: entries of a wrong type are skipped. Null if it is no
 * index page.
 * @param base address of the page, for relative links */
export function readPage(text: string, contentType: string, base: string): readonly ListedFile[] | null {
  return contentType.includes('json') ? readJson(text, base) : readHtml(text, base);
}

function readJson(text: string, base: string): readonly ListedFile[] | null {
  const files = filesIn(text);
  if (files === null) return null;
  return files.flatMap((file) => {
    const { filename, url, hashes } = (file ?? {}) as {
      filename?: unknown;
      url?: unknown;
      hashes?: { sha256?: unknown };
    };
    if (typeof filename !== 'string' || typeof url !== 'string' || !URL.canParse(url, base)) return [];
    return [{ name: filename, url: new URL(url, base).href, digest: asDigest(hashes?.sha256) }];
  });
}

function filesIn(text: string): readonly unknown[] | null {
  const page = jsonIn(text) as { files?: unknown } | null;
  return Array.isArray(page?.files) ? (page.files as readonly unknown[]) : null;
}

const FILE = /\.(whl|tar\.gz|tgz|zip|tar\.bz2|egg)$/;

/** Null unless the page declares itself an index or lists a file: an error page must not count as an empty index. */
function readHtml(text: string, base: string): readonly ListedFile[] | null {
  const page = readListing(text);
  if (page === null) return null;
  const files = page.anchors.flatMap(({ href, label }) => listed(href, label.trim(), base));
  return page.isIndex || files.some(({ name }) => FILE.test(name)) ? files : null;
}

function listed(href: string, name: string, base: string): readonly ListedFile[] {
  if (!URL.canParse(href, base)) return [];
  const url = new URL(href, base);
  const digest = asDigest(/(?:^#|&)sha256=([0-9a-f]{64})/i.exec(url.hash)?.[1]);
  url.hash = '';
  return [{ name, url: url.href, digest }];
}

function asDigest(hex: unknown): Digest | null {
  const digest = `sha256:${String(hex).toLowerCase()}`;
  return isDigest(digest) ? digest : null;
}
