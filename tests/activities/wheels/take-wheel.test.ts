/** @slow */
import { createTakeWheel } from '../../../src/activities/wheels/taken/take-wheel.js';
import type { Clock } from '../../../src/activities/wheels/taken/wait.js';
import { createArchives } from '../../../src/adapters/archive/index.js';
import { createWheelServer } from '../../../src/adapters/wheel-server/wheel-server.js';
import { SlipwayFailure, type Problem } from '../../../src/model/failure.js';
import type { Params } from '../../../src/model/params.js';
import { startWheelHost, type WheelHost } from '../../doubles/wheel-host.js';
import { aPlatform } from '../../support/a-platform.js';
import { aWheel, wheelName } from '../../support/a-wheel.js';
import { aStep, newHome, realSurroundings, runBody, type RunBody } from '../../support/run-body.js';

const COMMIT = 'c'.repeat(40);
const OTHER = 'd'.repeat(40);
const FOLDER = `/main/${COMMIT}/`;
const NAME = wheelName();
const CHECK = { file: 'boat/_version.py', match: 'commit = "(.+)"' };

let host: WheelHost;
beforeEach(async () => {
  host = await startWheelHost();
});
afterEach(() => host.stop());

/** A clock that a wait puts forward. */
function aClock(atMs = Date.parse('2026-11-22T01:10:00Z')): Clock & { nowMs: number } {
  const clock = {
    nowMs: atMs,
    now: () => clock.nowMs,
    wait: async (ms: number, signal: AbortSignal) => {
      signal.throwIfAborted();
      clock.nowMs += ms;
    },
  };
  return clock;
}

async function take(more: Partial<Params['takeWheel']> = {}, options: RunBody = {}, clock: Clock = aClock()) {
  const home = options.home ?? (await newHome());
  const ports = {
    archives: createArchives(),
    wheelServer: createWheelServer(),
    layouts: realSurroundings(home).layout,
  };
  const params: Params['takeWheel'] = {
    ...{ project: 'boat', python: 'cp311', for: aPlatform(), from: { at: `${host.address}${FOLDER}` } },
    ...{ wanted: COMMIT, commit: CHECK, waitMs: 2 * 3_600_000, ...more },
  };
  const step = aStep('takeWheel', params, { id: 'wheels/boat/cp311', stage: 'wheels' });
  return runBody(createTakeWheel(ports, clock), step, { ...options, home });
}

async function refusal(taking: Promise<unknown>): Promise<Problem> {
  const error: unknown = await taking.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof SlipwayFailure)) throw error;
  return error.first;
}

test('given a folder of wheels, then the one for its Python is taken, with commit and digest', async () => {
  host.put(FOLDER + NAME, await aWheel({ commit: COMMIT }));
  host.put(FOLDER + wheelName({ python: 'cp310' }), await aWheel({ python: 'cp310', commit: COMMIT }));
  const { made } = await take();
  expect(made.artifacts).toMatchObject([
    { kind: 'wheel', name: NAME, labels: { project: 'boat', version: '3.0', python: 'cp311' } },
  ]);
  expect(made.facts).toMatchObject({ file: NAME, commit: COMMIT, from: `${host.address}${FOLDER}${NAME}` });
});

test('given a wheel that appears at the third look, then the step waits, and the log says why', async () => {
  const clock = aClock();
  host.put(FOLDER + NAME, await aWheel({ commit: COMMIT }), 3);
  const { made, log } = await take({ from: { at: `${host.address}${FOLDER}${NAME}` } }, {}, clock);
  expect(made.artifacts).toHaveLength(1);
  expect(log).toContain(
    'is not there yet: it answers HTTP 404; asked 2 times since 2026-11-22T01:10:00Z, gives up at 2026-11-22T03:10:00Z',
  );
  expect(clock.nowMs - Date.parse('2026-11-22T01:10:00Z')).toBe(60_000);
});

