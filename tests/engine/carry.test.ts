import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { fc } from '../support/fixed-seed.js';
import { apart } from '../../src/engine/handover/carried-cell.js';
import type { HandoverInput } from '../../src/engine/handover/carrier.js';
import type { Command, AttemptResult, Input } from '../../src/engine/run/inputs.js';
import { Outputs } from '../../src/engine/handover/outputs.js';
import { packed, unpacked } from '../../src/engine/handover/packed.js';
import { Scheduler, type SchedulerOptions } from '../../src/engine/run/scheduler.js';
import { NEWEST_ENGINE } from '../../src/model/engines.js';
import { KINDS } from '../../src/model/kinds.js';
import { isAfterOnly, type Skeleton } from '../../src/model/plan.js';
import { aRule, aSigner, aYes, SEALED } from './a-gate.js';
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

/** Steps that run again are told in an order that suits them: what ended and does not matter has no place in it. */
const sorted = (command: Extract<Command, { do: 'answer' }>): Command =>
  JSON.parse(JSON.stringify(command), (key, value: unknown) =>
    key === 'steps' ? [...(value as string[])].sort() : value,
  ) as Command;

/** What people see of it. */
const outside = (one: Scheduler) => [
  ...[one.status(), one.held, one.atGates, one.still, one.paused, one.waiting(), one.cancelling],
  ...[one.outages(), one.awaitsService],
];

/** One scheduler that is never cut, and one that is; what the second tells is learnt by a third, which only shows it. */
class Twins {
  readonly whole: Scheduler;
  readonly shown: Scheduler;
  #parts: Scheduler;
  readonly #options: SchedulerOptions;
  readonly #luck = chance();
  /** Output of failed attempts goes past the one that decides. */
  readonly #outputs = new Outputs();
  /** Answers that need no scheduler that goes on. */
  #alone: Extract<Command, { do: 'answer' }>[] = [];
  readonly running = new Map<number, Extract<Command, { do: 'start' | 'open' | 'reuse' }>>();
  readonly ended: { readonly step: number; readonly attempt: number }[] = [];
  #timers: [number | null, number | null] = [null, null];
  #no = 0;

