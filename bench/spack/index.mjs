import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { inHome, slipway } from '../example.mjs';
import { inTurn, middle, timed } from '../measure.mjs';
import { atMost, notTaken, ratioAtMost, row } from '../rows.mjs';

const BUILD = 'boatyard, nothing known, against a script with the same lines';
const OURS = 'boatyard: a spec beside the process of Spack';
const [BUILD_GOAL, OURS_GOAL] = [ratioAtMost(1.15), atMost(300)];

/** The six specs of examples/boatyard, without the proofs, against the same lines of Spack typed by hand, as parallel and without a
 * sandbox. keel and skiff are built alone on both sides: the difference of their times is ours. */
export async function spack({ root, folder, runs }) {
  const checkout = process.env.SLIPWAY_SPACK;
  if (!checkout) {
    const why = 'SLIPWAY_SPACK names no checkout of Spack';
    return [notTaken(BUILD, 's', why, BUILD_GOAL), notTaken(OURS, 'ms', why, OURS_GOAL)];
  }
  const at = join(root, 'examples', 'boatyard');
  const more = { SLIPWAY_SPACK: checkout, SLIPWAY_SPACK_REPOS: '', SLIPWAY_SPACK_SOURCES: '' };
  const taken = await inHome({ root, home: join(folder, 'spack'), more }, (env) =>
    inTurn(runs ?? 5, {
      ours: () => released(root, at, env),
      plain: () => typed(root, at, join(folder, 'typed'), checkout),
    }),
  );
  const s = (ways) => middle(ways.map(({ all }) => all)) / 1000;
  const beside = taken.ours.map(
    ({ keel, skiff }, round) => (keel - taken.plain[round].keel + skiff - taken.plain[round].skiff) / 2,
  );
  return [
    row(BUILD, s(taken.ours), 's', { reference: s(taken.plain), goal: BUILD_GOAL }),
    row(OURS, middle(beside), 'ms', { goal: OURS_GOAL }),
  ];
}

/** Milliseconds from the start of the first spec to the end of the last, and those of two specs. */
async function released(root, at, env) {
  await timed([...slipway(root), 'run', join(at, 'slipway.yaml'), '--no-cache', '--wait'], { env });
  const [program, ...argv] = [...slipway(root), 'status', '--json'];
  const { status } = JSON.parse(execFileSync(program, argv, { env, encoding: 'utf8' }));
  const specs = status.steps.filter(({ kind }) => kind === 'buildSpec');
  const ended = Math.max(...specs.map(({ startedAt, ms }) => startedAt + ms));
  const msOf = (name) => specs.find(({ id }) => id.startsWith(`specs/${name}-`)).ms;
  return {
    all: ended - Math.min(...specs.map(({ startedAt }) => startedAt)),
    keel: msOf('keel'),
    skiff: msOf('skiff'),
  };
}

/** The same of lines in a shell. */
async function typed(root, at, folder, checkout) {
  rmSync(folder, { recursive: true, force: true });
  const line = laid(root, at, folder, checkout);
  const began = performance.now();
  const keel = await line('keel');
  await Promise.all([line('hull').then(() => line('rudder')), line('mast').then(() => line('sail'))]);
  const skiff = await line('skiff');
  return { all: performance.now() - began, keel, skiff };
}

/** Lays the environment out as a step does. Returns a function that builds a spec with the Python of steps, and answers its milliseconds. */
function laid(root, at, folder, checkout) {
  const dist = (module) => createRequire(join(root, 'package.json'))(`./dist/${module}.js`);
  const { layEnvironment } = dist('features/spack/node/lay-environment');
  const { readSettings } = dist('features/spack/pure/environment');
  const { OWN_PATHS } = dist('activities/step/confine');
  const text = (path) => readFileSync(join(at, path), 'utf8');
  const lock = JSON.parse(text('env/spack.lock'));
  const [cache, own] = [join(folder, 'cache'), 'recipes/spack_repo/boatyard'];
  mkdirSync(join(cache, 'v3'), { recursive: true });
  writeFileSync(join(cache, 'v3', 'layout.json'), '{"signing": "gpg"}');
  const recipes = readdirSync(join(at, own), { recursive: true })
    .map((name) => join(own, name))
    .filter((path) => statSync(join(at, path)).isFile())
    .map((path) => [path, text(path)]);
  const settings = readSettings(text('env/spack.yaml'), 'env/spack.yaml', () => undefined, false);
  const { argv, env } = layEnvironment(
    { folder, paths: OWN_PATHS, step: { params: { recipes: { boatyard: own } } } },
    { lock, lockText: text('env/spack.lock'), settings, included: [], recipes },
    { SLIPWAY_SPACK: checkout },
    { index: join(folder, 'index'), caches: { from: cache, to: cache } },
  );
  const hashes = new Map(Object.entries(lock.concrete_specs).map(([hash, { name }]) => [name, hash]));
  return (name) =>
    timed(
      [
        ...[...argv, '-c', `config:install_tree:root:${join(folder, name, 'tree')}`],
        ...['-c', 'config:install_tree:padded_length:128', '-c', `config:build_stage:${join(folder, name, 'stage')}`],
        ...['install', '--use-buildcache=package:never,dependencies:only', '--no-check-signature', '--fail-fast'],
        ...['--verbose', '--no-add', `/${hashes.get(name)}`],
      ],
      { env: { ...process.env, ...env, PATH: `${join(root, '.tools', 'bin')}:${process.env.PATH}` }, cwd: folder },
    );
}
