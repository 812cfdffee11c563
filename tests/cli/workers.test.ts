import { worker } from '../../src/cli/commands/worker.js';
import { workers } from '../../src/cli/commands/workers.js';
import { changes } from '../../src/cli/render/changes.js';
import type { ServicesPort } from '../../src/cli/ports.js';
import type { WorkerHeartbeat } from '../../src/client/index.js';
import type { FleetView } from '../../src/cli/fleet.js';
import { withProof, type Proofs } from '../../src/model/proof.js';
import type { SlipwayFailure } from '../../src/model/failure.js';
import { workerRecords, type Announcement, type WorkerRecord } from '../../src/model/worker.js';
import { inTheMiddle } from './a-run.js';
import { fakeClient, fakeIo, fakePointers, fakePorts, fakeStore } from './fake-ports.js';

const announcement = (worker: string): Announcement => ({
  ...{
    worker,
    instance: '1',
    machine: 'linux-x86_64',
    libc: null,
    lookedFor: [],
    bare: {},
    slots: 2,
    build: '',
    at: '',
  },
  queue: worker.split('@')[0]!,
  host: 'box',
  tools: { gcc: '12.2' },
  pythons: { cp312: '3.12.1' },
  can: ['host'],
});
const NAMES = ['control@box', 'gpu@box', 'gpu@far'];
const known = () =>
  fakeStore(
    Object.fromEntries(
      NAMES.map((name) => [workerRecords.announcement(name.split('@')[0]!, name, '1'), announcement(name)]),
    ),
  );
const beat = (worker: string, over: Partial<WorkerHeartbeat> = {}): WorkerHeartbeat => ({
  ...{ identity: `${worker}/1`, queue: worker.split('@')[0]!, host: 'box', atMs: 5000, startedMs: 1000 },
  ...{ running: true, used: 1, free: 1, pollers: 1, silent: false },
  ...over,
});

function world(beats: readonly WorkerHeartbeat[] = []) {
  const pointers = fakePointers();
  const client = { ...fakeClient([]), workers: () => Promise.resolve(beats) };
  const ports = fakePorts({ client, pointers, store: known() });
  const record = (name: string) => pointers.read<WorkerRecord>(workerRecords.action(name));
  const say = (action: string, name?: string) =>
    worker.run({ args: { action, name }, options: { reason: 'too warm' } }, fakeIo(), ports);
  return { ports, record, say };
}
const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (error: SlipwayFailure) => error.first.code,
  );

test('given workers, then each is listed with queue, slots and tools, silent ones and unserved queues too', async () => {
  const { ports, say } = world([beat('control@box'), beat('gpu@box', { silent: true, used: 2, free: 0 })]);
  await say('quarantine', 'gpu@far');
  const io = fakeIo();
  expect(await workers.run({ args: {}, options: {} }, io, ports)).toBe(0);
  const lines = io.printed.join('\n').split('\n');
  expect(lines[1]).toMatch(/^control +control@box +serving +1 of 2 +1 +host +gcc 12\.2, cp312$/);
  expect(lines[2]).toMatch(/gpu@box +silent since 1970-01-01T00:00:05Z +2 of 2/);
  expect(lines[3]).toMatch(/gpu@far +quarantined: too warm/);
  expect(lines.slice(4).join('\n')).toMatch(/Served by nobody; who could\n +linux-x86_64: .*worker start.*\n +gpu: /);
});

test('given a queue with several workers, then their number and slots are summed', async () => {
  const { ports } = world([
    beat('control@box'),
    beat('gpu@box'),
    beat('gpu@far', { used: 4 }),
    beat('gpu@old', { silent: true }),
  ]);
  const io = fakeIo();
  await workers.run({ args: {}, options: {} }, io, ports);
  expect(io.printed.join('\n')).toContain('\nIn all\n  gpu: 2 workers, 7 slots\n');
});

test('given a worker that this store does not know, then it is marked', async () => {
  const { ports } = world([beat('control@other')]);
  const io = fakeIo();
  await workers.run({ args: {}, options: {} }, io, ports);
  expect(io.printed.join('\n')).toContain('not announced in this store');
});

test('given actions, then they are numbered; given a host, then all its queues get the action', async () => {
  const { say, record } = world();
  await say('drain', 'box');
  await say('quarantine', 'gpu@box');
  expect(await record('control@box')).toMatchObject({ no: 1, action: 'drain' });
  expect(await record('gpu@box')).toMatchObject({ no: 2, action: 'quarantine', reason: 'too warm' });
  expect(await record('gpu@far')).toBeNull();
});

test.each([
  ['an unknown worker', 'drain', 'gpu@nowhere', 'UNKNOWN_WORKER'],
  ['no name', 'release', undefined, 'UNKNOWN_WORKER'],
  ['something else', 'praise', 'gpu@box', 'WORKER_ACTION_UNKNOWN'],
  ['a start without queues', 'start', undefined, 'WORKER_QUEUES'],
])('given %s, then it is refused', async (_, action, name, code) => {
  expect(await codeOf(world().say(action, name))).toBe(code);
});

