import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EnvironmentImport } from '../../dist/features/spack/schemas/environment.js';
import { readFiles } from '../../dist/features/spack/pure/environment-files.js';
import { gitlabExport } from '../../dist/features/spack/pure/gitlab/export.js';
import { importSpack } from '../../dist/features/spack/pure/import-spack.js';
import { noFacts } from '../../dist/importers/asks.js';
import { committed } from '../committed.mjs';
import { middle, timed } from '../measure.mjs';
import { atMost, ratioAtMost, row } from '../rows.mjs';

const SPECS = 512;
const MANY = 5_000;
const PATTERNS = 40;
const SIZES = ['small', 'medium', 'large', 'huge'];

const DIGITS = 'abcdefghijklmnopqrstuvwxyz234567';
const sha256 = (text) => `sha256:${createHash('sha256').update(text).digest('hex')}`;
const hashOf = (name) =>
  [...createHash('sha256').update(name).digest()]
    .map((byte) => DIGITS[byte & 31])
    .join('')
    .slice(0, 32);

/** Specs that need up to seven others below them, in the shape of a lock of Spack 1.0. */
function lockOf(count) {
  const nameOf = (no) => `package${no}`;
  const node = (no) => {
    const below = [no - 1, no - 2, no - 7, no - 31, Math.floor(no / 2), Math.floor(no / 3), 0];
    const needed = [...new Set(below.filter((one) => one >= 0 && one < no))];
    return {
      ...{ name: nameOf(no), version: `1.${no % PATTERNS}.${no % 7}`, namespace: 'builtin', hash: hashOf(nameOf(no)) },
      arch: {
        platform: 'linux',
        platform_os: 'debian12',
        target: { name: 'x86_64_v3', vendor: 'generic', parents: [] },
      },
      parameters: { build_system: 'autotools', shared: true, pic: no % 2 === 0, cflags: [], cxxflags: [], ldflags: [] },
      package_hash: `${'a'.repeat(52)}====`,
      dependencies: needed.map((one) => ({
        ...{ name: nameOf(one), hash: hashOf(nameOf(one)) },
        parameters: { deptypes: ['build', 'link'], virtuals: one === 0 ? ['c', 'cxx'] : [] },
      })),
    };
  };
  const nodes = Array.from({ length: count }, (_, no) => node(no));
  const roots = nodes.filter((_, no) => no % 10 === 9 || no === count - 1);
  return JSON.stringify({
    _meta: { 'file-type': 'spack-lockfile', 'lockfile-version': 6, 'specfile-version': 5 },
    spack: { version: '1.0.0', type: 'release' },
    roots: roots.map(({ name: spec, hash }) => ({ hash, spec })),
    concrete_specs: Object.fromEntries(nodes.map((one) => [one.hash, one])),
  });
}

function yamlOf(lock) {
  const patternOf = (no) => [`package${no * 3}`, `package${no}@1.${no}:`, `package${no} +pic`, `package${no * 2} %gcc`];
  const submapping = Array.from({ length: PATTERNS }, (_, no) => ({
    match: [patternOf(no)[no % 4]],
    'build-job': { tags: [SIZES[no % 4]], variables: { SIZE: `s${no}` } },
  }));
  const ci = { 'pipeline-gen': [{ submapping }, { 'build-job': { tags: ['spack'] } }] };
  return JSON.stringify({ spack: { specs: JSON.parse(lock).roots.map(({ spec }) => spec), ci } });
}

const RUNNERS = [{ tags: ['spack', ...SIZES], on: 'linux-x86_64' }];
const GENERATION = { artifactsRoot: 'jobs_scratch_dir', job: 'generate', pipeline: '1', stack: 'stack' };
const SETTING = { key: 'environments.stack', hash: sha256, at: () => undefined, tries: null };
const refuse = ({ message }) => {
  throw new Error(message);
};

/** Milliseconds of a warm process, from the bytes of a lock to its jobs, and to its pipeline of GitLab. */
function inProcess(count, times) {
  const entry = EnvironmentImport.parse({ import: 'spack', file: 'spack.yaml', runners: RUNNERS });
  const lock = lockOf(count);
  const facts = { ...noFacts(), text: { 'spack.yaml': yamlOf(lock), 'spack.lock': lock } };
  const taken = { jobs: [], pipeline: [] };
  const timing = (kept, make) => {
    const start = performance.now();
    make();
    kept.push(performance.now() - start);
  };
  for (let no = 0; no < times; no += 1) {
    timing(taken.jobs, () => {
      const { findings } = importSpack.make(importSpack.read(entry, facts, () => undefined).kept, entry, SETTING);
      findings.forEach(refuse);
    });
    timing(taken.pipeline, () => {
      const { environment, lock: read } = readFiles(entry, facts);
      gitlabExport(entry, environment, read, GENERATION, refuse);
    });
  }
  const warm = (all) => middle(all.slice(Math.floor(times / 3)));
  return { jobs: warm(taken.jobs), pipeline: warm(taken.pipeline) };
}

async function planned({ root, folder, runs }, count) {
  const home = join(folder, 'spack');
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  const lock = lockOf(count);
  writeFileSync(join(home, 'spack.lock'), lock);
  writeFileSync(join(home, 'spack.yaml'), yamlOf(lock));
  const environments = { stack: { import: 'spack', file: 'spack.yaml', runners: RUNNERS } };
  const file = { slipway: 1, pipeline: { name: 'stack', label: 'commit' }, source: { git: '.' }, environments };
  writeFileSync(join(home, 'slipway.yaml'), JSON.stringify(file));
  committed(home);
  const times = [];
  for (let run = 0; run <= (runs ?? 5); run += 1)
    times.push(await timed([process.execPath, join(root, 'bin', 'slipway.js'), 'plan', '.'], { cwd: home }));
  return middle(times.slice(1));
}

/** Locks of Spack in the shape of real ones, with rules of 40 patterns. */
export async function spackLocks(around) {
  const [few, many] = [inProcess(SPECS, 21), inProcess(MANY, 6)];
  const [small, large] = [await planned(around, SPECS), await planned(around, MANY)];
  const named = `a lock of ${SPECS} specs, ${PATTERNS} patterns`;
  const goal = ratioAtMost(10);
  return [
    row(`${named}: jobs, in a warm process`, few.jobs, 'ms', { goal: atMost(42) }),
    row(`${named}: pipeline of GitLab, in a warm process`, few.pipeline, 'ms', { goal: atMost(150) }),
    row(`${named}: slipway plan`, small, 'ms', { goal: atMost(900) }),
    row(`${MANY} specs, against ${SPECS}: jobs`, many.jobs, 'ms', { reference: few.jobs, goal }),
    row(`${MANY} specs, against ${SPECS}: pipeline`, many.pipeline, 'ms', { reference: few.pipeline, goal }),
    row(`${MANY} specs, against ${SPECS}: slipway plan`, large, 'ms', { reference: small, goal }),
  ];
}
