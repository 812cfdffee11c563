import { fc } from '../../support/fixed-seed.js';
import { notRun } from '../../../src/engine/ledger/not-run.js';
import type { ArtifactKind } from '../../../src/model/artifact.js';
import type { Axes, StepId } from '../../../src/model/ids.js';
import type { Dropped, Step } from '../../../src/model/plan.js';
import type { Result } from '../../../src/model/result.js';
import { aPlan, aResult } from '../../support/run-body.js';

/** A step in one line: `on` is the queue of tests, the platform all else has. */
interface Row {
  readonly id: StepId;
  readonly needs?: readonly StepId[];
  readonly platform?: string;
  readonly name?: string;
  /** What an index points to. */
  readonly children?: readonly StepId[];
  /** OCI platforms of an image that was published before, all in one. */
  readonly index?: string;
}
const KINDS = {
  bases: 'makeBase',
  source: 'fetchSource',
  sdists: 'buildSdist',
  wheels: 'buildWheel',
  jars: 'buildJar',
  images: 'buildImage',
  indexes: 'assembleIndex',
  tests: 'runTest',
};
const MADE: Record<string, ArtifactKind> = {
  bases: 'image',
  source: 'sdist',
  sdists: 'sdist',
  wheels: 'wheel',
  jars: 'jar',
  images: 'image',
  indexes: 'image',
};
const section = (id: StepId): string => id.split('/')[0]!;

const axesOf = ({ platform }: Row): Axes => (platform === undefined ? {} : { platform });
const step = (row: Row): Step =>
  ({
    id: row.id,
    kind: KINDS[section(row.id) as keyof typeof KINDS] ?? 'compileLock',
    on: 'linux-x86_64',
    axes: axesOf(row),
    needs: row.needs ?? [],
    params: {
      children: row.children?.map((id) => ({ step: id, platform: 'any' })) ?? [],
      ...(row.platform && {
        for: { name: row.platform, os: row.platform.split('-')[0], arch: row.platform.split('-')[1] },
      }),
    },
  }) as unknown as Step;
const result = ({ id, name = id, index }: Row): Result => {
  const kind = MADE[section(id)];
  const labels: Record<string, string> = index === undefined ? {} : { index };
  const artifact = { kind: kind!, name, digest: `sha256:${'a'.repeat(64)}` as const, size: 1, labels };
  return aResult({ id, kind: step({ id }).kind }, { artifacts: kind ? [artifact] : [] });
};

/** What is told of `rows`, all of which succeeded but those of `without`. */
function told(rows: readonly Row[], { without = [] as StepId[], dropped = [] as Dropped[] } = {}): string[] {
  const results = rows.filter(({ id }) => !without.includes(id)).map(result);
  return notRun(aPlan({ steps: rows.map(step), dropped }), results).map((one) => `${one.step}: ${one.because}`);
}

const X86 = 'linux-x86_64';
const ARM = 'linux-aarch64';
const MAC = 'macos-arm64';
const WHEELS: Row[] = [X86, ARM, MAC].map((platform) => ({ id: `wheels/skiff/${platform}`, platform }));
const NATIVES: Row[] = [X86, ARM, MAC].map((platform) => ({ id: `jars/native/${platform}`, platform }));
const JAR: Row = { id: 'jars/skiff', needs: NATIVES.map(({ id }) => id) };
const IMAGES: Row[] = [X86, ARM].map((platform) => ({
  id: `images/skiff/${platform}`,
  platform,
  needs: [`wheels/skiff/${platform}`, 'jars/skiff'],
}));
const PROMOTED: Row = { id: 'images/skiff', index: 'linux/amd64,linux/arm64' };
const imageTest = (platform: string): Row => ({
  id: `tests/image/${platform}`,
  platform,
  needs: [`images/skiff/${platform}`],
});
const lost = (id: StepId, row: Row): Dropped => {
  const { kind, on, axes, needs } = step({ ...row, id });
  return { id, because: 'nobody serves it', was: { kind, on, axes, needs } };
};