test.each([
  ['drain', { name: 'gpu@box', build: 'b' }, {}, /drain` takes no b$/],
  [
    'drain',
    { name: 'gpu@box' },
    { json: true, percent: '5', deployment: 'x' },
    /takes no --deployment, --percent, --json$/,
  ],
  ['start', {}, { queues: 'gpu', percent: '5' }, /start` takes no --percent$/],
  ['deployments', { name: 'list', build: 'b2' }, { queues: 'gpu' }, /takes no --queues, b2$/],
])('given words of another action to `worker %s`, then they are refused', async (action, args, options, message) => {
  const said = worker.run({ args: { action, ...args }, options }, fakeIo(), world().ports);
  await expect(said).rejects.toMatchObject({
    first: { code: 'WORKER_OPTION', message: expect.stringMatching(message) },
  });
});

test('given queues, then `worker start` starts each once, and exits as the workers did', async () => {
  const started: unknown[] = [];
  const services = {
    startWorkers: (...given: unknown[]) => Promise.resolve(started.push(given)),
  } as unknown as ServicesPort;
  const ports = { ...world().ports, services: () => Promise.resolve(services) };
  const start = (queues: string, more = {}) =>
    worker.run({ args: { action: 'start' }, options: { queues, name: 'bench', ...more } }, fakeIo(), ports);
  expect(await start('gpu, control,gpu')).toBe(1);
  expect(started).toEqual([[['gpu', 'control'], 'bench', undefined]]);
  await start('workflows,control', { deployment: 'releases' });
  expect(started[1]).toEqual([['workflows', 'control'], 'bench', 'releases']);
  expect(await codeOf(start('gpu,typo'))).toBe('WORKER_QUEUES');
});

test('when a queue is lost and found again, then the lines of a run name it', () => {
  const lost = { queue: 'gpu', since: 0, steps: 3, could: '`slipway worker start --queues gpu`' };
  const [before, after] = [inTheMiddle(), { ...inTheMiddle(), state: 'waiting' as const, waiting: [lost] }];
  expect(changes(before, after, 0)).toEqual([
    expect.objectContaining({
      state: 'waiting',
      note: expect.stringMatching(/queue gpu since 0 s: 3 steps; .*--queues gpu/),
    }),
  ]);
  expect(changes(after, before, 0)).toEqual([expect.objectContaining({ note: expect.stringContaining('queue gpu') })]);
  expect(changes(after, after, 0)).toEqual([]);
});

test('given a queue that steps waited for, when the run ends, then the queue is not reported as back', () => {
  const lost = { queue: 'gpu', since: 0, steps: 3, could: '`slipway worker start --queues gpu`' };
  const before = { ...inTheMiddle(), state: 'waiting' as const, waiting: [lost] };
  const verdict = { verdict: 'cancelled' as const, reasons: ['enough'] };
  const ended = { ...inTheMiddle(), state: 'ended' as const, waiting: [], verdict };
  expect(changes(before, ended, 0)).toEqual([expect.objectContaining({ step: null, state: 'cancelled' })]);
});

test('given a worker whose announcement has no valid proof, then it is a stranger and serves nothing', async () => {
  const proofs: Proofs = {
    holds: () => true,
    knows: () => true,
    sign: (by, purpose) => ({ by, sig: purpose }),
    verify: (_, purpose, __, { sig }) => sig === purpose,
  };
  const name = workerRecords.announcement('gpu', 'gpu@box', '1');
  const store = fakeStore({
    [name]: withProof(proofs, 'worker', name, announcement('gpu@box')),
    [workerRecords.announcement('control', 'control@box', '1')]: announcement('control@box'),
  });
  const beats = [beat('control@box'), beat('gpu@box')];
  const silent = { identity: 'a program', queue: 'linux-x86_64', atMs: 0 };
  const client = { ...fakeClient([]), workers: async () => beats, pollers: async () => [silent] };
  const io = fakeIo();
  await workers.run({ args: {}, options: {} }, io, fakePorts({ client, store, proofs }));
  const lines = io.printed.join('\n').split('\n');
  expect(lines[1]).toMatch(/^linux-x86_64 +a program +stranger .*no proof by this home's key$/);
  expect(lines[2]).toMatch(/^control +control@box +stranger .*no proof by this home's key$/);
  expect(lines[3]).toMatch(/^gpu +gpu@box +serving /);
  expect(lines.slice(4).join('\n')).toMatch(/Served by nobody; who could\n +control: .*\n +linux-x86_64: /);
});

test('given two processes with one worker name, then neither counts', async () => {
  const twice = [beat('gpu@box'), beat('gpu@box')];
  const client = { ...fakeClient([]), workers: async () => twice };
  const proofs: Proofs = { holds: () => true, knows: () => true, sign: () => null, verify: () => true };
  const io = fakeIo();
  await workers.run({ args: {}, options: { json: true } }, io, fakePorts({ client, store: known(), proofs }));
  const view = JSON.parse(io.printed[0]!) as FleetView;
  expect(view.workers.filter(({ worker }) => worker === 'gpu@box').map(({ state, reason }) => [state, reason])).toEqual(
    Array(2).fill(['stranger', 'two processes use this name']),
  );
});

test('given a home without `slipway up`, when keys are requested, then they are made and their files named', async () => {
  const io = fakeIo();
  expect(await worker.run({ args: { action: 'keys' }, options: {} }, io, fakePorts())).toBe(0);
  expect(io.printed[0]).toBe('/home/keys: control.pub, worker.key');
});
