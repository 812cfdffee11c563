// Compares specs and tags of jobs with answers of a real Spack: `node bench/spack/compare.mjs FOLDER`. FOLDER has spec-pairs.json, a list
// of {a, b, satisfies, intersects, merged}, and folders with spack.yaml, spack.lock and the pipeline that `spack ci generate` made of
// them, expected.gitlab-ci.yml. Prints each pair and each job that differs.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { concreteSpecs } from '../../dist/features/spack/pure/concrete.js';
import { readEnvironment } from '../../dist/features/spack/pure/environment.js';
import { readLock } from '../../dist/features/spack/pure/lock.js';
import { tagsOf } from '../../dist/features/spack/pure/rules.js';
import { isUnderstood, parseSpec } from '../../dist/features/spack/pure/spec/parse.js';
import { printSpec } from '../../dist/features/spack/pure/spec/print.js';
import { intersects, merged, satisfies } from '../../dist/features/spack/pure/spec/relate.js';

const FOLDER = process.argv[2];
const pairs = JSON.parse(readFileSync(join(FOLDER, 'spec-pairs.json'), 'utf8'));

/** The words of a spec, whatever their order. */
const words = (text) =>
  text
    .replaceAll(/([+~]+)(?=\w)/g, ' $1')
    .split(/\s+/)
    .filter(Boolean)
    .sort()
    .join(' ');

function differences({ a, b, ...real }) {
  const [one, other] = [parseSpec(a), parseSpec(b)];
  if (!isUnderstood(one) || !isUnderstood(other)) return [`not understood: ${one.why ?? other.why}`];
  const both = merged(one, other);
  const ours = {
    satisfies: satisfies(one, other),
    intersects: intersects(one, other),
    ...(both !== null && { merged: printSpec(both) }),
  };
  return ['satisfies', 'intersects', 'merged']
    .filter((key) => (key === 'merged' ? words(ours[key] ?? '') !== words(real[key] ?? '') : ours[key] !== real[key]))
    .map((key) => `${key}: ${ours[key] ?? 'nothing'}, Spack: ${real[key] ?? 'nothing'}`);
}

const found = pairs.map((pair) => [pair, differences(pair)]).filter(([, said]) => said.length > 0);
for (const [{ a, b }, said] of found) console.log(`${a}\n${b}\n  ${said.join('\n  ')}\n`);
console.log(`${pairs.length} pairs, ${found.length} differ`);

/** Jobs of an environment with their tags. */
function jobsOf(name) {
  const file = (one) => readFileSync(join(FOLDER, name, one), 'utf8');
  const refuse = (problem) => {
    throw new Error(problem.message);
  };
  const lock = readLock(file('spack.lock'), 'spack.lock', refuse);
  const rules = readEnvironment(file('spack.yaml'), 'spack.yaml', refuse).rules(refuse);
  const specs = concreteSpecs(lock);
  const jobs = Object.values(parse(file('expected.gitlab-ci.yml'), { maxAliasCount: -1 }));
  return jobs.flatMap(({ tags, variables }) => {
    // By name: the lock may be of another machine than the pipeline.
    const spec = [...specs.values()].find((one) => one.name === variables?.SPACK_JOB_SPEC_PKG_NAME);
    return spec
      ? [{ job: `${name} ${spec.name}`, ours: tagsOf(rules, spec, spec).tags.join(), theirs: tags.join() }]
      : [];
  });
}

const jobs = readdirSync(FOLDER, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? jobsOf(one.name) : []));
const others = jobs.filter(({ ours, theirs }) => ours !== theirs);
for (const { job, ours, theirs } of others) console.log(`${job}: ${ours}, Spack: ${theirs}`);
console.log(`${jobs.length} jobs, ${others.length} differ`);
process.exitCode = found.length > 10 || others.length > 0 ? 1 : 0;
