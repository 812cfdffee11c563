/** @slow */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { fc } from '../support/fixed-seed.js';
import type { SchedulerSnapshot } from '../../src/engine/checkpoint/snapshot.js';
import type { Command, AttemptResult, Input } from '../../src/engine/run/inputs.js';
import { Scheduler, type SchedulerOptions } from '../../src/engine/run/scheduler.js';
import { NEWEST_ENGINE } from '../../src/model/engines.js';
import { KINDS } from '../../src/model/kinds.js';
import type { Skeleton } from '../../src/model/plan.js';
import { aRule, aSigner, aYes, SEALED, nonceAt } from './a-gate.js';
import { aProblem, aSkeleton } from './a-skeleton.js';
import { aWalk, withReuse } from './a-walk.js';
import { Driven } from './drive.js';
import { CLASSES, QUEUES, graphs } from './graphs.js';

/** As it travels: through JSON. */
const sent = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
const MANIFESTS = [`sha256:${'5e'.repeat(32)}`, `sha256:${'6f'.repeat(32)}`] as const;

/** Chance that two schedulers meet alike. */
const chance = (): (() => number) => {
  let at = 0;
  return () => (++at * 0.381966) % 1;
};

/** jest says what differs, and takes its time. */
function same(got: unknown, wanted: unknown): void {
  if (!isDeepStrictEqual(got, wanted)) expect(got).toEqual(wanted);
}

/** The part of a run that people see. */
const outside = (one: Scheduler) => [
  ...[one.status(), one.held, one.atGates, one.still, one.paused, one.waiting(), one.cancelling],
  ...[one.outages(), one.awaitsService, one.fleet()],
];

/** Two schedulers with the same inputs: one that is never cut, and one that goes on from its snapshot now and then. */
class Twins {
  readonly whole: Scheduler;
  #cut: Scheduler;
  readonly #options: SchedulerOptions;
  readonly running = new Map<number, Extract<Command, { do: 'start' | 'open' | 'look up' }>>();
  readonly ended: { readonly step: number; readonly attempt: number }[] = [];
  #timers: [number | null, number | null] = [null, null];
  #no = 0;

  constructor(
    readonly skeleton: Skeleton,
    options: Partial<SchedulerOptions>,
  ) {
    // A snapshot raises the rules: both begin with the newest.
    const all = { nowMs: 1_000_000, stopAtGates: true, startedBy: 'ann', engine: NEWEST_ENGINE, ...options };
    this.whole = new Scheduler(skeleton, { ...all, random: chance() });
    this.#options = { ...all, random: chance() };
    this.#cut = new Scheduler(skeleton, this.#options);
  }