  constructor(
    readonly skeleton: Skeleton,
    options: Partial<SchedulerOptions>,
  ) {
    // A hand-over raises the rules: both begin with the newest.
    const all = { nowMs: 1_000_000, stopAtGates: true, startedBy: 'ann', engine: NEWEST_ENGINE, ...options };
    this.whole = new Scheduler(skeleton, { ...all, random: chance() });
    this.#options = { ...all, random: this.#luck };
    this.shown = new Scheduler(skeleton, this.#options);
    this.#parts = new Scheduler(skeleton, this.#options);
  }

  /** Both go on; they must want the same. */
  next(): void {
    const [one, other] = [
      this.whole.next(),
      [...this.#alone, ...this.#parts.next().filter((command) => !this.#isNote(command))],
    ];
    this.#alone = [];
    for (const [at, commands] of [one, other].entries())
      for (const command of commands) if (command.do === 'wakeAt') this.#timers[at] = command.atMs;
    const [wanted, got] = [one, other].map((commands) => this.#inOrder(commands));
    same(got, wanted);
    const without = (commands: readonly Command[]) => commands.filter((command) => command.do !== 'wakeAt').length;
    same(without(other), without(one));
    same(this.#timers[1], this.#timers[0]);
    for (const command of wanted!)
      if (command.do === 'start' || command.do === 'open' || command.do === 'reuse')
        this.running.set(command.step, command);
  }

  get wakeAtMs(): number | null {
    return this.#timers[0];
  }

  apply(input: Input): void {
    if (input.what === 'wake') this.#timers = [null, null];
    if (input.what === 'word' && 'from' in input.word) this.cut(input.word.from);
    const numbered = { ...input, no: ++this.#no };
    this.whole.apply(numbered);
    const alone = 'word' in input ? this.shown.answers.answerAlone(input.word) : null;
    if (alone !== null) this.#alone.push({ do: 'answer', no: this.#no, answer: alone });
    const relayed = input.atMs % 2 === 0 ? this.#outputs.keep(numbered) : numbered;
    this.#parts.apply(alone === null ? relayed : { ...numbered, what: 'word', word: A_NOTE }); // for its time only
    // What was settled may not be so any more.
    if (input.what === 'cancel' || (input.what === 'word' && 'from' in input.word)) this.tell();
  }

  tell(): void {
    const { cells, ...told } = sent(this.#parts.carrier.changes());
    this.shown.carrier.learn({ ...told, cells: this.#outputs.giveBack(apart(cells)) });
    same(outside(this.shown), outside(this.whole));
  }

  /** Without the timer, which each sets anew, and the verdict over what remained. Queues have nothing to do with each other. */
  #inOrder(commands: readonly Command[]): readonly Command[] {
    const queueOf = (command: Command): string =>
      'step' in command && command.step >= 0 ? this.skeleton.steps[command.step]!.on : '';
    return commands
      .filter((command) => command.do !== 'wakeAt' && command.do !== 'end')
      .map((command) => (command.do === 'answer' ? sorted(command) : command))
      .sort((a, b) => (queueOf(a) < queueOf(b) ? -1 : queueOf(a) > queueOf(b) ? 1 : 0));
  }

  #isNote(command: Command): boolean {
    return command.do === 'answer' && this.#alone.some(({ no }) => no === command.no);
  }

  /** Another goes on, from what the one that shows knows. */
  cut(from?: string): void {
    this.tell();
    const baggage: HandoverInput = sent(this.shown.carrier.whole(from));
    const open = this.whole.status().filter(({ state }) => OPEN.includes(state));
    // Before anything runs again, only what has not ended travels.
    if (from === undefined && baggage.carried.run.round === 1)
      expect(unpacked(baggage.skeleton).known).toHaveLength(open.length);
    this.#parts = Scheduler.resumed(baggage, this.#options);
    this.#timers[1] = null;
  }
}
const A_NOTE = { word: 'note', reason: 'only a word' } as const;
const OPEN = ['waiting', 'running', 'backing off', 'held', 'at gate'];

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
    else if (draw(3) === 0) twins.tell();
    nowMs += draw(50);
    twins.apply(happening());
  }
  twins.tell();
  return twins;

  function happening(): Input {
    const step = draw(skeleton.steps.length);
    const { id } = skeleton.steps[step]!;
    switch (draw(16)) {
      case 0:
        return { what: 'word', word: { word: 'retry', ...(anew && draw(3) === 0 && { from: id }) }, atMs: nowMs };
      case 1:
        return { what: 'word', word: { word: (['retry', 'cancel'] as const)[draw(2)]!, step: id }, atMs: nowMs };
      case 2:
        return { what: 'word', word: { word: 'skip', step: id, reason: 'not today' }, atMs: nowMs };
      case 3:
        return { what: 'word', word: { word: draw(3) === 0 ? 'pause' : 'resume' }, atMs: nowMs };
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
    const word = draw(4) === 0 ? { ...yes, word: 'reject' as const, reason: 'typo' } : yes;
    return { what: 'gate word', word, vetted: { ok: true, signer: aSigner(['kim', 'lee'][draw(2)]!) }, atMs: nowMs };
  }

  function attemptOver(): Input {
    const all = [...twins.running.values()];
    if (all.length === 0) return wake();
    const command = all[draw(all.length)]!;
    twins.running.delete(command.step);
    if (command.do === 'reuse') return aWalk(skeleton, command, draw, nowMs);
    twins.ended.push(command);
    if (command.do === 'open' && draw(4) > 0)
      return { what: 'opened', ...attempt(command), manifest: MANIFESTS[0], earlier: [], atMs: nowMs };
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

test.each([1, 4, 20])('cut at one moment in %i, a run wants the same, tells the same and ends the same', (cutOneIn) => {
  let ended = 0;
  fc.assert(
    fc.property(worlds, (world) => {
      const { whole, shown } = play(world, cutOneIn);
      if (!whole.ended) return;
      ended++;
      expect(shown.verdict()).toEqual(whole.ended);
    }),
    { numRuns: 120, endOnFailure: true },
  );
  expect(ended).toBeGreaterThan(30);
});

test('a gate that once waited for a service, and was passed while the run was paused, starts in the next generation', () => {
  const gate = aRule({ quorum: 1 });
  const run = new Driven(aSkeleton([{ id: 'gates/ship', kind: 'passGate', gate }]), { stopAtGates: true });
  const state = () => run.scheduler.status()[0]!.state;
  run.next();
  const problems = [aProblem({ class: 'infra', service: 'Docker' })];
  for (let failures = 0; failures < 4; failures++) {
    run.ended('gates/ship', { outcome: 'failed', problems });
    for (let wakes = 0; state() !== 'running' && wakes < 200; wakes++) run.wake();
  }
  expect(run.scheduler.awaitsService).toBe(true); // it is let through, to see whether Docker answers
  run.opened('gates/ship', SEALED);
  run.say({ what: 'word', word: { word: 'pause' }, atMs: run.atMs });
  const signer = { fingerprint: 'SHA256:kim', group: 'core', key: 'kim.pub', names: ['kim'] };
  run.say({ what: 'gate word', word: aYes({ by: 'kim' }), vetted: { ok: true, signer }, atMs: run.atMs });
  expect(state()).toBe('waiting');
  const next = Scheduler.resumed(sent(run.scheduler.carrier.whole()), { random: () => 0.5, stopAtGates: true });
  next.apply({ what: 'word', word: { word: 'resume' }, atMs: run.atMs, no: next.lastApplied + 1 });
  expect(next.next()).toContainEqual(expect.objectContaining({ do: 'start', step: 0 }));
});

test('a skeleton comes out of its parcel as it went in, and what remains keeps its numbers', () => {
  fc.assert(
    fc.property(worlds, fc.nat(4), ({ skeleton }, salt) => {
      const { known, ...all } = unpacked(sent(packed(skeleton)));
      expect(all).toEqual(skeleton);
      expect(known).toEqual([...skeleton.steps.keys()]);
      const rest = unpacked(sent(packed(skeleton, (step) => (step + salt) % 3 > 0)));
      for (const step of rest.known) {
        const { needs, ...own } = skeleton.steps[step]!;
        const left = (on: number): boolean => rest.known.includes(on);
        const edges = { wants: own.wants.filter(left), after: own.after.filter(left) };
        expect({ ...rest.steps[step], afterOnly: 0 }).toEqual({
          ...own,
          ...edges,
          needs: needs.filter(left),
          afterOnly: 0,
        });
        expect(isAfterOnly(rest.steps[step]!)).toBe(isAfterOnly(skeleton.steps[step]!));
      }
    }),
  );
});

const ENGINE = join(__dirname, '../../src/engine');
/** Not of a run, or made anew from what is carried. */
/** They hold what a scheduler knows. */
const FOLDERS = ['cache', 'gates', 'handover', 'notify', 'outages', 'run'];
const CARRIED_OTHERWISE = [
  'outages/liveness.ts',
  'run/ready-queue.ts',
  'run/run-graph.ts',
  'run/scheduler.ts',
  'handover/carrier.ts',
  'handover/packed.ts',
  'run/heap.ts',
  'run/state-counts.ts',
  'handover/outputs.ts', // of the root, which stays
];

/** Where true only costs a look. */
const MADE_ANEW = ['  #mayWait = true;'];

test('every policy keeps what it knows in `state`, and is named among those that travel', () => {
  const named = readFileSync(join(ENGINE, 'run/policies.ts'), 'utf8');
  const files = FOLDERS.flatMap((folder) => readdirSync(join(ENGINE, folder)).map((name) => `${folder}/${name}`));
  for (const file of files.filter((name) => !CARRIED_OTHERWISE.includes(name))) {
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