test("given a wheel that never appears, then the step fails with infra and Ray's status number", async () => {
  const problem = await refusal(take());
  expect(problem).toMatchObject({ code: 'WHEEL_NOT_THERE', class: 'infra', details: { ray: 30 } });
  expect(problem.message).toContain('answers HTTP 404; asked 241 times since 2026-11-22T01:10:00Z');
});

test('given a worker lost after an hour, then the next one stops at the same time as the first would have', async () => {
  const home = await newHome();
  const lost = new AbortController();
  const first = aClock();
  const wait = async (ms: number, signal: AbortSignal): Promise<void> => {
    if (first.nowMs >= Date.parse('2026-11-22T02:10:00Z')) lost.abort(new Error('lost'));
    await first.wait(ms, signal);
  };
  await expect(take({}, { home, signal: lost.signal }, { now: first.now, wait })).rejects.toThrow('lost');
  const next = aClock(Date.parse('2026-11-22T02:11:00Z'));
  const problem = await refusal(take({}, { home, attempt: 2 }, next));
  expect(next.nowMs).toBe(Date.parse('2026-11-22T03:10:00Z'));
  expect(problem.message).toContain('since 2026-11-22T02:11:00Z, first at 2026-11-22T01:10:00Z');
});

test('given a server that does not answer, then the step waits as for a missing wheel', async () => {
  const problem = await refusal(take({ from: { at: `http://127.0.0.1:1/${NAME}` }, waitMs: 60_000 }));
  expect(problem).toMatchObject({ code: 'WHEEL_NOT_THERE' });
  expect(problem.message).toContain('gives no answer: ');
});

test('given a truncated download, then it is repeated, and no part of it is taken', async () => {
  const whole = await aWheel({ commit: COMMIT });
  const sizes = [300, whole.length];
  host.answer(FOLDER + NAME, ({ method }, answer) => {
    answer.writeHead(200, { 'content-length': whole.length });
    if (method === 'HEAD') return void answer.end();
    const size = sizes.shift()!;
    answer.write(whole.subarray(0, size), () => (size === whole.length ? answer.end() : answer.destroy()));
  });
  const { made, log } = await take({ from: { at: `${host.address}${FOLDER}${NAME}` } });
  expect(log).toMatch(/is not there yet: it broke off after \d+ bytes: /);
  expect(made.artifacts[0]!.size).toBe(whole.length);
});

test('given a cancel, then the wait ends', async () => {
  const cancel = new AbortController();
  const clock = aClock();
  const wait = async (ms: number, signal: AbortSignal): Promise<void> => {
    cancel.abort(new Error('cancelled'));
    await clock.wait(ms, signal);
  };
  await expect(take({}, { signal: cancel.signal }, { now: clock.now, wait })).rejects.toThrow('cancelled');
});

test('given a wheel of another commit, then it is refused', async () => {
  host.put(FOLDER + NAME, await aWheel({ commit: OTHER }));
  const problem = await refusal(take());
  expect(problem).toMatchObject({ code: 'WHEEL_COMMIT_DIFFERS', class: 'config' });
  expect(problem.message).toBe(`${NAME}: boat/_version.py says ${OTHER}, and the wheel was looked for at ${COMMIT}`);
});

test('given the same bytes at the same address, then they are not downloaded again', async () => {
  const home = await newHome();
  host.put(FOLDER + NAME, await aWheel({ commit: COMMIT }));
  const first = await take({}, { home });
  const again = await take({}, { home, known: first.result, attempt: 2 });
  expect(again.made).toMatchObject({ reused: true, artifacts: first.made.artifacts });
  host.put(FOLDER + NAME, await aWheel({ commit: COMMIT, metadata: METADATA_OF_4 }));
  const other = await take({}, { home, known: first.result, attempt: 3 });
  expect(other.made.reused).toBeUndefined();
  expect(other.made.findings).toMatchObject([{ code: 'NAME_DIFFERS', level: 'warning' }]);
});
const METADATA_OF_4 = 'Metadata-Version: 2.1\nName: boat\nVersion: 4.0\n';

