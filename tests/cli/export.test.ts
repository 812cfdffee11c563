import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { artifacts } from '../../src/cli/commands/artifacts.js';
import { viewOf, type RunFacts, type ViewFile } from '../../src/cli/artifacts/view.js';
import { writeView } from '../../src/cli/artifacts/write-view.js';
import { createLogReader } from '../../src/adapters/logs/reader.js';
import { once } from '../../src/adapters/facts/index.js';
import type { Artifact } from '../../src/model/artifact.js';
import type { RunStatus, StepStatus } from '../../src/model/messages.js';
import type { Step } from '../../src/model/plan.js';
import type { Ports } from '../../src/cli/ports.js';
import type { Result } from '../../src/model/result.js';
import { records } from '../../src/model/run-folder.js';
import { canonical } from '../../src/model/json.js';
import { expectGolden } from '../support/golden.js';
import { aPlan, anArtifact, aResult, aStep, newHome, realSurroundings, sha256 } from '../support/run-body.js';
import { fakeIo } from './fake-ports.js';

const RUN = '01a1fe7c-0000-7000-8000-000000000001';
const T0 = Date.parse('2026-11-22T02:30:00Z');

const step = (id: string, axes: Record<string, string> = {}): Step =>
  aStep('runCommand', {} as never, { id, axes }) as unknown as Step;
const state = (id: string, seconds: number, more: Partial<StepStatus> = {}): StepStatus => ({
  ...{ id, kind: 'runCommand', stage: 'steps', state: 'done', attempt: 1, startedAt: T0 + seconds * 1000 },
  ...more,
});
const PROBLEM = {
  ...{ code: 'STEP_COMMAND_FAILED', class: 'product' as const, next: 'Fix it.' },
  message: 'the command of steps/load/b ended with status 3',
  ...{ evidence: ['no such host', 'bell \u0007'], details: { exitCode: 3 } },
};

/** A run as its store holds it: a preparation with logs of two attempts, an entry of four, and a clean-up. */
async function aRun(settings = false) {
  const around = realSurroundings(await newHome());
  const { store, home } = around;
  const parts = ['a', 'b', 'c', 'd'];
  const steps = [
    ...[step('source/night'), step('steps/clean'), step('steps/prepare')],
    ...parts.map((part) => step(`steps/load/${part}`, { part, size: '1.0' })),
    step('steps/never'),
  ];
  const record = settings ? { settings: (await store.put(once('{"document":{}}'))).digest } : {};
  const plan = { ...aPlan({ steps, release: { name: 'night', version: 'n1' }, pipeline: true }), ...record };
  const { digest } = await around.store.put(once(canonical(plan)));
  const status: RunStatus = {
    ...{ workflowId: 'pipeline/night/n1', run: RUN, plan: digest, name: 'night', version: 'n1', rehearsal: false },
    ...{ state: 'ended', startedAt: T0, endedAt: T0 + 61_000, problems: [] },
    verdict: { verdict: 'failed', reasons: ['steps/load/b: the command ended with status 3'] },
    steps: [
      state('source/night', 0),
      state('steps/prepare', 1, { attempt: 2 }),
      state('steps/load/b', 5, { state: 'failed', problems: [PROBLEM] }),
      state('steps/load/a', 5, { state: 'cached' }),
      state('steps/load/c', 9, {
        state: 'cancelled',
        because: 'steps/load/b failed, and its entry says onFailure: stop',
      }),
      {
        ...state('steps/load/d', 0, { state: 'cancelled', attempt: 0 }),
        startedAt: undefined,
      } as unknown as StepStatus,
      state('steps/clean', 60),
      { ...state('steps/never', 0, { state: 'skipped' }), startedAt: undefined } as unknown as StepStatus,
    ],
  };
  const print = async (run: string, id: string, attempt: number, text: string): Promise<void> => {
    const log = around.openLog(records.log(run, id, attempt));
    log.note('begins');
    log.write(text);
    await log.close();
  };
  const keep = async (id: string, made: Partial<Result['made']>, files: readonly Artifact[] = []): Promise<void> => {
    const result = aResult({ id, kind: 'runCommand' }, { artifacts: files, facts: { exitCode: 0 } });
    await store.create(records.result(RUN, id), { ...result, made: { ...result.made, run: RUN, ...made } });
  };
  const file = (name: string, bytes: string, more: Partial<Artifact> = {}) => anArtifact(home, name, bytes, more);
  await keep('source/night', {}, [await file('source.tar', 'tar')]);
  await print(RUN, 'steps/prepare', 1, 'no route\n');
  await print(RUN, 'steps/prepare', 2, 'ready \u001b[31mred\u001b[0m\u0007\nslipway: forged');
  const two = [await file('run.log', 'theirs'), await file('a.json', '1'), await file('a.json', '2')];
  await keep('steps/prepare', {}, [...two, await file('tool', '', { kind: 'image' })]);
  await print('01a1fe7c-0000-7000-8000-000000000000', 'steps/load/a', 1, 'an earlier night\n');
  await keep('steps/load/a', { run: '01a1fe7c-0000-7000-8000-000000000000' }, [await file('kpis.json', '{}')]);
  await print(RUN, 'steps/load/b', 1, 'no such host\n');
  await print(RUN, 'steps/load/c', 1, 'cleaned up\n');
  await keep('steps/clean', {});
  await store.create(records.status(RUN), status);
  return { around, store };
}

