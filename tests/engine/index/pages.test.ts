/** @needs tools */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { listedOf, withFiles, type Listed } from '../../../src/engine/index/listed.js';
import { projectPage, rootPage } from '../../../src/engine/index/pages.js';
import { toolsBin } from '../../../src/adapters/home.js';
import { fc } from '../../support/fixed-seed.js';
import { expectGolden } from '../../support/golden.js';
import { anEntry, digest } from './an-entry.js';

const HOSTILE = `skiff-1.0-py3-none-any&"'<script>.whl`;
const ENTRIES = [
  anEntry('skiff-1.10-cp311-cp311-linux_x86_64.whl', { requiresPython: '>=3.8,<4' }),
  anEntry('skiff-1.9-cp311-cp311-linux_x86_64.whl'),
  anEntry('skiff-1.9-1-cp311-cp311-linux_x86_64.whl', { digest: digest('e') }),
  anEntry('skiff-2.0-py3-none-any.whl'),
  anEntry('skiff-2.1-py3-none-any.whl'),
];
const GONE = [
  {
    slipway: 1,
    file: 'skiff-2.0-py3-none-any.whl',
    state: 'yanked',
    by: 'ada',
    because: 'a "bad" <build>',
    review: null,
  },
  { slipway: 1, file: 'skiff-2.1-py3-none-any.whl', state: 'removed', by: 'ada', because: 'unused', review: null },
] as const;
const listed = listedOf(ENTRIES, GONE);

interface Link {
  readonly url: string;
  readonly hash: string | null;
  readonly requires: string | null;
  readonly metadata: string | null;
  readonly yanked: string | null;
}

/** Reads pages by pip's own parser. */
function readByPip(pages: readonly { type: string; text: string }[]): readonly (readonly Link[])[] {
  const script = `
import json, sys
from pip._internal.index.collector import IndexContent, parse_links
def seen(l):
    m = l.metadata_file_data
    return dict(url=l.url_without_fragment, hash=l.as_hashes()._allowed.get('sha256', [None])[0], requires=l.requires_python,
        metadata=m.hashes['sha256'] if m else None, yanked=l.yanked_reason)
pages = json.load(sys.stdin)
print(json.dumps([[seen(l) for l in parse_links(IndexContent(p['text'].encode(), p['type'], 'utf-8', 'http://127.0.0.1/debian-12/simple/skiff/'))] for p in pages]))`;
  const out = execFileSync(join(toolsBin(), 'python'), ['-c', script], { input: JSON.stringify(pages) });
  return JSON.parse(String(out)) as readonly (readonly Link[])[];
}
const asPip = (page: { json: string; html: string }): readonly (readonly Link[])[] =>
  readByPip([
    { type: 'application/vnd.pypi.simple.v1+json', text: page.json },
    { type: 'text/html', text: page.html },
  ]);

test('given wheels, a yanked and a removed one, when their page is drawn, then both formats are these bytes', () => {
  const page = projectPage('skiff', listed);
  expectGolden('index/skiff.json', page.json);
  expectGolden('index/skiff.html', page.html);
});

test('given projects in any order and twice, when the root is drawn, then it names each once, sorted, also of one letter', () => {
  const page = rootPage(['zed', 'a', 'ruamel-yaml', 'a']);
  expectGolden('index/root.json', page.json);
  expectGolden('index/root.html', page.html);
});

test('given a page in both formats, when pip parses it, then it finds the same links with digests, sidecar and yank', () => {
  const [json, html] = asPip(projectPage('skiff', listed));
  expect(json).toEqual(html);
  expect(json).toHaveLength(4);
  expect(json![0]).toEqual({
    url: 'http://127.0.0.1/debian-12/files/skiff/skiff-1.10-cp311-cp311-linux_x86_64.whl',
    hash: 'a'.repeat(64),
    requires: '>=3.8,<4',
    metadata: 'b'.repeat(64),
    yanked: null,
  });
  expect(json![3]!.yanked).toBe('a "bad" <build>');
});

test('given a yank without a reason, when pip parses the page, then the wheel is yanked in both formats', () => {
  const [json, html] = asPip(projectPage('skiff', listedOf([ENTRIES[3]!], [{ ...GONE[0], because: '' }])));
  expect(json).toEqual(html);
  expect(json).toMatchObject([{ yanked: '' }]);
});

test('given hostile names and texts, when pip parses the page, then each is one link and nothing leads elsewhere', () => {
  const hostile = [
    anEntry(HOSTILE, { requiresPython: `>="3'<b>` }),
    anEntry('skiff-1.0-py3-none-any%2f%2e%2e%2fx.whl'),
    anEntry('skiff-1!2.0+local.1-py3-none-any.whl'),
  ];
  const [json, html] = asPip(projectPage('skiff', listedOf(hostile, [])));
  expect(json).toEqual(html);
  expect(json).toHaveLength(3);
  for (const { url } of json!) expect(new URL(url).pathname).toMatch(/^\/debian-12\/files\/skiff\/[^/]+$/);
});

test('given the same entries in any order, when pages are drawn, then the bytes are the same', () => {
  const entries = fc.shuffledSubarray(ENTRIES, { minLength: ENTRIES.length });
  fc.assert(
    fc.property(entries, (some) =>
      expect(projectPage('skiff', listedOf(some, GONE))).toEqual(projectPage('skiff', listed)),
    ),
  );
});

test('given an entry whose file is absent, when entries are split, then it is a finding and the others stay', () => {
  const split = withFiles(ENTRIES, new Set(ENTRIES.slice(1).map(({ file }) => file)));
  expect(split.entries).toHaveLength(4);
  expect(split.findings).toMatchObject([{ code: 'INDEX_FILE_ABSENT', subject: `skiff/${ENTRIES[0]!.file}` }]);
});

test('given versions of the files, when a page is drawn, then they are listed once, by PEP 440', () => {
  const { versions } = JSON.parse(projectPage('skiff', listed).json) as { versions: string[] };
  expect(versions).toEqual(['1.9', '1.10', '2.0']);
  expect(JSON.parse(projectPage('skiff', [] as Listed[]).json)).toMatchObject({ files: [], versions: [] });
});
