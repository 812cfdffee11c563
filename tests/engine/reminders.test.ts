import type { Command } from '../../src/engine/run/inputs.js';
import { APART_MS, dueAtMs, GATHER_MS } from '../../src/engine/notify/reminders.js';
import { outageNews, OUTAGE_TOLD_MS } from '../../src/engine/outages/news.js';
import { Scheduler } from '../../src/engine/run/scheduler.js';
import type { StepNotice } from '../../src/model/notice.js';
import type { Outage } from '../../src/model/outage.js';
import type { Skeleton } from '../../src/model/plan.js';
import { aRule, aYes, SEALED } from './a-gate.js';
import { aProblem, aSkeleton } from './a-skeleton.js';
import { Driven } from './drive.js';

const HOUR = 3_600_000;
const REMIND = { afterMs: 4 * HOUR, everyMs: 24 * HOUR };
const LISTENERS = [{ name: 'team', on: ['held', 'gate', 'reminder', 'verdict'] as const }];
const told = (over: Partial<Skeleton> = {}) => ({ notify: { listeners: LISTENERS, remind: REMIND }, ...over });

test.each([
  ['new', null, null, 1000 + GATHER_MS],
  ['new, long after the last message', null, -HOUR, 1000 + GATHER_MS],
  ['new, right after another message', null, 900, 900 + APART_MS],
  ['reported once', { sinceMs: 1000, atMs: 6000, times: 1 }, 6000, 6000 + REMIND.afterMs],
  ['reminded once', { sinceMs: 1000, atMs: HOUR, times: 2 }, HOUR, HOUR + REMIND.everyMs],
  ['reported for an earlier hold', { sinceMs: 500, atMs: 6000, times: 3 }, -HOUR, 1000 + GATHER_MS],
])('given a wait that is %s, then its message is due at the expected time', (_what, before, lastMs, dueMs) => {
  expect(dueAtMs(1000, before, lastMs, REMIND)).toBe(dueMs);
});

const later = (run: Driven, ms: number): readonly string[] => run.say({ what: 'wake', atMs: (run.atMs += ms) });
const tells = (said: readonly string[]): readonly string[] => said.filter((word) => word.startsWith('tell'));

const stepsOf = ({ notices }: Extract<Command, { do: 'notify' }>): readonly StepNotice[] =>
  notices.filter((one) => one.event !== 'outage');

test('given held steps, then one message reports them together, and reminders follow until they are answered', () => {
  const run = new Driven(aSkeleton([{ id: 'a' }, { id: 'b' }, { id: 'c', needs: [0] }], told()), { onFailure: 'hold' });
  run.next();
  expect(run.failed('a', 'product')).toContain(`wake ${GATHER_MS}`);
  expect(tells(run.failed('b', 'product'))).toEqual([]);
  expect(later(run, GATHER_MS)).toEqual(['tell held a, held b', `wake ${REMIND.afterMs}`]);
  expect(tells(later(run, REMIND.afterMs - 1))).toEqual([]);
  expect(later(run, 1)).toEqual(['tell reminder a, reminder b', `wake ${REMIND.everyMs}`]);
  run.action({ action: 'retry', step: 'a' });
  run.done('a');
  expect(tells(later(run, REMIND.everyMs))).toEqual(['tell reminder b']);
  run.action({ action: 'skip', step: 'b', reason: 'enough' });
  expect(tells(later(run, 3 * REMIND.everyMs))).toEqual([]);
});

test('given a step with onFailure tell, when it fails, then one message names it with other failures, without reminders', () => {
  const steps = ['a', 'b', 'c'].map((id) => ({ id, onFailure: 'tell' as const }));
  const run = new Driven(aSkeleton([...steps, { id: 'd' }], told()), { onFailure: 'hold' });
  run.next();
  run.failed('a', 'product');
  run.failed('b', 'product');
  expect(later(run, GATHER_MS)).toEqual(['tell failed a, failed b']);
  expect(tells(later(run, 3 * REMIND.everyMs))).toEqual([]);
  run.failed('c', 'product');
  expect(tells(later(run, GATHER_MS))).toEqual(['tell failed c']);
});

test('given a held step with a first error, then the message has the error in one line', () => {
  const skeleton = aSkeleton([{ id: 'a' }], told());
  const scheduler = new Scheduler(skeleton, { nowMs: 0, random: () => 0.5, onFailure: 'hold' });
  scheduler.next();
  const problems = [aProblem({ firstError: ['CMake Error at CMakeLists.txt:5 (message):', '  no ANT_EXECUTABLE'] })];
  scheduler.apply({ what: 'ended', no: 1, step: 0, attempt: 1, atMs: 1, ending: { outcome: 'failed', problems } });
  scheduler.next();
  scheduler.apply({ what: 'wake', no: 2, atMs: 1 + GATHER_MS });
  const notices = scheduler.next().flatMap((command) => (command.do === 'notify' ? stepsOf(command) : []));
  expect(notices).toMatchObject([
    { step: 'a', firstError: 'CMake Error at CMakeLists.txt:5 (message): no ANT_EXECUTABLE' },
  ]);
});

