import type { FeatureKinds } from '../../src/model/feature-kinds.js';
import type * as prefixes from '../../src/model/id-prefixes.js';
import type * as kinds from '../../src/model/kinds.js';
import type * as records from '../../src/model/proved-records.js';
import type * as order from '../../src/model/stages.js';

/** Loads a module of the core as a program that starts with these features. */
function startWith<M>(module: string, features: Readonly<Record<string, FeatureKinds>>): M {
  let loaded: M;
  jest.isolateModules(() => {
    jest.doMock('../../src/features/kinds.js', () => ({ FEATURE_KINDS: features }));
    loaded = require(`../../src/model/${module}.js`) as M;
  });
  return loaded!;
}

const scan = {
  ...{ stage: 'scan', doing: 'scanning', cache: 'pure', changes: 'folder', limitMs: 60_000, epoch: 1 },
  ...{ ids: 'scans', runs: 'own', ships: null, origin: 'ours', policy: 'secrets', reaches: false },
  ...{ services: [], test: 'no', waits: 'watch', wantsAll: false, idle: 'never', helps: false, envSecrets: false },
} as const satisfies NonNullable<FeatureKinds['kinds']>[string];
const stages = (rows: Readonly<Record<string, string>>): FeatureKinds => ({
  stages: Object.fromEntries(Object.entries(rows).map(([stage, after]) => [stage, { after }])),
});

test('given stages of features, then each is directly after its neighbour, in the order of the features', () => {
  const features = {
    sample: stages({ sort: 'scan', scan: 'images' }),
    other: stages({ look: 'images', last: 'report' }),
  };
  const { STAGE_IDS } = startWith<typeof order>('stages', features);
  expect(STAGE_IDS.slice(5)).toEqual([
    ...['images', 'scan', 'sort', 'look', 'tests', 'steps', 'seal', 'attest', 'gates', 'publish', 'verify', 'point'],
    ...['announce', 'report', 'last'],
  ]);
});

test.each([
  [{ sample: stages({ scan: 'no' }) }, 'stage "scan" of feature "sample" comes after "no", which is no stage'],
  [
    { sample: stages({ scan: 'sort' }), other: stages({ sort: 'scan', look: 'images' }) },
    'stage "scan" of feature "sample" comes after "sort", which comes after it in a circle',
  ],
  [
    { sample: stages({ scan: 'sort', sort: 'no' }) },
    'stage "sort" of feature "sample" comes after "no", which is no stage',
  ],
  [{ sample: stages({ sdists: 'images' }) }, 'the core and feature "sample" both have a stage "sdists"'],
])('given stages without a place, then no program starts: %j', (features, message) => {
  expect(() => startWith<typeof order>('stages', features)).toThrow(message);
});

test('given a kind of a feature, then the tables of the core hold its rows', () => {
  const sample: FeatureKinds = {
    kinds: { scanFiles: scan },
    ids: { scans: { signedBy: 'control', makes: 'evidence' } },
    records: { scanned: { signer: 'control' }, 'runs/scanning': { signer: 'worker' }, scanLogs: { signer: 'nobody' } },
  };
  const { KINDS, taskQueueOf } = startWith<typeof kinds>('kinds', { sample });
  expect(KINDS).toMatchObject({ scanFiles: scan, buildWheel: { ids: 'wheels' } });
  expect(taskQueueOf({ kind: 'scanFiles' as never, on: 'control' })).toBe('slipway-fleet');
  expect(startWith<typeof prefixes>('id-prefixes', { sample }).makesOf('scans/a')).toBe('evidence');
  const { provedRecord, signerOf } = startWith<typeof records>('proved-records', { sample });
  expect(provedRecord('runs/r1/results/scans/a')).toMatchObject({ role: 'control', step: 'scans/a' });
  expect(provedRecord('scanned/a')).toEqual({ role: 'control', purpose: 'scanned/a' });
  expect(provedRecord('runs/r1/scanning/a')).toEqual({ role: 'worker', purpose: 'runs/r1/scanning/a' });
  expect([signerOf('scanLogs/a'), provedRecord('scanLogs/a')]).toEqual(['nobody', null]);
  expect(signerOf('scanning/a')).toBeUndefined();
});

test.each([
  ['kinds', { kinds: { buildWheel: scan } }, 'both have a kind "buildWheel"'],
  ['id-prefixes', { ids: { wheels: { signedBy: 'control', makes: 'other' } } }, 'both have a prefix of ids "wheels"'],
  ['proved-records', { records: { known: { signer: 'nobody' } } }, 'both have a family of records "known"'],
  ['bisect', { workflows: { release: { ids: [], startedBy: [] } } }, 'both have a type of workflow "release"'],
] as const)('given a name that the core has in %s, then no program starts', (module, sample, message) => {
  expect(() => startWith(module, { sample })).toThrow(`the core and feature "sample" ${message}`);
});
