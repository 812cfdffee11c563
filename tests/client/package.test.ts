/** @slow @needs temporal openssl */
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import type { Worker } from '@temporalio/worker';
import { connect } from '../../src/client/connect.js';
import { fail } from '../../src/model/failure.js';
import { aProblem, aSkeleton } from '../engine/a-skeleton.js';
import { PAGES, ROOT } from '../support/pages.js';
import { until } from '../support/until.js';
import { Consumer, type Env, type Said, well } from './a-consumer.js';
import { bundleWorkflows, makeWorker, startTemporal } from '../temporal-env.js';
import { keepMark } from './keep-mark.js';
import { type Door, openDoor } from './open-door.js';
import { ending, fakeActivities } from '../workflows/fake-activities.js';

/** With all that the package needs; the worker alone takes 244 MB. */
const MOST_BYTES = 60 * 1024 * 1024;
const EXAMPLES = join(ROOT, 'examples', 'client');

const consumer = new Consumer();
const { folder } = consumer;
let env: TestWorkflowEnvironment;
let worker: Worker;
let running: Promise<void>;
/** Makes the first attempt of the step `gate` fail. */
let fails = false;

const node = (argv: readonly string[], more: Env = {}): Promise<Said> => consumer.run(process.execPath, argv, more);
const slipway = (argv: readonly string[], more: Env = {}): Promise<Said> =>
  consumer.run(join(folder, 'node_modules', '.bin', 'slipway'), argv, more);
const server = () => ({ TEMPORAL_ADDRESS: env.address });

beforeAll(async () => {
  const [started, bundle] = await Promise.all([startTemporal(), bundleWorkflows(), consumer.install()]);
  env = started;
  const steps = [{ id: 'gate' }, { id: 'report', after: [0] }];
  const activities = fakeActivities(
    (file) => aSkeleton(steps, { name: file.endsWith('held.yaml') ? 'held' : 'skiff', rehearsal: true }),
    ({ step, attempt }) => {
      if (step === 'gate' && attempt === 1 && fails) throw fail(aProblem());
      return ending;
    },
  );
  worker = await makeWorker(env, bundle, activities);
  running = worker.run();
});
afterAll(async () => {
  worker?.shutdown();
  await running;
  await env?.teardown();
  rmSync(folder, { recursive: true });
});

const tsc = (...argv: readonly string[]): Promise<Said> =>
  consumer.run(join(ROOT, 'node_modules', '.bin', 'tsc'), [
    '--strict',
    '--target',
    'es2022',
    '--types',
    'node',
    ...argv,
  ]);

test('given the installed package, then it has no worker, and all of it together is small', () => {
  const modules = join(folder, 'node_modules');
  const files = readdirSync(modules, { recursive: true, encoding: 'utf8' });
  expect(files.filter((name) => /core-bridge|@temporalio\/worker|@aws-sdk|\.(ts\.map|js\.map|tsbuildinfo)$/.test(name) && name.startsWith('slipway'))).toEqual([]); // prettier-ignore
  expect(existsSync(join(modules, '@temporalio', 'worker'))).toBe(false);
  const bytes = files.map((name) => statSync(join(modules, name))).reduce((sum, { size }) => sum + size, 0);
  expect(bytes).toBeLessThan(MOST_BYTES);
});