test.each<[string, Row[], Parameters<typeof told>[1], string[]]>([
  ['a wheel that a test needs', [WHEELS[0]!, { id: 'tests/venv', needs: [WHEELS[0]!.id], platform: X86 }], {}, []],
  ['no test', [WHEELS[0]!], {}, [`wheels/skiff/${X86}: no test runs on ${X86}`]],
  ['a product without a platform', [{ id: 'sdists/skiff' }], {}, ['sdists/skiff: no test takes it']],
  [
    'a tested image with its wheel, and another wheel',
    [...WHEELS, ...NATIVES, JAR, ...IMAGES, imageTest(X86), imageTest(ARM)],
    {},
    [
      `jars/native/${MAC}: no test runs on ${MAC}; jars/skiff holds it all the same`,
      `wheels/skiff/${MAC}: no test runs on ${MAC}`,
    ],
  ],
  [
    'a JAR with natives, tested on one machine',
    [...NATIVES, JAR, { id: 'tests/jvm', needs: [JAR.id] }],
    {},
    [ARM, MAC].map(
      (platform) => `jars/native/${platform}: no test runs on ${platform}; jars/skiff holds it all the same`,
    ),
  ],
  [
    'a wheel for any platform, tested on one',
    [
      { id: 'wheels/cli', platform: X86, name: 'cli-1-py3-none-any.whl' },
      { ...imageTest(ARM), needs: ['wheels/cli'] },
    ],
    {},
    [],
  ],
  [
    'an sdist whose wheel is tested',
    [{ id: 'sdists/skiff' }, { ...WHEELS[0]!, needs: ['sdists/skiff'] }, { id: 'tests/venv', needs: [WHEELS[0]!.id] }],
    {},
    [],
  ],
  [
    'a wheel for an older system, tested on the same machine',
    [
      { id: 'wheels/skiff/old', platform: `${X86}-old` },
      { id: 'images/skiff', needs: ['wheels/skiff/old'], platform: X86 },
      imageTest(X86),
      { id: 'tests/plain', needs: ['images/skiff'] },
    ],
    {},
    [],
  ],
  ['a test on a queue with another name', [WHEELS[1]!, { id: 'tests/venv', needs: [WHEELS[1]!.id] }], {}, []],
  [
    'an index with all images tested',
    [...IMAGES, { id: 'indexes/skiff', children: IMAGES.map(({ id }) => id) }, imageTest(X86), imageTest(ARM)],
    {},
    [],
  ],
  [
    'an index with one untested image',
    [...IMAGES, { id: 'indexes/skiff', children: IMAGES.map(({ id }) => id) }, imageTest(X86)],
    {},
    [
      `images/skiff/${ARM}: no test runs on ${ARM}`,
      `indexes/skiff: images/skiff/${ARM}, which it points to, was not run`,
    ],
  ],
  [
    'an index tested on one of its platforms',
    [
      ...IMAGES,
      { id: 'indexes/skiff', children: IMAGES.map(({ id }) => id) },
      { id: 'tests/index', needs: ['indexes/skiff'], platform: X86 },
    ],
    {},
    [
      `images/skiff/${ARM}: no test runs on ${ARM}`,
      `indexes/skiff: images/skiff/${ARM}, which it points to, was not run`,
    ],
  ],
  [
    'an index without a skipped image',
    [...IMAGES, { id: 'indexes/skiff', children: IMAGES.map(({ id }) => id) }, imageTest(X86)],
    { without: [`images/skiff/${ARM}`] },
    [],
  ],
  [
    'a published image for two machines, tested on one',
    [PROMOTED, { id: 'tests/image', needs: [PROMOTED.id] }],
    {},
    ['images/skiff: it is for linux/amd64, linux/arm64, and tests ran it on linux-x86_64 alone'],
  ],
  [
    'a published image for two machines, tested on both',
    [PROMOTED, ...[X86, ARM].map((platform) => ({ id: `tests/${platform}`, platform, needs: [PROMOTED.id] }))],
    {},
    [],
  ],
  [
    'a skipped test',
    [WHEELS[0]!, { id: 'tests/venv', needs: [WHEELS[0]!.id] }],
    { without: ['tests/venv'] },
    [`wheels/skiff/${X86}: its test tests/venv did not run`],
  ],
  [
    'a dropped test',
    [WHEELS[2]!],
    { dropped: [lost(`tests/venv/${MAC}`, { ...imageTest(MAC), needs: [WHEELS[2]!.id] })] },
    [`wheels/skiff/${MAC}: its test was dropped: nobody serves it`],
  ],
  [
    'a dropped wheel',
    [WHEELS[0]!],
    { dropped: [lost('wheels/other', { id: 'wheels/other', needs: [WHEELS[0]!.id] })] },
    [`wheels/skiff/${X86}: no test runs on ${X86}`],
  ],
])('given %s, then the untested products are listed', (_, rows, more, expected) =>
  expect(told(rows, more)).toEqual(expected),
);

const some = fc.constantFrom(X86, ARM, undefined);
/** Rows that need earlier ones only, a quarter of them tests. */
const rows = fc
  .array(
    fc.record({ section: fc.constantFrom('wheels', 'jars', 'images', 'tests'), platform: some, back: fc.nat(5) }),
    {
      maxLength: 12,
    },
  )
  .map((all) =>
    all.map(({ section: of, platform, back }, at): Row => {
      const before = all
        .slice(Math.max(0, at - back), at)
        .map((one, i) => `${one.section}/${Math.max(0, at - back) + i}`);
      return { id: `${of}/${at}`, needs: before, ...(platform && { platform }) };
    }),
  );

test('given steps and results in any order, then the list of untested products is the same', () => {
  fc.assert(fc.property(rows, (all) => expect(told([...all].reverse())).toEqual(told(all))));
});

test('when a test is added, then no product becomes untested, and what the test needs was run', () => {
  fc.assert(
    fc.property(rows, fc.nat(), some, (all, pick, platform) => {
      const products = all.filter(({ id }) => section(id) !== 'tests');
      if (products.length === 0) return;
      const taken = products[pick % products.length]!;
      const before = told(all).map((line) => line.split(':')[0]!);
      const own = taken.platform ?? platform;
      const after = told([...all, { id: 'tests/more', needs: [taken.id], ...(own && { platform: own }) }]);
      const left = after.map((line) => line.split(':')[0]!);
      expect(before).toEqual(expect.arrayContaining(left));
      expect(left).not.toContain(taken.id);
    }),
  );
});

test('given products whose steps did not succeed, then they are not listed', () => {
  expect(told(WHEELS, { without: WHEELS.map(({ id }) => id) })).toEqual([]);
});
