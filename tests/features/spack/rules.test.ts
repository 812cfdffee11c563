import { readEnvironment } from '../../../src/features/spack/pure/environment.js';
import { buildJob, tagsIn } from '../../../src/features/spack/pure/rules.js';
import { isUnderstood, parseSpec } from '../../../src/features/spack/pure/spec/parse.js';
import type { Runner } from '../../../src/features/spack/schemas/environment.js';
import type { Problem } from '../../../src/model/failure.js';
import { aLock, boatyard, boatyardWith, importedFrom } from './an-environment.js';

function tagsFor(ci: string, own: string, root = own) {
  const found: Problem[] = [];
  const yaml = `spack:\n${ci.replaceAll(/^/gm, '  ')}`;
  const rules = readEnvironment(yaml, 'spack.yaml', (one) => void found.push(one))!.rules(
    (one) => void found.push(one),
  );
  expect(found).toEqual([]);
  const [one, other] = [parseSpec(own), parseSpec(root)];
  if (!isUnderstood(one) || !isUnderstood(other)) throw new Error('a spec is not understood');
  const { attributes, rules: applied } = buildJob(rules!, one, other, {});
  return { tags: tagsIn(attributes).join(), line: applied.at(-1)?.place.line ?? null };
}

const GENERATED = `ci:
  pipeline-gen:
  - build-job: { tags: [a] }
  - submapping:
    - { match: [gcc], build-job: { tags: [s] } }
    - { match: [gcc@12], build-job: { tags: [m] } }
  - build-job: { tags: [b, a] }
`;
const MERGED = `ci:
  pipeline-gen:
  - match_behavior: merge
    submapping:
    - { match: [gcc], build-job: { tags: [s] }, build-job-remove: { tags: [b] } }
    - { match: [gcc@12], build-job: { tags: [m] } }
  - any-job: { tags: [b] }
`;
const REPLACED = `ci:
  pipeline-gen:
  - build-job: { tags:: [only] }
  - build-job: { tags: [b] }
`;
const OLD = `gitlab-ci:
  mappings:
  - { match: [hdf5+mpi], runner-attributes: { tags: [large] } }
  - { match: [hdf5, zlib], runner-attributes: { tags: [small] } }
`;

test.each([
  ['items from the bottom, and of a submapping the entry at the bottom', GENERATED, 'gcc@12', 'gcc@12', 'a,m,b', 4],
  ['an entry above it where that one does not fit', GENERATED, 'gcc@11', 'gcc@11', 'a,s,b', 4],
  ['no entry', GENERATED, 'zlib', 'zlib', 'a,b', 4],
  ['all entries that fit', MERGED, 'gcc@12', 'gcc@12', 's,m', 6],
  ['tags in place of all others', REPLACED, 'zlib', 'zlib', 'only', 4],
  ['the first mapping from the top that fits the root', OLD, 'zlib', 'hdf5+mpi', 'large', 4],
  ['a mapping below it', OLD, 'zlib', 'hdf5~mpi', 'small', 5],
  ['no mapping', OLD, 'zlib', 'netcdf', '', null],
])('given %s, then the job has its tags', (_, ci, own, root, tags, line) => {
  expect(tagsFor(ci, own, root)).toEqual({ tags, line });
});

const RUNNERS: Runner[] = [
  { tags: ['spack', 'small'], on: 'gpu' },
  { tags: ['spack', 'small', 'large'], on: 'linux-x86_64' },
];

test('given runners, then each spec has the queue of the first row with all tags of its job', () => {
  const { made } = importedFrom(boatyard(), { runners: RUNNERS });
  expect(made.findings).toEqual([]);
  expect(made.entries.map(({ entry }) => [entry['name'], entry['on']])).toEqual([
    ['keel', 'gpu'],
    ['hull', 'gpu'],
    ['mast', 'gpu'],
    ['rudder', 'gpu'],
    ['sail', 'linux-x86_64'],
    ['skiff', 'linux-x86_64'],
  ]);
  expect(made.rows?.at(-1)?.reason).toBe('it is a root; linux-x86_64 by tags large, spack (env/spack.yaml:13)');
});

test('given an entry that another one of its submapping always precedes, then planning reports it', () => {
  const yaml = boatyard()['env/spack.yaml']!;
  const [above, below] = [
    / +- match: \['@:'\]\n.*\n/.exec(yaml)![0],
    / +- match: \[skiff, sail\]\n.*\n/.exec(yaml)![0],
  ];
  const swapped = yaml.replace(above, '').replace(below, below + above);
  const { made } = importedFrom(boatyard({ 'env/spack.yaml': swapped }), { runners: RUNNERS });
  expect(made.notices?.map(({ code, subject, why }) => `${code} ${subject}: ${why}`).at(-1)).toBe(
    'MAPPING_SHADOWED env/spack.yaml:11: it fits 2 specs with tags of a rule that is tried before it',
  );
});

test('given tags that no runner has, then planning names the nearest row and what it lacks', () => {
  const { made } = importedFrom(boatyard(), { runners: [RUNNERS[0]!] });
  expect(made.findings.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    'TAGS_UNSERVED: no runner has all tags of sail: large, spack; runners[0] lacks large',
    'TAGS_UNSERVED: no runner has all tags of skiff: large, spack; runners[0] lacks large',
  ]);
});

test.each([
  [
    'a mapping that is absent',
    { mappings: [{ match: ['hdf5'], 'runner-attributes': { tags: ['a'] } }] },
    'JOB_UNMAPPED',
  ],
  [
    'a pattern that is not understood',
    { 'pipeline-gen': [{ submapping: [{ match: ['zlib@git.x'], 'build-job': {} }] }] },
    'SPEC_NOT_UNDERSTOOD',
  ],
])('given %s, then planning names it', (_, ci, code) => {
  const files = boatyardWith(aLock({ zlib: [] }));
  const yaml = JSON.stringify({ spack: { specs: ['zlib'], ci } });
  const { made } = importedFrom({ ...files, 'env/spack.yaml': yaml }, { runners: RUNNERS });
  expect(made.findings.map((problem) => problem.code)).toEqual([code]);
});

test('given a lock of format 4, then a pattern finds its compiler', () => {
  const lock = JSON.parse(aLock({ zlib: [] }, {}, 4)) as { concrete_specs: Record<string, object> };
  const [hash, node] = Object.entries(lock.concrete_specs)[0]!;
  lock.concrete_specs[hash] = { ...node, compiler: { name: 'gcc', version: '12.2.0' } };
  const ci = { mappings: [{ match: ['%gcc@12'], 'runner-attributes': { tags: ['large'] } }] };
  const yaml = JSON.stringify({ spack: { specs: ['zlib'], ci } });
  const files = { ...boatyard(), 'env/spack.lock': JSON.stringify(lock), 'env/spack.yaml': yaml };
  expect(importedFrom(files, { runners: RUNNERS }).made.entries[0]?.entry['on']).toBe('linux-x86_64');
});
