import { schedule } from '../../src/cli/commands/schedule.js';
import { status } from '../../src/cli/commands/status.js';
import type { RunStatus } from '../../src/model/messages.js';
import { scheduleLines } from '../../src/cli/screens/schedules.js';
import { colours } from '../../src/cli/render/paint.js';
import type { SlipwayFailure } from '../../src/model/failure.js';
import type { Plan } from '../../src/model/plan.js';
import type { Schedule } from '../../src/model/schedule.js';
import { expectGolden } from '../support/golden.js';
import { aPlan } from '../support/run-body.js';
import { inTheMiddle } from './a-run.js';
import { fakeClient, fakeIo, fakePorts } from './fake-ports.js';

const plan = aPlan({});
const night = { ...plan, pipeline: true, release: { name: 'night', version: '2026-11-22' } } as Plan;

/** A server without schedules, and a person who types commands one after the other. */
function person(planned: Plan = night) {
  const client = fakeClient([]);
  const ports = {
    ...fakePorts({ client, plan: { plan: planned, digest: `sha256:${'0'.repeat(64)}` } }),
    env: { SLIPWAY_BY: 'ann' },
  };
  const types = async (args: readonly string[], options: Record<string, string | boolean> = {}) => {
    const io = fakeIo();
    const [what, name] = args;
    const said = { ...(what !== undefined && { what }), ...(name !== undefined && { name }) };
    const code = await schedule
      .run({ args: said, options }, io, ports)
      .catch((error: SlipwayFailure) => error.first.code);
    return { code, out: io.printed.join('\n'), err: io.chatter.join('\n') };
  };
  return { client, types };
}

test('given a pipeline and an interval, then its schedule keeps file, profile, options and name', async () => {
  const { client, types } = person();
  const options = { every: '15m', profile: 'live', only: 'tests/sail', wheels: 'ray=latest' };
  const { code, out, err } = await types(['slipway.yaml'], options);

  expect(code).toBe(0);
  expect(err).toContain('Scheduled: night');
  expect(out).toContain('next  2026-11-22 02:00 UTC');
  expect(await client.schedules.list()).toMatchObject([
    {
      ...{ pipeline: 'night', rhythm: 'every 15m', file: '/somewhere/slipway.yaml', profile: 'live', by: 'ann' },
      given: { only: ['tests/sail'], wheels: { ray: 'latest' } },
    },
  ]);
  expect((await types(['slipway.yaml'], { cron: '0 2 * * *' })).err).toContain('Changed the schedule of night');
});

test.each<[string, Record<string, string>, string]>([
  ['no times', {}, 'SCHEDULE_SPEC_INVALID'],
  ['an interval and a cron line', { every: '15m', cron: '0 2 * * *' }, 'SCHEDULE_SPEC_INVALID'],
  ['half a minute', { every: '30s' }, 'SCHEDULE_SPEC_INVALID'],
  ['two years', { every: '730d' }, 'SCHEDULE_SPEC_INVALID'],
  ['a cron line with seconds', { cron: '0 0 2 * * *' }, 'SCHEDULE_SPEC_INVALID'],
  ['a wheel address with a password', { every: '15m', wheels: 'ray=https://ann:word@host/x.whl' }, 'SCHEDULE_SECRET'],
  ['a malformed wheel', { every: '15m', wheels: 'ray' }, 'WHEELS_OPTION_WRONG'],
])('given %s, then it is refused and nothing is sent', async (_, options, code) => {
  const { client, types } = person();
  expect((await types(['slipway.yaml'], options)).code).toBe(code);
  expect(await client.schedules.list()).toEqual([]);
});

test('given a release, then it is refused and nothing is sent', async () => {
  const { client, types } = person(plan);
  expect((await types(['slipway.yaml'], { every: '15m' })).code).toBe('SCHEDULE_NOT_A_PIPELINE');
  expect(await client.schedules.list()).toEqual([]);
});