/** Every file below a folder with its content, one text. Refuses links. */
function treeText(folder: string, below = ''): string {
  return readdirSync(join(folder, below))
    .toSorted()
    .map((name) => {
      const path = join(below, name);
      const found = lstatSync(join(folder, path));
      if (found.isSymbolicLink()) throw new Error(`${path} is a link`);
      if (found.isDirectory()) return treeText(folder, path);
      return `== ${path}\n${readFileSync(join(folder, path), 'utf8')}\n`;
    })
    .join('');
}

const aFolder = (): string => mkdtempSync(join(tmpdir(), 'slipway-export-'));

function portsOf({ store }: Awaited<ReturnType<typeof aRun>>): Ports {
  const logs = createLogReader(store);
  return {
    ...{ env: {}, hash: sha256, store: async () => store },
    screens: {
      a: { settings: { word: 'a', changed: () => [], files: async () => ({ 'config.yaml': 'never: asked\n' }) } },
    },
    services: async () => ({ address: () => null }),
    logs: async () => logs,
    writeView,
  } as unknown as Ports;
}

async function typed(run: Awaited<ReturnType<typeof aRun>>, word: string, options: Record<string, string | boolean>) {
  const io = fakeIo();
  await artifacts.run({ args: { step: word }, options: { out: '.', ...options } }, io, portsOf(run));
  return io.printed.join('\n');
}

test('given a run, when it is exported twice, then both folders hold the same bytes, in folders by first start', async () => {
  const run = await aRun();
  const folder = aFolder();
  const [one, two] = [join(folder, 'new', 'one'), join(folder, 'two')];
  mkdirSync(two);
  expect(await typed(run, 'export', { out: one })).toBe(one);
  await typed(run, 'export', { out: two });
  const text = treeText(one);
  expect(treeText(two)).toBe(text);
  expectGolden('cli/export.txt', text.replaceAll(/, attempt \d+ on .*/g, ''));
  expect(readdirSync(join(folder, 'new'))).toEqual(['one']);
});

test('given `tree`, then it prints the paths of an export, and `--json` the same', async () => {
  const run = await aRun();
  const out = join(aFolder(), 'out');
  await typed(run, 'export', { out });
  const written = treeText(out)
    .match(/(?<=^== ).*/gm)!
    .toSorted();
  expect((await typed(run, 'tree', {})).split('\n').toSorted()).toEqual(written);
  expect((JSON.parse(await typed(run, 'tree', { json: true })) as string[]).toSorted()).toEqual(written);
});

test('given a plan with settings, then features say which files tell them', async () => {
  const run = await aRun(true);
  expect((await typed(run, 'tree', {})).split('\n').slice(0, 4)).toEqual([
    'STARTED',
    'FINISHED',
    'FAILURES',
    'config.yaml',
  ]);
});