test('when a held step is retried quickly, then no message is sent; when it is held again, then one is', () => {
  const run = new Driven(aSkeleton([{ id: 'a' }], told()), { onFailure: 'hold' });
  run.next();
  run.failed('a', 'product');
  expect(run.action({ action: 'retry', step: 'a' })).toContain('start a');
  expect(tells(later(run, GATHER_MS))).toEqual([]);
  run.failed('a', 'product');
  expect(tells(later(run, GATHER_MS))).toEqual(['tell held a']);
  run.action({ action: 'retry', step: 'a' });
  run.failed('a', 'product');
  expect(tells(later(run, GATHER_MS))).toEqual([]); // not so soon after the last message
  expect(tells(later(run, APART_MS))).toEqual(['tell held a']);
});

test('when four hundred steps fail within seconds, then one message is sent', () => {
  const ids = Array.from({ length: 400 }, (_, n) => `s${n}`);
  const run = new Driven(aSkeleton(ids.map((id) => ({ id })), told({ windows: { control: 400 } })), { onFailure: 'hold' }); // prettier-ignore
  run.next();
  for (const id of ids) {
    run.atMs -= 99; // one each millisecond
    run.failed(id, 'product');
  }
  later(run, GATHER_MS);
  const messages = run.commands.filter(({ do: what }) => what === 'notify') as Extract<Command, { do: 'notify' }>[];
  expect(messages).toHaveLength(1);
  expect([messages[0]!.notices.length, messages[0]!.more, messages[0]!.no]).toEqual([20, { held: 380 }, 1]);
});

test('given a gate, then messages are sent while it waits for people, and none once it is approved', () => {
  const rules = aRule({ signed: 'optional', soakMs: 9 * HOUR, expiresMs: 99 * HOUR });
  const run = new Driven(aSkeleton([{ id: 'gates/ship', kind: 'passGate', gate: rules }], told()), {});
  run.next();
  run.opened('gates/ship', SEALED);
  expect(tells(later(run, GATHER_MS))).toEqual(['tell gate gates/ship']);
  const { notices } = run.commands.find(({ do: what }) => what === 'notify') as Extract<Command, { do: 'notify' }>;
  expect(notices[0]).toMatchObject({ manifest: SEALED, next: 'slipway approve ship' });
  run.atGate(aYes());
  expect(tells(later(run, 2 * REMIND.afterMs))).toEqual([]);
});

test('given a run without listeners, then there are no messages and no timer for them', () => {
  const run = new Driven(aSkeleton([{ id: 'a' }]), { onFailure: 'hold' });
  run.next();
  expect(run.failed('a', 'product')).toEqual([]);
});

const anOutage = (over: Partial<Outage> = {}): Outage => ({
  ...{ service: 'docker', since: 1000, steps: 2, message: 'connection refused', next: 'Start it.', ...over },
});
const DUE = 1000 + OUTAGE_TOLD_MS;
test.each([
  ['a short outage', [anOutage()], {}, DUE - 1, [], {}, DUE],
  ['an outage that lasts', [anOutage()], {}, DUE, ['docker'], { docker: 1000 }, null],
  ['an outage that was reported', [anOutage()], { docker: 1000 }, 9 * DUE, [], { docker: 1000 }, null],
  ['the end of a reported outage', [anOutage({ until: DUE })], { docker: 1000 }, DUE, ['docker over'], {}, null],
  ['the end of an unreported outage', [anOutage({ until: 2000 })], {}, DUE, [], {}, null],
  [
    'a second outage of the service',
    [anOutage({ since: 9 * DUE }), anOutage({ until: DUE })],
    {},
    9 * DUE,
    [],
    {},
    9 * DUE + OUTAGE_TOLD_MS,
  ],
] as const)(
  'given %s, then its messages are due as expected',
  (_what, outages, told, nowMs, notices, after, nextMs) => {
    const news = outageNews(outages, told, nowMs);
    expect(news.notices.map(({ service, untilMs }) => (untilMs === undefined ? service : `${service} over`))).toEqual(
      notices,
    );
    expect([news.told, news.nextMs]).toEqual([after, nextMs]);
  },
);

test('when an outage of the run lasts, then listeners hear of it, and again when it is over', () => {
  const away = (step: string) => ({
    outcome: 'failed' as const,
    problems: [aProblem({ class: 'infra', service: 'target:hub', message: `${step}: refused` })],
  });
  const run = new Driven(
    aSkeleton(
      ['a', 'b', 'c', 'd'].map((id) => ({ id })),
      told(),
    ),
    { onFailure: 'hold' },
  );
  run.next();
  for (const id of ['a', 'b', 'c', 'd']) run.ended(id, away(id));
  const said: string[] = [];
  for (let wakes = 0; wakes < 40 && !said.some((word) => word === 'tell outage target:hub'); wakes++) {
    for (const { id, state } of run.scheduler.status()) if (state === 'running') said.push(...run.ended(id, away(id)));
    said.push(...later(run, 5000));
  }
  expect(said.filter((word) => word.startsWith('tell outage'))).toEqual(['tell outage target:hub']);
  const after: string[] = [];
  for (let wakes = 0; wakes < 400 && run.scheduler.status().some(({ state }) => state !== 'done'); wakes++) {
    for (const { id, state } of run.scheduler.status()) if (state === 'running') after.push(...run.done(id));
    after.push(...later(run, 5000));
  }
  expect(after.filter((word) => word.startsWith('tell'))).toEqual(['tell outage target:hub']);
  const messages = run.commands.filter(({ do: what }) => what === 'notify') as Extract<Command, { do: 'notify' }>[];
  expect(messages.map(({ notices: [one] }) => 'untilMs' in one!)).toEqual([false, true]);
});