test('given one schedule, when it is paused, resumed and deleted, then no name is needed', async () => {
  const { client, types } = person();
  await types([], { every: '15m' });
  expect((await types(['pause'])).code).toBe('REASON_MISSING');
  expect((await types(['pause'], { reason: 'disk is full' })).code).toBe(0);
  expect((await types(['list'])).out).toContain('paused: disk is full (ann)');
  expect((await types(['resume'], { by: 'eve' })).code).toBe(0);
  expect(await client.schedules.find('night')).toMatchObject({ paused: false, note: 'resumed (eve)' });
  expect((await types(['delete', 'night'])).code).toBe(0);
  expect((await types(['list'])).out).toContain('No pipeline has a schedule.');
});

test.each<[string, readonly string[], Record<string, string>, string]>([
  ['an unknown name', ['list', 'day'], {}, 'SCHEDULE_UNKNOWN'],
  ['an unknown name', ['delete', 'day'], {}, 'SCHEDULE_UNKNOWN'],
  ['no name where no schedule is', ['delete'], {}, 'SCHEDULE_NOT_NAMED'],
  ['an option of another action', ['list'], { every: '15m' }, 'SCHEDULE_OPTION'],
])('given %s, then %j is refused', async (_, args, options, code) => {
  expect((await person().types(args, options)).code).toBe(code);
});

test('given several schedules, when one is paused without a name, then the refusal lists them', async () => {
  const { client, types } = person();
  for (const pipeline of ['night', 'day'])
    await client.schedules.put({ pipeline, file: '/x', profile: 'local', rhythm: { everyMs: 60_000 } });
  expect((await types(['pause'], { reason: 'x' })).code).toBe('SCHEDULE_NOT_NAMED');
});

test('given schedules in every state, then the printed text is as expected', () => {
  const at = Date.UTC(2026, 10, 22, 1, 45);
  const run = (minutes: number, verdict: Schedule['last'][number]['verdict']) => ({
    ...{ workflowId: `pipeline/night-2026-11-22T0${minutes}:45:00Z`, run: `r${minutes}`, verdict },
    at: at - minutes * 900_000,
  });
  const base: Schedule = {
    ...{ pipeline: 'night', rhythm: 'every 15m', file: '/srv/night/slipway.yaml', profile: 'local', by: 'ann' },
    ...{ given: {}, paused: false, note: null, started: 0, skipped: 0, missed: 0, last: [] },
    next: [1, 2, 3, 4].map((no) => at + no * 900_000),
  };
  const all: readonly Schedule[] = [
    base,
    {
      ...base,
      last: [
        run(1, 'running'),
        run(2, 'done'),
        run(3, 'failed'),
        run(4, 'cancelled'),
        run(5, 'unknown'),
        run(6, 'done'),
      ],
      ...{ started: 6, skipped: 1, missed: 2 },
      given: { tests: { frequency: 'nightly', where: ['team:core'] }, wheels: { ray: 'latest' } },
    },
    { ...base, pipeline: 'paused', paused: true, note: 'disk is full\u001b[2J (ann)', next: [] },
    { ...base, pipeline: 'foreign', rhythm: 'other', file: null, profile: null, by: null, next: [] },
  ];
  expectGolden('cli/schedules.txt', scheduleLines(all, colours(false)).join('\n'));
});

test.each([
  ['the run of a scheduled pipeline', 'night', true, /^Schedule every 15m; next {2}2026-11-22 02:00 UTC; /],
  ['the run of another pipeline', 'day', true, null],
  ['a release of the same name', 'night', false, null],
])('given %s, then the status tells its schedule or none', async (_, name, pipeline, line) => {
  const run: RunStatus = { ...inTheMiddle(), name, ...(pipeline && { pipeline: true as const }) };
  const client = fakeClient([[run]]);
  await client.schedules.put({ pipeline: 'night', file: '/x', profile: 'local', rhythm: { everyMs: 900_000 } });
  const io = fakeIo();
  await status.run({ args: {}, options: {} }, io, fakePorts({ client }));
  const told = io.printed.filter((text) => text.startsWith('Schedule'));
  expect(told).toEqual(line === null ? [] : [expect.stringMatching(line)]);
});