describe('given a folder that is taken, then nothing is written', () => {
  const files: readonly ViewFile[] = [{ path: 'STARTED', content: 'now\n' }];
  const reads = {
    store: { fetch: () => Promise.reject(new Error('no bytes')) },
    logs: { pieces: async function* () {}, read: async function* () {} },
  };
  const write = (to: string, what = files) => writeView(to, what, reads as never);

  test('a folder with a file', async () => {
    const folder = aFolder();
    writeFileSync(join(folder, 'mine'), '1');
    await expect(write(folder)).rejects.toThrow('EXPORT_FOLDER_TAKEN');
    expect(readdirSync(folder)).toEqual(['mine']);
  });

  test('a file, a link to an empty folder, a link to nothing, the working folder', async () => {
    const folder = aFolder();
    writeFileSync(join(folder, 'file'), '1');
    mkdirSync(join(folder, 'empty'));
    symlinkSync('empty', join(folder, 'link'));
    symlinkSync('nothing', join(folder, 'dangling'));
    for (const name of ['file', 'link', 'dangling'])
      await expect(write(join(folder, name))).rejects.toThrow('EXPORT_FOLDER_TAKEN');
    await expect(write('.')).rejects.toThrow('EXPORT_FOLDER_TAKEN');
    expect(readdirSync(folder).toSorted()).toEqual(['dangling', 'empty', 'file', 'link']);
    expect(readdirSync(join(folder, 'empty'))).toEqual([]);
  });

  test('a link or a file that takes its place meanwhile', async () => {
    for (const take of [
      (to: string) => symlinkSync('elsewhere', to),
      (to: string) => writeFileSync(to, '1'),
      (to: string) => (mkdirSync(to), writeFileSync(join(to, 'x'), '1')),
    ]) {
      const folder = aFolder();
      mkdirSync(join(folder, 'elsewhere'));
      const to = join(folder, 'out');
      const late = { ...reads, store: { fetch: async () => take(to) } };
      const slow: readonly ViewFile[] = [...files, { path: 'a/b', content: { digest: sha256('x') } }];
      await expect(writeView(to, slow, late as never)).rejects.toThrow('EXPORT_FOLDER_TAKEN');
      expect(readdirSync(folder).toSorted()).toEqual(['elsewhere', 'out']);
      expect(readdirSync(join(folder, 'elsewhere'))).toEqual([]);
    }
  });

  test('when bytes are gone, then no folder is left', async () => {
    const folder = aFolder();
    const to = join(folder, 'out');
    await expect(write(to, [...files, { path: 'a/b', content: { digest: sha256('x') } }])).rejects.toThrow('no bytes');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('while it is written, then the name it will have is absent, and a killed export has another', async () => {
    const folder = aFolder();
    const to = join(folder, 'out');
    const seen: unknown[] = [];
    const look = { ...reads, store: { fetch: async () => void seen.push(existsSync(to), readdirSync(folder)) } };
    await writeView(to, [{ path: 'a/b', content: { digest: sha256('x') } }], look as never);
    expect(seen).toEqual([false, [expect.stringMatching(/^\.out\.unfinished-\w{6}$/)]]);
  });
});

/** Names that a plan of a foreign store, or a worker, may say. */
const anyName = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.constantFrom(
    '..',
    '.',
    '',
    '/',
    '../../x',
    'run.log',
    '000__x',
    '-rf',
    'a\u0000b',
    '\u202egnp',
    'x'.repeat(400),
    'CON',
  ),
);

test('given entries and files of any name, then each path is safe, and no two are the same', () => {
  const digest = sha256('x');
  fc.assert(
    fc.property(fc.array(fc.tuple(anyName, anyName, anyName, anyName), { maxLength: 6 }), (names) => {
      const steps = names.map(([section, name, axis], at) => step(`${section}/${name}/${at}`, { [axis]: name }));
      const results = new Map(
        steps.map(({ id }, at) => {
          const made = names[at]!.map((name): Artifact => ({ digest, kind: 'file', name, size: 1, labels: {} }));
          return [id, aResult({ id, kind: 'runCommand' }, { artifacts: made })];
        }),
      );
      const kept = { exitCode: '3', kept: [null, 1, { digest: 'x', name: 'a' }, { digest, name: names[0]?.[0] }] };
      const failed = { state: 'failed' as const, problems: [{ ...PROBLEM, details: kept as never }] };
      const status = {
        run: RUN,
        startedAt: T0,
        steps: steps.map(({ id }) => state(id, 1, failed)),
      } as unknown as RunStatus;
      const facts: RunFacts = { plan: aPlan({ steps }), status, results, logs: new Map(), settings: {} };
      const paths = viewOf(facts, sha256).map(({ path }) => path);
      expect(new Set(paths).size).toBe(paths.length);
      for (const part of paths.flatMap((path) => path.split('/'))) {
        expect(part).toMatch(/^(?!\.{0,2}$)(?!-)[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\\]+$/u);
        expect(Buffer.byteLength(part)).toBeLessThanOrEqual(255);
      }
      expect(paths.every((path) => path.split('/').length <= 3)).toBe(true);
    }),
    { seed: 31, numRuns: 100 },
  );
});

test('given more than a thousand entries, then their numbers have as many digits as they need', () => {
  const steps = Array.from({ length: 1001 }, (_, at) => step(`steps/s${at}`));
  const status = {
    run: RUN,
    startedAt: T0,
    steps: steps.map(({ id }, at) => state(id, 2000 - at)),
  } as unknown as RunStatus;
  const paths = viewOf({ plan: aPlan({ steps }), status, results: new Map(), logs: new Map(), settings: {} }, sha256);
  expect(paths[1]!.path).toBe('0000__steps__s1000/settings.yaml');
  expect(paths.at(-1)!.path).toBe('1000__steps__s0/settings.yaml');
});

test('given a status that was too large, then results say when steps began, and the rest is in the order of the plan', () => {
  const steps = ['steps/x', 'steps/y', 'steps/z'].map((id) => step(id));
  const at = (id: string, seconds: number): [string, Result] => {
    const result = aResult({ id, kind: 'runCommand' });
    return [
      id,
      { ...result, made: { ...result.made, run: RUN, ms: 1000, at: new Date(T0 + seconds * 1000).toISOString() } },
    ];
  };
  const status = { run: RUN, startedAt: T0, steps: [] } as unknown as RunStatus;
  const results = new Map([at('steps/y', 3), at('steps/z', 2)]);
  const logs = new Map([['steps/x', ['log']]]);
  const files = viewOf({ plan: aPlan({ steps }), status, results, logs, settings: {} }, sha256);
  expect([...new Set(files.slice(1).map(({ path }) => path.split('/')[0]))]).toEqual([
    ...['000__steps__z', '001__steps__y', '002__steps__x'],
  ]);
});
