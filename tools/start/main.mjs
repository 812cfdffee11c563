// Behind `npm start`, `npm test` and `npm run test:all | down | check | ray | spack | laws | fuzz | bench`: sets a bare machine up, then does what was asked.
// Plain Node without packages, since it installs them. Killed at any point, it goes on where it stood.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { argumentsOf } from '../fuzz/arguments.mjs';
import { minutesOf } from '../laws/arguments.mjs';
import { build } from './build.mjs';
import { openly, stopIfAsked } from './child.mjs';
import { debian } from './debian.mjs';
import { packages } from './packages.mjs';
import { part } from './part.mjs';
import { layPolicy } from './policy.mjs';
import { noSpack, noSuchMode, oldNode, tell } from './problem.mjs';
import { ray } from './ray.mjs';
import { s3Server } from './s3-server.mjs';
import { temporalSchema, temporalServer } from './temporal-server.mjs';
import { venv } from './venv.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const node = (...argv) => openly([process.execPath, ...argv], { cwd: root });
const slipway = (...argv) => node(join('bin', 'slipway.js'), ...argv);
const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

const PARTS = [packages(root), venv(root), debian(), build(root)];
/** By the names of tools/ci. */
const SYSTEM_PARTS = {
  s3: [s3Server],
  'tls-server': [temporalServer],
  ray: [ray],
  hosts: [s3Server, temporalServer, temporalSchema],
};
const partsOf = (system) => SYSTEM_PARTS[system].map((one) => one(root));

/** Each answers its exit status. */
const MODES = {
  run: async (args) => {
    const [example, rest] = args[0]?.startsWith('-') === false ? [args[0], args.slice(1)] : [undefined, args];
    const begun = performance.now();
    const status = await setUp(begun);
    if (status !== 0) return status;
    const setUpMs = performance.now() - begun;
    layPolicy(root, releaseFile(example));
    const code = await slipway('run', releaseFile(example), '--wait', ...rest);
    console.error(`set-up ${seconds(setUpMs)} · release ${seconds(performance.now() - begun - setUpMs)}`);
    return code;
  },
  test: async (args) => (await setUp()) || node('tools/check/main.mjs', 'test', ...args),
  /** Its halves for .ci/run: without the suites of systems, and those of the systems named. */
  core: async () => (await setUp()) || node('tools/check/main.mjs', 'core'),
  systems: async (names) => (await setUp()) || node('tools/check/main.mjs', 'systems', ...names),
  /** The same with the long suites. */
  all: async (args) => (await setUp()) || node('tools/check/main.mjs', 'all', ...args),
  /** Without services: what measures starts its own, and idle ones would only weigh on it. */
  bench: async (args) => {
    await prepare(PARTS);
    return node('bench/main.mjs', ...args);
  },
  check: async (args) => {
    await prepare([packages(root), build(root)]);
    return node('tools/check/main.mjs', 'check', ...args);
  },
  /** The suites that start clusters of Ray. */
  ray: async () => {
    await prepare([...PARTS, ...partsOf('ray')]);
    return node('tools/check/main.mjs', 'ray');
  },
  /** The suites that run a real Spack. People bring it: no registry has it. */
  spack: async () => {
    const checkout = process.env.SLIPWAY_SPACK ?? '';
    if (!existsSync(join(checkout, 'bin', 'spack'))) throw noSpack(checkout);
    await prepare(PARTS);
    return node('tools/check/main.mjs', 'spack');
  },
  laws: async (args) => {
    minutesOf(args);
    await prepare([packages(root)]);
    return node('tools/laws/main.mjs', ...args);
  },
  fuzz: async (args) => {
    argumentsOf(args);
    await prepare([packages(root), build(root)]);
    return node('tools/fuzz/main.mjs', ...args);
  },
  s3: async () => {
    await prepare([...PARTS, ...partsOf('s3')]);
    return slipway('up', '--store', 's3');
  },
  /** The server that asks for certificates: docs/security.md tells how it is started. */
  'tls-server': async () => {
    await prepare([...PARTS, ...partsOf('tls-server')]);
    return 0;
  },
  /** Three hosts in network namespaces, and a release across them. */
  hosts: async (args) => {
    await prepare([...PARTS, ...partsOf('hosts')]);
    return node('tools/hosts/main.mjs', ...args);
  },
  /** Starts nothing. Sets up what each release needs, then what the suites of these systems need, one after the other. */
  tools: async (systems) => {
    await prepare(PARTS);
    let status = 0;
    for (const system of systems) {
      await prepare(partsOf(system)).catch((error) => (status = tell(error)));
      stopIfAsked();
    }
    return status;
  },
  down: async () => {
    if (!existsSync(join(root, 'node_modules')) || !existsSync(join(root, 'dist', 'cli', 'main.js'))) {
      console.error('nothing was built here, so nothing is up');
      return 0;
    }
    return slipway('down');
  },
};

/** Everything that a release needs, services included. */
async function setUp(begun = performance.now()) {
  const made = await prepare(PARTS);
  console.error(made ? `set up in ${seconds(performance.now() - begun)}; services:` : 'everything is there; services:');
  return slipway('up');
}

async function prepare(parts) {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) throw oldNode(process.versions.node);
  let made = false;
  for (const one of parts) made = (await part(one)) || made;
  return made;
}

/** The example of package.json, or what was typed after `--`: a folder or a release file. */
function releaseFile(example) {
  const { config } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const named = example ?? config.example;
  return /\.ya?ml$/.test(named) ? named : join(named, 'slipway.yaml');
}

async function main([mode = 'run', ...args]) {
  const act = Object.hasOwn(MODES, mode) ? MODES[mode] : null;
  if (act === null) throw noSuchMode(mode);
  return act(args);
}

main(process.argv.slice(2)).then(
  (code) => (process.exitCode = code),
  (error) => (process.exitCode = tell(error)),
);