test('given a wheel in the layout of another release, then it is taken', async () => {
  const home = await newHome();
  const { store, layout } = realSurroundings(home);
  const { digest } = await store.put(
    (async function* () {
      yield await aWheel({ commit: COMMIT });
    })(),
  );
  await layout('boat').place(`main/${COMMIT}/${NAME}`, digest);
  const { made } = await take({ from: { at: `store:boat/main/${COMMIT}/` } }, { home });
  expect(made.artifacts[0]!.digest).toBe(digest);
  const absent = await refusal(take({ from: { at: `store:boat/main/${OTHER}/` }, waitMs: 0 }, { home, run: 'other' }));
  expect(absent.message).toContain('has 0 files, and no wheel that fits');
});

const ENDS = { waitMs: 0 };
test.each<[name: string, serve: () => Promise<Partial<Params['takeWheel']>>, code: string, cls: string]>([
  [
    'redirects without an end',
    async () => {
      host.answer(`/a/${NAME}`, (_, answer) => void answer.writeHead(302, { location: `/a/${NAME}` }).end());
      return { from: { at: `${host.address}/a/${NAME}` } };
    },
    'WHEEL_REDIRECTS',
    'config',
  ],
  [
    'a page in place of a wheel',
    async () => {
      host.put(`/a/${NAME}`, Buffer.from('<!doctype html><title>log in</title>'));
      return { from: { at: `${host.address}/a/${NAME}` } };
    },
    'WHEEL_NOT_A_WHEEL',
    'config',
  ],
  [
    'a body that breaks off',
    async () => {
      host.answer(`/a/${NAME}`, ({ method }, answer) => {
        answer.writeHead(200, { 'content-length': 1000 });
        if (method === 'HEAD') answer.end();
        else answer.write('PK\u0003\u0004', () => answer.destroy());
      });
      return { from: { at: `${host.address}/a/${NAME}` } };
    },
    'WHEEL_NOT_THERE',
    'infra',
  ],
  [
    'a credential that is asked for',
    async () => {
      host.answer(`/a/${NAME}`, (_, answer) => void answer.writeHead(401).end());
      return { from: { at: `${host.address}/a/${NAME}` } };
    },
    'WHEEL_DENIED',
    'denied',
  ],
  [
    'half of a zip file',
    async () => {
      host.put(`/a/${NAME}`, (await aWheel()).subarray(0, 300));
      return { from: { at: `${host.address}/a/${NAME}` } };
    },
    'ARCHIVE_UNREADABLE',
    'config',
  ],
  [
    'another project',
    async () => {
      host.put(`/a/${NAME}`, await aWheel({ project: 'raft' }));
      return { from: { at: `${host.address}/a/${NAME}` } };
    },
    'WHEEL_OF_OTHER',
    'config',
  ],
  [
    'a wheel for another Python',
    async () => {
      host.put(`/a/${NAME}`, await aWheel());
      return { python: 'cp310', from: { at: `${host.address}/a/${NAME}` } };
    },
    'WHEEL_OF_OTHER',
    'config',
  ],
  [
    'a wheel without a commit',
    async () => {
      host.put(`/a/${NAME}`, await aWheel({ commit: null }));
      return { from: { at: `${host.address}/a/${NAME}` } };
    },
    'WHEEL_COMMIT_ABSENT',
    'config',
  ],
  [
    'two wheels that fit',
    async () => {
      host.put(FOLDER + NAME, await aWheel());
      host.put(FOLDER + wheelName({ version: '4.0' }), await aWheel({ version: '4.0' }));
      return {};
    },
    'WHEEL_AMBIGUOUS',
    'config',
  ],
])('given %s, then it is refused with a code', async (_, serve, code, cls) => {
  expect(await refusal(take({ ...(await serve()), ...ENDS }))).toMatchObject({ code, class: cls });
});
