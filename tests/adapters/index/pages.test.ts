import { candidates } from '../../../src/adapters/index/addresses.js';
import { readPage } from '../../../src/adapters/index/simple-page.js';
import { refusal } from '../../../src/adapters/index/twine.js';

const BASE = 'http://127.0.0.1:1/simple/skiff/';
const SHA = 'ab'.repeat(32);

test('given a JSON page, then it is read, and malformed entries are ignored', () => {
  const page = {
    files: [
      { filename: 'skiff-1.tar.gz', url: '../../f/skiff-1.tar.gz', hashes: { sha256: SHA } },
      { filename: 7 },
      null,
    ],
  };
  expect(readPage(JSON.stringify(page), 'application/vnd.pypi.simple.v1+json', BASE)).toEqual([
    { name: 'skiff-1.tar.gz', url: 'http://127.0.0.1:1/f/skiff-1.tar.gz', digest: `sha256:${SHA}` },
  ]);
});

test('given an HTML page of an older server, then it is read', () => {
  const html = `<!DOCTYPE html><a data-requires-python="&gt;=3.8" href="/f/a%2B1.whl#sha256=${SHA}">a+1.whl</a> <a href='b.whl'>b.whl</a>`;
  expect(readPage(html, 'text/html', BASE)).toEqual([
    { name: 'a+1.whl', url: 'http://127.0.0.1:1/f/a%2B1.whl', digest: `sha256:${SHA}` },
    { name: 'b.whl', url: `${BASE}b.whl`, digest: null },
  ]);
});

test('given another document, then it is not taken as an empty page', () => {
  expect(readPage('{}', 'application/json', BASE)).toBeNull();
  expect(readPage('not json', 'application/json', BASE)).toBeNull();
  expect(readPage('{"files":[]}', 'application/json', BASE)).toEqual([]);
});

test("given an upload address, then reading is tried beside it, devpi's path first, on the same host only", () => {
  expect(candidates('https://upload.index.invalid/root/release/')).toEqual([
    'https://upload.index.invalid/root/release/+simple/',
    'https://upload.index.invalid/root/release/simple/',
    'https://upload.index.invalid/root/simple/',
  ]);
});

test.each([
  ['ERROR    HTTPError: 403 Forbidden from http://x/', 'TARGET_DENIED'],
  ['ERROR    HTTPError: 503 Service Unavailable from http://x/', 'TARGET_BROKEN'],
  ['ERROR    HTTPError: 400 Bad Request from http://x/', 'TARGET_REFUSED'],
  ['ConnectionError: refused', 'TARGET_UNREACHABLE'],
])("given twine's output %s, then the code is %s", (line, code) => {
  const to = {
    name: 'shelf',
    kind: 'python',
    address: 'http://x/',
    repository: null,
    username: null,
    password: null,
    staging: null,
    extra: null,
    secrets: {},
    version: '1.2.3',
  } as const;
  expect(refusal(to, [line]).code).toBe(code);
});