  /** Asks both for their commands. They must be the same. */
  next(): void {
    const both = [this.whole.next(), this.#cut.next()];
    for (const [at, commands] of both.entries())
      for (const command of commands) if (command.do === 'wakeAt') this.#timers[at] = command.atMs;
    const [wanted, got] = both.map((commands) => this.#inOrder(commands));
    same(got, wanted);
    same(this.#timers[1], this.#timers[0]);
    for (const command of wanted!)
      if (command.do === 'start' || command.do === 'open' || command.do === 'look up')
        this.running.set(command.step, command);
  }

  get wakeAtMs(): number | null {
    return this.#timers[0];
  }

  apply(input: Input): void {
    if (input.what === 'wake') this.#timers = [null, null];
    const numbered = { ...input, no: ++this.#no };
    this.whole.apply(numbered);
    this.#cut.apply(numbered);
  }

  /** Without the timer, which a new scheduler sets anew. Queues have nothing to do with each other. */
  #inOrder(commands: readonly Command[]): readonly Command[] {
    const queueOf = (command: Command): string =>
      'step' in command && command.step >= 0 ? this.skeleton.steps[command.step]!.on : '';
    return commands
      .filter((command) => command.do !== 'wakeAt')
      .sort((a, b) => (queueOf(a) < queueOf(b) ? -1 : queueOf(a) > queueOf(b) ? 1 : 0));
  }

  /** Another scheduler goes on from the snapshot. */
  cut(): void {
    const snapshot: SchedulerSnapshot = sent(this.#cut.snapshot());
    this.#cut = new Scheduler(this.skeleton, this.#options, snapshot);
    this.#timers[1] = null;
    this.look();
  }

  look(): void {
    same(outside(this.#cut), outside(this.whole));
  }
}

/** Some steps wait only so long for their queue, some are gates. */
const worlds = fc.record({
  skeleton: fc.tuple(graphs, fc.nat(7)).map(([skeleton, salt]) => ({
    ...(salt < 3 ? skeleton : withReuse(skeleton, salt)),
    notify: { listeners: [], remind: { afterMs: 100, everyMs: 200 } },
    steps: skeleton.steps.map((step, at) => ({
      ...{ ...step, stage: KINDS[step.kind].stage },
      ...((at + salt) % 3 === 0 && { waitMs: 100 }),
      ...((at + salt) % 5 === 0 && {
        ...{ id: `gates/g${at}`, kind: 'passGate' as const },
        gate: aRule({ gate: `g${at}`, soakMs: 60, quorum: at % 2 }),
      }),
    })),
  })),
  /** Steps run again on request, or services go away. */
  anew: fc.boolean(),
  onFailure: fc.constantFrom('hold' as const, 'fail' as const),
  luck: fc.array(fc.nat(1_000_000), { minLength: 8, maxLength: 64 }),
});
type World = typeof worlds extends fc.Arbitrary<infer T> ? T : never;

/** Plays at most 150 inputs, and cuts now and then. */
function play({ skeleton, onFailure, anew, luck }: World, cutOneIn: number): Twins {
  let [drawn, nowMs] = [0, 1_000_000];
  const draw = (below: number): number => (luck[drawn++ % luck.length]! + drawn * 7919) % below;
  const twins = new Twins(skeleton, { onFailure });
  for (let count = 0; count < 150; count++) {
    twins.next();
    if (twins.whole.ended) break;
    if (draw(cutOneIn) === 0) twins.cut();
    else if (draw(3) === 0) twins.look();
    nowMs += draw(50);
    twins.apply(happening());
  }
  twins.look();
  return twins;

  function happening(): Input {
    const step = draw(skeleton.steps.length);
    const { id } = skeleton.steps[step]!;
    switch (draw(16)) {
      case 0:
        return { what: 'action', action: { action: 'retry', ...(anew && draw(3) === 0 && { from: id }) }, atMs: nowMs };
      case 1:
        return { what: 'action', action: { action: (['retry', 'cancel'] as const)[draw(2)]!, step: id }, atMs: nowMs };
      case 2:
        return { what: 'action', action: { action: 'skip', step: id, reason: 'not today' }, atMs: nowMs };
      case 3:
        return { what: 'action', action: { action: draw(3) === 0 ? 'pause' : 'resume' }, atMs: nowMs };
      case 4:
        return fleet();
      case 5:
        return draw(12) === 0 ? { what: 'cancel', reason: 'enough', atMs: nowMs } : atGate(step);
      case 6:
        return atGate(step);
      case 7: // once more: an ending that was told before
        return twins.ended.length === 0 ? wake() : over(twins.ended[draw(twins.ended.length)]!, draw(5));
      case 8:
        return wake();
      default:
        return attemptOver();
    }
  }

  function fleet(): Input {
    const unserved = QUEUES.filter(() => draw(3) === 0).map((queue) => ({ queue, since: nowMs }));
    const slots = Object.fromEntries(QUEUES.filter(() => draw(2) === 0).map((queue) => [queue, draw(5)]));
    return { what: 'fleet', unserved, ...(draw(2) === 0 && { slots }), atMs: nowMs };
  }

  function wake(): Input {
    if (draw(2) === 0) nowMs = Math.max(nowMs, twins.wakeAtMs ?? 0);
    return { what: 'wake', atMs: nowMs };
  }

  function atGate(step: number): Input {
    const yes = { ...aYes(), gate: `g${step}`, manifest: MANIFESTS[draw(2)]!, signature: `by ${draw(4)}` };
    const action = draw(4) === 0 ? { ...yes, action: 'reject' as const, reason: 'typo' } : yes;
    const vetted = { ok: true, signer: aSigner(['kim', 'lee'][draw(2)]!) } as const;
    return { what: 'gate action', action, vetted, nonce: nonceAt(twins.whole, action), atMs: nowMs };
  }

  function attemptOver(): Input {
    const all = [...twins.running.values()];
    if (all.length === 0) return wake();
    const command = all[draw(all.length)]!;
    twins.running.delete(command.step);
    if (command.do === 'look up') return aWalk(skeleton, command, draw, nowMs);
    twins.ended.push(command);
    if (command.do === 'open' && draw(4) > 0)
      return { what: 'opened', ...attempt(command), manifest: MANIFESTS[0], earlier: [], targets: [], atMs: nowMs };
    return over(command, draw(5));
  }

  function over(command: { readonly step: number; readonly attempt: number }, luckOf: number): Input {
    const away = draw(2) === 0 && { class: 'infra' as const, service: ['Docker', 'an index'][draw(2)]! };
    const evidence = [`printed by ${command.step}, attempt ${command.attempt}`]; // told again, it is the same
    const problems = [aProblem({ class: CLASSES[draw(CLASSES.length)]!, ...away, evidence })];
    const failed: AttemptResult = { outcome: 'failed', problems };
    const sealed = luckOf === 4 && { sealed: MANIFESTS[draw(2)]! };
    const made: AttemptResult = { outcome: luckOf === 2 ? 'cached' : 'done', ms: 3, note: 'made', ...sealed };
    const ending = luckOf < 2 ? failed : made;
    return { what: 'ended', ...attempt(command), ending, atMs: nowMs };
  }
}
const attempt = ({ step, attempt: no }: { readonly step: number; readonly attempt: number }) => ({ step, attempt: no });

// A snapshot at each moment costs the most.
test.each([
  [1, 40],
  [4, 120],
  [20, 120],
])(
  'given a scheduler restored from snapshots at one moment in %i, then it decides as an uninterrupted one does',
  (cutOneIn, numRuns) => {
    let ended = 0;
    fc.assert(
      fc.property(worlds, (world) => {
        if (play(world, cutOneIn).whole.ended) ended++;
      }),
      { numRuns, endOnFailure: true },
    );
    expect(ended).toBeGreaterThan(numRuns / 4);
  },
);

test('given a gate that passed during a pause after an outage, when the scheduler is restored, then the gate starts', () => {
  const gate = aRule({ quorum: 1 });
  const skeleton = aSkeleton([{ id: 'gates/ship', kind: 'passGate', gate }]);
  const run = new Driven(skeleton, { stopAtGates: true });
  const state = () => run.scheduler.status()[0]!.state;
  run.next();
  const problems = [aProblem({ class: 'infra', service: 'Docker' })];
  for (let failures = 0; failures < 4; failures++) {
    run.ended('gates/ship', { outcome: 'failed', problems });
    for (let wakes = 0; state() !== 'running' && wakes < 200; wakes++) run.wake();
  }
  expect(run.scheduler.awaitsService).toBe(true); // it is let through, to see whether Docker answers
  run.opened('gates/ship', SEALED);
  run.say({ what: 'action', action: { action: 'pause' }, atMs: run.atMs });
  const signer = { fingerprint: 'SHA256:kim', group: 'core', key: 'kim.pub', names: ['kim'] };
  const action = aYes({ by: 'kim' });
  const nonce = nonceAt(run.scheduler, action);
  run.say({ what: 'gate action', action, vetted: { ok: true, signer }, nonce, atMs: run.atMs });
  expect(state()).toBe('waiting');
  const options = { nowMs: run.atMs, random: () => 0.5, stopAtGates: true };
  const next = new Scheduler(skeleton, options, sent(run.scheduler.snapshot()));
  next.apply({ what: 'action', action: { action: 'resume' }, atMs: run.atMs, no: next.lastApplied + 1 });
  expect(next.next()).toContainEqual(expect.objectContaining({ do: 'start', step: 0 }));
});

const ENGINE = join(__dirname, '../../src/engine');
/** Folders of classes that hold what a scheduler knows. */
const FOLDERS = ['cache', 'gates', 'notify', 'outages', 'run'];
/** Files whose state is in the snapshot otherwise, or is made anew from it. */
const SAVED_OTHERWISE = [
  'outages/liveness.ts',
  'run/ready-queue.ts',
  'run/run-graph.ts',
  'run/scheduler.ts',
  'run/heap.ts',
  'run/state-counts.ts',
];

/** Where true only costs a look. */
const MADE_ANEW = ['  #mayWait = true;'];

test('given every engine policy, then its state is part of a snapshot', () => {
  const named = readFileSync(join(ENGINE, 'run/policies.ts'), 'utf8');
  const files = FOLDERS.flatMap((folder) => readdirSync(join(ENGINE, folder)).map((name) => `${folder}/${name}`));
  for (const file of files.filter((name) => !SAVED_OTHERWISE.includes(name))) {
    const text = readFileSync(join(ENGINE, file), 'utf8');
    for (const [, name, body] of text.matchAll(/^export class (\w+)[^{]*\{\n([\s\S]*?)^\}/gm)) {
      const fields = body!.split('\n').filter((line) => /^  (readonly )?#?\w+\??(!?: |  ?= )/.test(line));
      const own = fields.filter((line) => !line.startsWith('  readonly ') || /= (new (Map|Set)|\[|\{)/.test(line));
      expect([file, own.filter((line) => !line.startsWith('  readonly state') && !MADE_ANEW.includes(line))]).toEqual([
        file,
        [],
      ]);
      if (own.length > 0) expect([file, named]).toEqual([file, expect.stringContaining(`: ${name};`)]);
    }
  }
});
