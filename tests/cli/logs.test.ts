import { Readable } from 'node:stream';
import { meantStep } from '../../src/cli/find-log.js';
import { logs } from '../../src/cli/commands/logs.js';
import { createLogReader } from '../../src/adapters/logs/reader.js';
import { createLogWriter } from '../../src/adapters/logs/writer.js';
import { createDirectoryStore } from '../../src/adapters/store/directory.js';
import { records } from '../../src/model/run-folder.js';
import type { SlipwayFailure } from '../../src/model/failure.js';
import { aPlan, aResult, aStep, newHome } from '../support/run-body.js';
import { fakeIo, fakePorts } from './fake-ports.js';

const STEP = 'wheels/skiff/cp312/linux-x86_64';

async function setUp() {
  const store = createDirectoryStore(await newHome());
  const abort = new AbortController();
  const ports = {
    ...fakePorts({ store }),
    logs: () => Promise.resolve(createLogReader(store)),
    interrupt: () => abort.signal,
  };
  const started = (run: string, at: string) =>
    store.create(records.started(run), { run, at, plan: null, workflowId: `release/skiff/${run}` });
  const log = async (run: string, step: string, attempt: number, text: string) => {
    const writer = createLogWriter(store, records.log(run, step, attempt));
    writer.write(text);
    await writer.close();
  };
  const ask = async (args: Record<string, string>, options: Record<string, string | boolean> = {}, io = fakeIo()) => {
    const code = await logs.run({ args, options }, io, ports);
    return { code, printed: io.printed.join(''), chatter: io.chatter.join('') };
  };
  return { store, abort, started, log, ask };
}

test('given several runs and attempts, then the newest is shown, older ones by name, without a server', async () => {
  const { started, log, ask } = await setUp();
  await started('new', '2026-02-01T00:00:00.000Z');
  await started('old', '2026-01-01T00:00:00.000Z');
  await log('new', STEP, 1, 'first\n');
  await log('new', STEP, 2, 'second\n');
  await log('old', STEP, 1, 'old\n');
  expect(await ask({ step: STEP })).toMatchObject({ code: 0, printed: 'second\n' });
  expect(await ask({ step: 'cp312' })).toMatchObject({ printed: 'second\n' });
  expect(await ask({ step: STEP }, { attempt: '1' })).toMatchObject({ printed: 'first\n' });
  expect(await ask({ step: STEP }, { run: 'release/skiff/old' })).toMatchObject({ printed: 'old\n' });
  expect((await ask({})).printed).toBe(`${STEP}  (2 attempts)`);
});

test('given attempts that lost workers had begun, then each is an attempt with a log of its own', async () => {
  const { store, started, ask } = await setUp();
  await started('run', '2026-01-01T00:00:00.000Z');
  for (const [attempt, delivery] of [
    [1, 1],
    [1, 2],
    [2, 1],
    [2, 3],
  ] as const) {
    const writer = createLogWriter(store, records.log('run', STEP, attempt, delivery));
    writer.write(`${attempt}.${delivery}\n`);
    await writer.close();
  }
  const printed = (attempt: string) => ask({ step: STEP }, { attempt }).then((asked) => asked.printed);
  expect(await Promise.all(['1', '2', '3', '5'].map(printed))).toEqual(['1.1\n', '1.2\n', '2.1\n', '2.3\n']);
  await expect(ask({ step: STEP }, { attempt: '4' })).rejects.toMatchObject({ first: { code: 'NO_ATTEMPT' } });
  expect((await ask({ step: STEP })).printed).toBe('2.3\n');
});

test('given a reused step, then the log of the run that made it is shown', async () => {
  const { store, started, log, ask } = await setUp();
  await started('again', '2026-02-01T00:00:00.000Z');
  const made = aResult({ id: STEP, kind: 'buildWheel' });
  await log(made.made.run, STEP, 1, 'built then\n');
  await store.create(records.result('again', STEP), made);
  expect(await ask({ step: STEP })).toMatchObject({
    printed: 'built then\n',
    chatter: expect.stringContaining('Reused'),
  });
});

test('given --follow, then it continues with the next attempt, also after a lost worker, and ends with the step', async () => {
  const { store, started, ask } = await setUp();
  await started('run', '2026-01-01T00:00:00.000Z');
  const died = createLogWriter(store, records.log('run', STEP, 1));
  died.write('x'.repeat(70_000));
  await died.ready();
  while ((await store.list('runs/run/logs/')).length === 0) await new Promise((next) => setImmediate(next));
  const io = fakeIo();
  const following = ask({ step: STEP }, { follow: true }, io);
  while (io.printed.length === 0) await new Promise((next) => setImmediate(next));
  const second = createLogWriter(store, records.log('run', STEP, 1, 2));
  second.write('done\n');
  await second.close();
  await store.create(records.result('run', STEP), aResult({ id: STEP, kind: 'buildWheel' }));
  expect((await following).printed).toBe(`${'x'.repeat(70_000)}\ndone\n`);
});

test('given --follow, when the user presses Ctrl-C, then it ends', async () => {
  const { abort, started, log, ask } = await setUp();
  await started('run', '2026-01-01T00:00:00.000Z');
  await log('run', STEP, 1, 'text\n');
  const following = ask({ step: STEP }, { follow: true });
  setImmediate(() => abort.abort());
  expect((await following).code).toBe(0);
});

test.each([
  ['nothing', {}, 'NO_LOG'],
  ['linux', {}, 'MANY_STEPS'],
  [STEP, { attempt: '7' }, 'NO_ATTEMPT'],
  [STEP, { run: 'other' }, 'UNKNOWN_RUN'],
])('given the step %s and the options %j, then the error is %s', async (step, options, code) => {
  const { started, log, ask } = await setUp();
  await started('run', '2026-01-01T00:00:00.000Z');
  await log('run', STEP, 1, 'x');
  await log('run', STEP.replace('312', '311'), 1, 'x');
  await expect(ask({ step }, options)).rejects.toMatchObject({ first: { code } });
});

test('given a step of the plan that has not begun, then the next command says what it waits for', async () => {
  const { store, ask } = await setUp();
  const steps = [aStep('runCommand', {} as never, { id: 'tests/sail/cp312' })];
  const { digest } = await store.put(Readable.from([Buffer.from(JSON.stringify(aPlan({ steps })))]));
  const at = '2026-01-01T00:00:00.000Z';
  await store.create(records.started('run'), { run: 'run', at, plan: digest, workflowId: 'release/skiff/run' });
  const next = (step: string) => ask({ step }).catch((error: SlipwayFailure) => error.first);
  expect(await next('sail')).toMatchObject({ code: 'NO_LOG', next: expect.stringContaining('`slipway why sail`') });
  expect(await next('keel')).toMatchObject({ code: 'NO_LOG', next: expect.stringContaining('`slipway status`') });
});

test("given the beginning of a step's name, then it wins over a match inside another name", async () => {
  const { started, log, ask } = await setUp();
  await started('new', '2026-02-01T00:00:00.000Z');
  await log('new', STEP, 1, 'built\n');
  await log('new', 'publish/index/wheels.skiff.cp312', 1, 'uploaded\n');
  expect(await ask({ step: 'wheels' })).toMatchObject({ code: 0, printed: 'built\n' });
});

test("given the name of an entry that begins another's name, then it means its own step", () => {
  const known = ['deps/build-tool/cp311', 'deps/build/cp311', 'publish/index/deps/build'];
  expect(meantStep(known, 'deps/build', 'run')).toBe('deps/build/cp311');
  expect(() => meantStep(known, 'deps/b', 'run')).toThrow('part of the ids of 2 steps');
});
