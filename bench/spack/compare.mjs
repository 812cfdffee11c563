// Compares specs and exported pipelines with answers of a real Spack: `node bench/spack/compare.mjs FOLDER`. FOLDER has spec-pairs.json, a
// list of {a, b, satisfies, intersects, merged}, and folders with spack.yaml, spack.lock and the pipeline that `spack ci generate` made of
// them, expected.gitlab-ci.yml. Prints each pair and each attribute that differs.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readEnvironment } from '../../dist/features/spack/pure/environment.js';
import { gitlabExport } from '../../dist/features/spack/pure/gitlab/export.js';
import { readLock } from '../../dist/features/spack/pure/lock.js';
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

const refuse = (problem) => {
  throw new Error(problem.message);
};

/** Our pipeline of an environment, and that of Spack with the hashes and versions of our lock: both may be of other machines. */
function pipelinesOf(name) {
  const file = (one) => readFileSync(join(FOLDER, name, one), 'utf8');
  const lock = readLock(file('spack.lock'), 'spack.lock', refuse);
  const environment = readEnvironment(file('spack.yaml'), 'spack.yaml', refuse);
  let text = file('expected.gitlab-ci.yml');
  const read = parse(text, { maxAliasCount: -1 });
  for (const { variables } of Object.values(read)) {
    const {
      SPACK_JOB_SPEC_DAG_HASH: hash,
      SPACK_JOB_SPEC_PKG_NAME: called,
      SPACK_JOB_SPEC_PKG_VERSION: version,
    } = variables ?? {};
    const spec = [...lock.specs.values()].find((one) => one.name === called);
    if (spec === undefined || spec.hash === hash) continue;
    console.log(`${name}: ${called}@${version} of the pipeline is ${called}@${spec.version} of the lock`);
    text = text.replaceAll(`${called}@${version} /${hash}`, `${called}@${spec.version} /${spec.hash}`);
    text = text.replaceAll(
      new RegExp(`(DAG_HASH: )${hash}(\\n.*\\n.*PKG_VERSION: )\\S+`, 'g'),
      `$1${spec.hash}$2'${spec.version}'`,
    );
  }
  const { job, pipeline } = Object.values(read)
    .find(({ needs }) => needs)
    .needs.at(-1);
  const { SPACK_ARTIFACTS_ROOT: artifactsRoot, SPACK_CI_STACK_NAME: stack } = read.variables;
  const made = gitlabExport(
    { file: 'spack.yaml', unmapped: 'fail' },
    environment,
    lock,
    { job, pipeline, artifactsRoot, stack },
    refuse,
  );
  return { ours: parse(made.text, { maxAliasCount: -1 }), theirs: parse(text, { maxAliasCount: -1 }) };
}

/** Text of a value, whatever the order of keys. The needs of a job are a set. */
const textOf = (value, key) => {
  if (Array.isArray(value)) {
    const items = value.map((one) => textOf(one));
    return `[${(key === 'needs' ? items.sort() : items).join()}]`;
  }
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((one) => `${one}: ${textOf(value[one], one)}`).join()}}`;
};

/** Differences of each job and each setting, by its attributes. */
function differencesOf(name) {
  const { ours, theirs } = pipelinesOf(name);
  const count = Object.keys(theirs).length;
  const said = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])].flatMap((job) => {
    const [own, other] = [ours[job] ?? {}, theirs[job] ?? {}];
    const keys = [...new Set([...Object.keys(own), ...Object.keys(other)])];
    return keys
      .filter((key) => textOf(own[key], key) !== textOf(other[key], key))
      .map((key) => `${name}: ${job}: ${key}: ${textOf(own[key], key)}, Spack: ${textOf(other[key], key)}`);
  });
  console.log(`${name}: ${count} jobs and settings of a pipeline, ${said.length} attributes differ`);
  return said;
}

const folders = readdirSync(FOLDER, { withFileTypes: true }).filter((one) => one.isDirectory());
const others = folders.flatMap((one) => differencesOf(one.name));
for (const said of others) console.log(said);
process.exitCode = found.length > 10 || others.length > 0 ? 1 : 0;
