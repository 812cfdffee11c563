import type { PureBuild } from '../../../src/model/pure-build.js';
import { DIGEST, importLists, rowTexts, type World } from './import-lists.js';

const SDIST = 'skiff-1.0.tar.gz';
const PURE = 'skiff-1.0-py3-none-any.whl';
const FOR = { 'debian-12': ['cp311'], 'debian-13': ['cp313'] };
const ENTRY = { git: '../requirements.git', file: 'uc.txt', rows: [{ branch: 'master', for: FOR }] };
const PINNED: World['branches'] = { master: { 'uc.txt': 'skiff==1.0' } };

const build = (more: Partial<PureBuild> = {}): PureBuild => ({
  ...{ file: PURE, requires: [], env: {}, packages: ['gcc', 'libc6-dev'] },
  ...more,
});
const left = (file: string): string => `left out: \`pure\` is skip, and an earlier build gave ${file}`;
const BUILD = 'build: sdist only';

interface Said {
  readonly builds?: readonly PureBuild[];
  readonly entry?: object;
  readonly world?: Partial<World>;
}

/** Verdicts about skiff==1.0 on Debian 12 and 13. */
function judged({ builds = [build()], entry = {}, world = {} }: Said) {
  const made = importLists(
    { ...ENTRY, pure: 'skip', ...entry },
    { branches: PINNED, index: { skiff: [SDIST] }, pure: { [DIGEST]: builds }, ...world },
  );
  expect(made.findings).toEqual([]);
  return { texts: rowTexts(made).map((text) => text.replace(/^\S+ \S+ \S+: /, '')), made };
}

const RECIPE = { with: { skiff: { packages: ['libsail-dev'], build: ['setuptools<80'], env: { SAIL: 'main' } } } };
const BINDEP: Partial<World> = {
  distributions: { 'debian-12': { id: 'debian', version: '12', codename: 'bookworm' } },
  bindep: { master: { 'debian-12': { packages: ['libyaml-dev'], broken: [] } } },
};

test.each<[string, Said, readonly [string, string]]>([
  ['no earlier build', { builds: [] }, [BUILD, BUILD]],
  ['an earlier build of a wheel for any Python', {}, [left(PURE), left(PURE)]],
  [
    'an earlier build of a wheel for one Python',
    { builds: [build({ file: 'skiff-1.0-cp311-none-any.whl' })] },
    [left('skiff-1.0-cp311-none-any.whl'), BUILD],
  ],
  [
    'a record of a wheel that is for a platform',
    { builds: [build({ file: 'skiff-1.0-cp311-cp311-linux_x86_64.whl' })] },
    [BUILD, BUILD],
  ],
  ['a record whose file is no wheel', { builds: [build({ file: 'skiff.whl' })] }, [BUILD, BUILD]],
  ['a recipe that the earlier build did not have', { entry: RECIPE }, [BUILD, BUILD]],
  [
    'the same recipe',
    {
      entry: RECIPE,
      builds: [build({ requires: ['setuptools<80'], env: { SAIL: 'main' }, packages: ['gcc', 'libsail-dev'] })],
    },
    [left(PURE), left(PURE)],
  ],
  [
    'the same recipe without its package',
    { entry: RECIPE, builds: [build({ requires: ['setuptools<80'], env: { SAIL: 'main' } })] },
    [BUILD, BUILD],
  ],
  ['an earlier build with a recipe that is gone', { builds: [build({ env: { SAIL: 'main' } })] }, [BUILD, BUILD]],
  [
    'a package of a bindep file that the earlier build lacked',
    { entry: { bindep: 'bindep.txt' }, world: BINDEP },
    [BUILD, left(PURE)],
  ],
  ['`pure: publish`', { entry: { pure: 'publish' } }, [BUILD, BUILD]],
  [
    'a wheel of upstream',
    { world: { index: { skiff: [SDIST, 'skiff-1.0-py3-none-any.whl'] } } },
    [`upstream: ${PURE}`, `upstream: ${PURE}`],
  ],
  [
    'another sdist of this version',
    { world: { index: { skiff: [{ file: SDIST, sha256: 'e'.repeat(64) }] } } },
    [BUILD, BUILD],
  ],
  ['a pure wheel of ours', { world: { ours: { 'debian-12': [PURE] } } }, [left(PURE), left(PURE)]],
  [
    'a wheel of ours with code for the platform',
    { world: { ours: { 'debian-12': ['skiff-1.0-cp311-cp311-linux_x86_64.whl'] } } },
    ['here: skiff-1.0-cp311-cp311-linux_x86_64.whl, since 2026-11-20', left(PURE)],
  ],
  [
    'an index that does not answer',
    { world: { index: { skiff: { state: 'unanswered', since: '2026-11-22T10:00:00Z', why: 'HTTP 503' } } } },
    [
      'unanswered: the index does not answer since 2026-11-22T10:00:00Z: HTTP 503',
      'unanswered: the index does not answer since 2026-11-22T10:00:00Z: HTTP 503',
    ],
  ],
])('given `pure: skip` and %s, then each target is left out or built', (_what, said, expected) => {
  const { texts, made } = judged(said);
  expect(texts).toEqual(expected);
  const built = made.entries.some(({ section }) => section === undefined);
  expect(built).toBe(expected.some((text) => text.startsWith('build')));
});

test('given `pure: publish`, then nobody asks which sdists are pure', () => {
  const asks = (entry: object) => judged({ entry }).made.asked.filter(({ ask }) => ask === 'pure');
  expect(asks({ pure: 'publish' })).toEqual([]);
  expect(asks({})).toEqual([{ ask: 'pure', sdists: [DIGEST] }]);
});
