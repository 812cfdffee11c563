import fc from 'fast-check';
import type { Command, Input } from '../../../src/engine/run/inputs.js';
import { APART_MS, GATHER_MS } from '../../../src/engine/notify/reminders.js';
import { Scheduler } from '../../../src/engine/run/scheduler.js';
import type { StepNotice } from '../../../src/model/notice.js';
import { aProblem, aSkeleton } from '../a-skeleton.js';
import { law } from './law.js';

const HOUR = 3_600_000;
const REMIND = { afterMs: 4 * HOUR, everyMs: 24 * HOUR };
const LISTENERS = [{ name: 'team', on: ['held', 'gate', 'reminder', 'verdict'] as const }];

const event = fc.oneof(
  fc.record({ do: fc.constant('fail' as const), step: fc.nat(3) }),
  fc.record({ do: fc.constant('retry' as const), step: fc.nat(3) }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 999, GATHER_MS, APART_MS, HOUR, 30 * HOUR) }),
  fc.record({ do: fc.constant('timer' as const) }),
);
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;

export const reminders = law({
  id: 'reminders',
  says: 'given any events, then no reminder is early or after the answer, and the timer is set for the next one',
  runs: 300,
  weight: 2,
  worlds: fc.array(event, { maxLength: 60 }),
  holds: (events) => {
    const run = new Run();
    for (const one of events) run.happen(one);
  },
});

class Run {
  readonly #scheduler = new Scheduler(
    aSkeleton(
      [0, 1, 2, 3].map((n) => ({ id: `s${n}` })),
      { notify: { listeners: LISTENERS, remind: REMIND } },
    ),
    { nowMs: 0, random: () => 0.5, onFailure: 'hold' },
  );
  readonly #last = new Map<string, { readonly atMs: number; readonly sinceMs: number; readonly times: number }>();
  #no = 0;
  #atMs = 0;
  #wakeAtMs: number | null = null;

  constructor() {
    this.#carryOut();
  }

  happen(one: Event): void {
    if (one.do === 'wait') this.#atMs += one.ms;
    if (one.do === 'timer' && this.#wakeAtMs !== null) this.#atMs = Math.max(this.#atMs, this.#wakeAtMs);
    this.#scheduler.apply({ ...this.#inputOf(one), no: ++this.#no });
    this.#carryOut();
  }

  #inputOf(one: Event): Input {
    const step = 'step' in one ? one.step : 0;
    const { state, attempt } = this.#scheduler.status()[step]!;
    if (one.do === 'fail' && state === 'running') {
      const ending = { outcome: 'failed', problems: [aProblem()] } as const;
      return { what: 'ended', step, attempt, atMs: ++this.#atMs, ending };
    }
    if (one.do === 'retry' && state === 'held')
      return { what: 'action', action: { action: 'retry', step: `s${step}` }, atMs: ++this.#atMs };
    return { what: 'wake', atMs: this.#atMs };
  }

  #carryOut(): void {
    for (const command of this.#scheduler.next()) {
      if (command.do === 'wakeAt') this.#wakeAtMs = command.atMs;
      if (command.do === 'notify') this.#told(command);
    }
    const waits = this.#scheduler.status().some(({ state }) => state === 'held');
    if (waits) expect(this.#wakeAtMs).toBeGreaterThan(this.#atMs);
  }

  #told({ notices }: Extract<Command, { do: 'notify' }>): void {
    const ofSteps = notices.filter((one): one is StepNotice => one.event !== 'outage');
    expect(new Set(ofSteps.map(({ step }) => step)).size).toBe(notices.length);
    for (const { event: name, step, sinceMs } of ofSteps) {
      const { state, heldAt } = this.#scheduler.status().find(({ id }) => id === step)!;
      expect([state, heldAt]).toEqual(['held', sinceMs]);
      const before = this.#last.get(step);
      const isAgain = before?.sinceMs === sinceMs;
      expect(name).toBe(isAgain ? 'reminder' : 'held');
      const apartMs = before?.times === 1 ? REMIND.afterMs : REMIND.everyMs;
      if (isAgain) expect(this.#atMs - before.atMs).toBeGreaterThanOrEqual(apartMs);
      this.#last.set(step, { atMs: this.#atMs, sinceMs, times: isAgain ? before.times + 1 : 1 });
    }
  }
}
