import { epochOf, keyParts, sourcesUnder } from '../../../src/engine/cache/key-parts.js';
import { stepKey } from '../../../src/engine/cache/step-key.js';
import { drawManifest, twinsAmong } from '../../../src/engine/ledger/manifest.js';
import { statementOf } from '../../../src/engine/ledger/provenance.js';
import { ownSourceOf, sourceOf } from '../../../src/model/sources.js';
import type { Artifact } from '../../../src/model/artifact.js';
import type { SourceRef } from '../../../src/model/params.js';
import type { Plan, Step } from '../../../src/model/plan.js';
import { aPlan, aResult, aStep, sha256 } from '../../support/run-body.js';

const sdist = (name: string): SourceRef => ({ kind: 'sdist', name, version: '1.0', sha256: sha256(name).slice(7) });
const HULL = sdist('hull');
const BOAT: SourceRef = { kind: 'git', commit: 'd'.repeat(40) };

const fetch = (id: string, source: SourceRef) => aStep('fetchSource', { source }, { id, stage: 'source' });
const take = (id: string, source?: string, needs: readonly string[] = []) =>
  aStep('takeSdist', { project: 'a' }, { id, ...(source !== undefined && { source }), needs });

const STEPS = [
  fetch('source/skiff', { kind: 'git', commit: '0'.repeat(40) }),
  fetch('source/hull', HULL),
  fetch('source/boat', BOAT),
  take('sdists/skiff', undefined, ['source/skiff']),
  take('sdists/hull', 'source/hull', ['source/hull']),
  take('sdists/boat', 'source/boat', ['source/boat', 'source/skiff']),
  take('tests/two', undefined, ['sdists/hull', 'sdists/boat']),
  take('tests/none'),
];
const planWith = (steps: readonly unknown[], more: Partial<Plan> = {}): Plan =>
  aPlan({ steps: steps as readonly Step[], ...more });
const PLAN = planWith(STEPS);
const SHELF = planWith(
  [
    ...STEPS.filter(({ id }) => !id.endsWith('/skiff')),
    { ...take('publish/hull', undefined, ['seal', 'sdists/hull']) },
    { ...take('seal'), wants: ['sdists/hull', 'sdists/boat'] },
  ],
  { source: { kind: 'none', branch: null } },
);

test.each([
  ['a step of the main source', PLAN, 'sdists/skiff', ['source/skiff']],
  ['a step of a named source, though it needs the main one too', PLAN, 'sdists/boat', ['source/boat']],
  ['a step without a source', PLAN, 'tests/none', []],
  ['a step that uses the main source through another', PLAN, 'tests/two', ['source/skiff']],
  ['a step that uses two named sources', SHELF, 'tests/two', ['source/hull', 'source/boat']],
  ['a step behind the seal', SHELF, 'publish/hull', ['source/hull']],
])('given %s, then SOURCE_DATE_EPOCH is of these sources', (_, plan, id, wanted) => {
  const step = plan.steps.find((one) => one.id === id)!;
  expect(sourcesUnder(plan, step)).toEqual(wanted);
});

test('given several sources, then the newest time counts', () => {
  const at = (epoch: number | null) => aResult({ id: 'source/a', kind: 'fetchSource' }, { facts: { epoch } });
  expect(epochOf([at(9), at(100), at(null), null])).toBe('100');
  expect(epochOf([])).toBeNull();
});

test('given another named source in the plan, then the keys of other steps are unchanged', () => {
  const before = planWith(STEPS.filter(({ id }) => id.endsWith('/skiff')));
  const keyIn = (plan: Plan): string => {
    const step = plan.steps.find(({ id }) => id === 'sdists/skiff')!;
    return stepKey(keyParts(plan, step, { inputs: [], toolchain: null, epoch: '7' }), sha256);
  };
  expect(sourcesUnder(PLAN, STEPS[3]!)).toEqual(sourcesUnder(before, STEPS[3]!));
  expect(keyIn(PLAN)).toBe(keyIn(before));
});

test('a step names the source of its bytes', () => {
  expect(ownSourceOf(PLAN, 'sdists/hull')).toEqual(HULL);
  expect(ownSourceOf(PLAN, 'source/hull')).toEqual(HULL);
  expect(ownSourceOf(PLAN, 'sdists/skiff')).toBeNull();
  expect(ownSourceOf(PLAN, 'source/skiff')).toBeNull();
  expect(sourceOf(PLAN, 'sdists/skiff')).toEqual(PLAN.source);
});

const file = (name: string, letter: string): Artifact => ({
  ...{ name, kind: 'sdist', digest: sha256(letter), size: 1, labels: {} },
});
const resultOf = (id: string, kind: Step['kind'], ...artifacts: Artifact[]) => aResult({ id, kind }, { artifacts });

test('given products of several sources, then manifest and statement name the source of each', () => {
  const results = [
    resultOf('sdists/skiff', 'takeSdist', file('skiff.tar.gz', 's')),
    resultOf('sdists/hull', 'takeSdist', file('hull.tar.gz', 'h')),
    resultOf('sdists/boat', 'takeSdist', file('boat.tar.gz', 'b')),
  ];
  const manifest = drawManifest(PLAN, [], results);
  const sources = Object.fromEntries(manifest.artifacts.map(({ name, source }) => [name, source]));
  expect(sources).toEqual({ 'skiff.tar.gz': undefined, 'hull.tar.gz': HULL, 'boat.tar.gz': BOAT });
  const digests = { planDigest: sha256('plan'), manifestDigest: sha256('manifest'), byproducts: [] };
  expect(statementOf({ plan: PLAN, manifest, ...digests })).toMatchObject({
    subject: [
      {},
      { annotations: { source: { gitCommit: 'd'.repeat(40) } } },
      { annotations: { source: { sha256: sha256('hull').slice(7) } } },
      {},
    ],
    predicate: {
      buildDefinition: {
        resolvedDependencies: [
          { name: 'source', digest: { gitCommit: '0'.repeat(40) } },
          { name: 'hull-1.0', digest: { sha256: sha256('hull').slice(7) } },
          { name: 'source/boat', digest: { gitCommit: 'd'.repeat(40) } },
        ],
      },
    },
  });
});

test('given sdists of two sources with one file name, then they are evidence, and the seal takes both', () => {
  const results = [
    resultOf('source/hull', 'fetchSource', file('a-1.0.tar.gz', 'one')),
    resultOf('source/boat', 'fetchSource', file('a-1.0.tar.gz', 'two')),
  ];
  const manifest = drawManifest(SHELF, [], results);
  expect(manifest.artifacts).toEqual([]);
  expect(manifest.evidence.map(({ step }) => step).sort()).toEqual(['source/boat', 'source/hull']);
  expect(twinsAmong(manifest)).toEqual([]);
});