test('given the installed package, then it has its page, and the licence of each package that is bundled', () => {
  const own = join(folder, 'node_modules', 'slipway');
  expect(readFileSync(join(own, 'docs', 'client.md'), 'utf8')).toMatch(/^# The client\n/);
  const told = readFileSync(join(own, 'dist-cli', 'licences.txt'), 'utf8');
  const licences = told.split(/^-{80}$/m).map((text) => text.trim());
  for (const name of ['commander', 'commonmark', 'yaml', '@temporalio/client', '@grpc/grpc-js'])
    expect(licences.find((text) => text.startsWith(`${name} `))).toMatch(/^\S+ \d\S* \(.+\)\n\n[^]{500}/);
});

const BOTH = ['src/release.mts', 'src/retry-held.cts'];
let compiled: Promise<Said> | null = null;
/** Compiles the examples once. */
const compile = (): Promise<Said> => (compiled ??= tsc('--module', 'node16', '--outDir', 'out', ...BOTH));

test.each([
  ['node16', compile],
  ['nodenext', () => tsc('--module', 'nodenext', '--noEmit', ...BOTH)],
] as const)(
  'given module %s, then the examples compile, also where tsc checks the types of packages',
  async (_, said) => {
    expect(await said()).toMatchObject({ out: '', code: 0 });
  },
);

test('given a bundler, then the example compiles', async () => {
  const bundler = ['--module', 'esnext', '--moduleResolution', 'bundler', '--noEmit'];
  expect(await tsc(...bundler, 'src/release.mts')).toMatchObject({ out: '', code: 0 });
});

test('given a wrong option, then tsc refuses it', async () => {
  writeFileSync(join(folder, 'wrong.mts'), `import { connect } from 'slipway';\nawait connect({ hom: 'x' });\n`);
  expect((await tsc('--module', 'nodenext', '--noEmit', '--skipLibCheck', 'wrong.mts')).out).toContain(
    "'hom' does not exist",
  );
});

test('given an ES module and a CommonJS one, then both see the same names', async () => {
  const names = "['SlipwayFailure','connect'].every((name) => name in all)";
  const esm = `import * as all from 'slipway'; import { connect } from 'slipway/client'; console.log(${names}, connect === all.connect)`;
  expect(await well(node(['--input-type=module', '-e', esm]))).toBe('true true\n');
  const cjs = `const all = require('slipway'); console.log(${names}, require('slipway/package.json').name)`;
  expect(await well(node(['-e', cjs]))).toBe('true slipway\n');
});

test('given a client that has asked, then neither the worker nor zod is loaded', async () => {
  const script = `
    const { connect } = require('slipway/client');
    connect().then(async (client) => {
      await client.runs(1);
      await client.close();
      const heavy = /node_modules.(zod|yaml|@temporalio.(worker|core-bridge|workflow))./;
      console.log(Object.keys(require.cache).filter((file) => heavy.test(file)));
    });`;
  expect(await well(node(['-e', script], server()))).toBe('[]\n');
});

test('given a client of a newer build than the worker, then the run ends with a code and what to do', async () => {
  const client = await connect({ address: env.address });
  const run = await client.start({ file: '/p/slipway.yaml', name: 'skiff', version: '9', rehearsal: true, engine: 99 });
  expect((await client.result(run.workflowId)).problems).toMatchObject([
    { code: 'ENGINE_UNKNOWN', next: expect.stringContaining('start workers of that build') as string },
  ]);
  await client.close();
});

describe('given the compiled examples', () => {
  beforeAll(async () => {
    await well(compile());
  });

  test('when one starts a release, then it follows it to its end', async () => {
    const out = await well(node(['out/release.mjs', '/p/slipway.yaml', 'skiff', '1.0'], server()));
    expect(out).toMatch(/^ended 2 steps\nrehearsed/m);
  });

  test('when the example for CI starts it, then its exit code is that of the run', async () => {
    const said = await node(['start-release.mjs', '/p/slipway.yaml', 'skiff', '1.0'], server());
    expect(said).toMatchObject({ code: 0, out: expect.stringContaining('rehearsed  2 of 2 steps') as string });
  });

  test('when a run is held, then one tries it again, and the command line shows its end by its name', async () => {
    fails = true;
    const client = await connect({ address: env.address });
    const { workflowId, run: id } = await client.start({ file: '/p/held.yaml', name: 'held', version: '1.0', rehearsal: true }); // prettier-ignore
    await until(async () => (await client.runs(5)).some(({ state }) => state === 'held'));
    expect(await well(node(['out/retry-held.cjs'], server()))).toMatch(/^rehearsal\/held\/1\.0 /);
    expect((await client.result(workflowId, id)).verdict).toMatchObject({ verdict: 'rehearsed' });
    await client.close();
    expect(await well(slipway(['status', 'held'], server()))).toContain('rehearsed  held 1.0');
    expect(await well(slipway(['runs', 'held'], server()))).toMatch(/^rehearsal\/held\/1\.0 +rehearsed /m);
  });

  test('when no server is named, then they say what to type', async () => {
    for (const argv of [
      ['out/release.mjs', 'f', 'n', '1'],
      ['out/retry-held.cjs'],
      ['start-release.mjs', '/f', 'n', '1'],
    ])
      expect(await node(argv)).toMatchObject({ code: 1, err: expect.stringContaining('SERVICES_DOWN') as string });
    expect((await slipway(['runs'])).err).toMatch(/^ {2}SERVICES_DOWN .*\n {2}next: .*\n$/);
  });
});

describe('given the files of CI systems, and a server that asks for certificates and has a mark', () => {
  let door: Door;
  beforeAll(async () => {
    fails = false;
    [door] = await Promise.all([openDoor(env.address, join(folder, 'door')), keepMark(env.connection, 'team')]);
  });
  afterAll(async () => {
    door.close();
    await keepMark(env.connection, '');
  });
  const asked = () => ({
    ...{ SLIPWAY_MARK: 'team', TEMPORAL_ADDRESS: door.address, TEMPORAL_TLS_SERVER_NAME: 'temporal' },
    ...{ RELEASE_FILE: '/p/slipway.yaml', RELEASE_NAME: 'skiff', RELEASE_VERSION: '1.0' },
  });
  const steps = (file: string, more: Env = {}): Promise<Said> =>
    node([join(ROOT, 'examples', 'ci', 'run-steps.mjs'), join(ROOT, 'examples', 'ci', file)], {
      ...{ SLIPWAY_TARBALL: consumer.tarball, npm_config_prefer_offline: 'true' },
      ...asked(),
      ...more,
    });
  const [GITHUB, BUILDKITE, GITLAB] = ['.github/workflows/release.yml', '.buildkite/pipeline.yml', '.gitlab-ci.yml'];

  test('when their steps are run, then each starts a release and follows it to its end', async () => {
    const runs = [steps(GITHUB!, door.texts), steps(BUILDKITE!, door.texts), steps(GITLAB!, door.paths)];
    for (const out of await Promise.all(runs.map(well))) expect(out).toMatch(/ {2}rehearsed {2}2 of 2 steps\n$/);
  });

  test('when a secret is an empty text, or the mark is another, then their program fails with a code', async () => {
    const empty = Object.fromEntries(Object.keys(door.texts).map((name) => [name, '']));
    const refused = [empty, { ...door.paths, SLIPWAY_MARK: 'others' }].map((more) =>
      node(['start-release.mjs'], { ...asked(), ...more }),
    );
    expect((await Promise.all(refused)).map(({ code, err }) => [code, /^SERVER_\w+/m.exec(err)?.[0]])).toEqual([
      [1, 'SERVER_UNREACHABLE'],
      [1, 'SERVER_FOREIGN'],
    ]);
  });

  test('when keys of payloads are given as a text, then the client takes them', async () => {
    const argv = ['start-release.mjs', '/p/slipway.yaml', 'skiff', '1.0'];
    expect((await node(argv, { ...server(), CODEC_KEYS: 'no key' })).err).toMatch(
      /^CODEC_KEY_MALFORMED: .*\$CODEC_KEYS/,
    );
  });
});

const UNTOUCHED = join(folder, 'untouched');

test.each([
  ...[['up'], ['doctor'], ['worker', 'start', '--queues', 'linux-x86_64']].map((argv) => [argv, UNTOUCHED] as const),
  [['doctor'], ''] as const,
])(
  'given %j in the package and the home %j, then it says that it needs the checkout, and writes nothing',
  async (argv, home) => {
    const { code, err } = await slipway(argv, { SLIPWAY_HOME: home });
    expect({ code, err }).toEqual({
      code: expect.any(Number) as number,
      err: expect.stringMatching(
        /^ {2}NEEDS_CHECKOUT \(config\) .*\n {2}next: Type the same command in the checkout/,
      ) as string,
    });
    expect(code).not.toBe(0);
    expect(existsSync(UNTOUCHED)).toBe(false);
  },
);

describe('given the package, and no SLIPWAY_HOME', () => {
  const none = { SLIPWAY_HOME: '' };
  afterEach(() => expect(existsSync(join(folder, 'node_modules', 'slipway', '.slipway'))).toBe(false));

  test('when a release is checked and planned, then neither needs a home', async () => {
    const file = join(folder, 'slipway.yaml');
    writeFileSync(file, "slipway: 1\nrelease: { name: skiff, version: '1.0' }\nsource: { sdist: skiff==1.0, sha256: " + 'a'.repeat(64) + ' }\nplatforms: [linux-x86_64]\npythons: [cp311]\nwheels: { skiff: {} }\npublish: { index: { kind: python, files: [wheels/*] } }\n'); // prettier-ignore
    await well(slipway(['check', file], none));
    expect(await well(slipway(['plan', file], none))).toContain('wheels/skiff/cp311/linux-x86_64');
  });

  test('when TEMPORAL_ADDRESS names a server, then commands and the client ask it', async () => {
    await well(slipway(['runs'], { ...none, ...server() }));
    const script = "require('slipway').connect().then((client) => client.close())";
    await well(node(['-e', script], { ...none, ...server() }));
  });

  test.each([[['runs']], [['run', 'slipway.yaml']], [['cache', 'status']]])(
    'when %j is typed, then it says that no home is named',
    async (argv) => {
      expect((await slipway(argv, none)).err).toMatch(/^ {2}HOME_NOT_NAMED \(config\) .*\n {2}next: Set SLIPWAY_HOME/m);
    },
  );
});

test('given the blocks of TypeScript in documents, then each is one of these examples', () => {
  const examples = readdirSync(EXAMPLES).map((name) => readFileSync(join(EXAMPLES, name), 'utf8'));
  const blocks = PAGES.flatMap((page) =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, text]) => ({
      page,
      text,
    })),
  );
  expect(blocks.filter(({ text }) => !examples.includes(text!)).map(({ page }) => page)).toEqual([]);
  expect(blocks).not.toEqual([]);
});
