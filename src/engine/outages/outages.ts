import type { Problem } from '../../model/failure.js';
import { cacheOf } from '../../model/kinds.js';
import { isTarget, STORE, type Outage, type Service } from '../../model/outage.js';
import type { StepId } from '../../model/ids.js';
import type { StepAction, ActionAnswer } from '../../model/actions.js';
import type { RunGraph } from '../run/run-graph.js';
import { OutageTracker, type Failed, type OutageState, type OutageHost } from './outage-tracker.js';
import { OPENS_AFTER, namedOn, needsOf, trustAtMs, tryInMs, type Breaker } from './breaker.js';
import { earliest } from '../run/earliest.js';
import { GROUP_MS, DeferredSteps } from './deferred-steps.js';
import { Probes } from './probes.js';

/** Handles outages. Steps that need a service that is down wait, and one step at a time probes it. */
export class Outages {
  readonly state: OutageState = { failing: {}, open: {}, past: [], off: false };
  readonly #tracker: OutageTracker;
  readonly #parked: DeferredSteps;
  readonly #probes: Probes;

  constructor(
    private readonly graph: RunGraph,
    private readonly around: OutageHost,
  ) {
    this.#tracker = new OutageTracker(graph, this.state);
    this.#parked = new DeferredSteps(graph, this.state, this.#tracker, around);
    this.#probes = new Probes(graph, this.state, this.#tracker, around);
  }

  /** Returns the outages for the status: open ones, then ended ones. */
  told(): readonly Outage[] {
    return this.#tracker.told();
  }

  get waiting(): boolean {
    return this.#tracker.all().some(([service, breaker]) => this.#tracker.count(service, breaker) > 0);
  }

  /** Whether a ready step may start. A refused step is queued again when its service answers. */
  mayStart(step: number): boolean {
    const down = this.#tracker.of(step);
    if (down.length > 0) this.#probes.takeDue(step, down);
    const mine = down.filter((service) => this.state.open[service]!.probe === step);
    const may = mine.length === down.length;
    for (const service of mine) {
      const breaker = this.state.open[service]!;
      if (may) breaker.probeAtMs = this.graph.nowMs;
      else this.#probes.again(breaker, GROUP_MS); // another outage began while it was queued
    }
    if (!may) this.#parked.park(step);
    else if (down.length === 0) delete this.graph.cells[step]!.awaitsMs;
    return may;
  }

  /** Handles an infrastructure failure.
   * @param usedUp whether it was the last attempt of the budget
   * @returns whether the step waits for a service. The failure then does not count. */
  takes(step: number, problems: readonly Problem[], usedUp: boolean): boolean {
    const told = problems.filter(({ service }) => service !== undefined);
    if (told.length === 0 || !this.#counts(step)) return false;
    const cell = this.graph.cells[step]!;
    const services = [...new Set(told.map(({ service }) => namedOn(service!, this.graph.steps[step]!)))];
    cell.learned = [...new Set([...(cell.learned ?? []), ...services])];
    const down = services.filter((service) => {
      const problem = told.find((one) => namedOn(one.service!, this.graph.steps[step]!) === service)!;
      return this.#fails(service, step, problem, usedUp);
    });
    if (down.length === 0) return false;
    cell.failures.pop();
    this.#parked.park(step);
    return true;
  }

  /** Records that a step is done or its gate was opened.
   * @param cached whether only the store was read */
  succeeded(step: number, cached = false): void {
    const pure = cached && cacheOf(this.graph.steps[step]!) === 'pure';
    for (const service of pure ? [STORE] : needsOf(this.graph.steps[step]!, this.graph.cells[step]!))
      this.#answered(service, step, this.graph.cells[step]!.attemptAtMs ?? 0);
    if (this.graph.steps[step]!.kind === 'publishArtifacts') this.#publishingBegan();
  }

  /** A publishing step first needs every target, because it probes them all. Once publishing begins, it needs only its
   * own. */
  #publishingBegan(): void {
    this.graph.cells.forEach((cell, step) => {
      const { kind, services = [] } = this.graph.steps[step]!;
      if (kind !== 'publishArtifacts' || cell.learned === undefined) return;
      cell.learned = cell.learned.filter((service) => !isTarget(service) || services.includes(service));
      if (cell.awaitsMs === undefined || cell.state !== 'waiting' || this.#tracker.of(step).length > 0) return;
      delete cell.awaitsMs;
      this.graph.requeue(step);
    });
  }

  /** An attempt that began before the outage proves nothing about now. */
  #answered(service: Service, step: number, beganMs: number): void {
    const failing = this.state.failing[service] ?? [];
    const over = failing.filter(({ atMs }) => atMs <= beganMs);
    for (const failed of over) if (failed.step !== step) this.#parked.isAlone(failed.step, service);
    this.state.failing[service] = failing.filter(({ atMs }) => atMs > beganMs);
    const breaker = this.state.open[service];
    if (breaker && (breaker.probe === step || (breaker.trustedMs !== null && beganMs >= breaker.trustedMs)))
      this.#close(service, breaker);
  }

  /** Starts due probes, and fails steps whose wait exceeds its limit. */
  look(): void {
    if (!this.#tracker.isAny()) return;
    for (const step of this.#tracker.parked())
      if (this.#parked.untilMs(step) <= this.graph.nowMs) this.#parked.giveUp(step);
    for (const [service, breaker] of this.#tracker.all()) {
      this.#probes.lookAt(breaker);
      if ((trustAtMs(breaker) ?? Infinity) <= this.graph.nowMs) this.#trust(service, breaker);
      else if (breaker.probe === null && breaker.nextTryAtMs <= this.graph.nowMs) this.#probes.choose(service);
      breaker.most = Math.max(breaker.most, this.#tracker.count(service, breaker));
    }
  }

  /** Returns the next time to call `look`. Null without one. */
  nextMs(): number | null {
    if (!this.#tracker.isAny()) return null;
    const times = this.#tracker
      .all()
      .flatMap(([, breaker]) => [...(breaker.probe === null ? [breaker.nextTryAtMs] : []), trustAtMs(breaker) ?? 0]);
    for (const step of this.#tracker.parked()) times.push(this.#parked.untilMs(step));
    return earliest(times.filter((time) => time > this.graph.nowMs));
  }

  /** Answers `retry` of a step that waits for a service: it probes at once. Null if the action is about something else. */
  answer(action: StepAction): ActionAnswer | null {
    if (action.action !== 'retry' || action.from !== undefined || this.state.off) return null;
    const step = this.graph.steps.findIndex(({ id }) => id === action.step);
    if (action.step === undefined ? this.#isHeld() : !this.#tracker.parked().includes(step)) return null;
    const services = this.#probes.tryNow(action.step === undefined ? null : step);
    if (services.length === 0) return null;
    return {
      ok: true,
      did: `${services.join(' and ')} is tried at once`,
      steps: action.step === undefined ? [] : [action.step],
    };
  }

  retried(id: StepId | undefined): void {
    this.#probes.tryNow(id === undefined ? null : this.graph.steps.findIndex((step) => step.id === id));
  }

  /** Whether a step is held. `retry` without a step then means held steps. */
  #isHeld(): boolean {
    return this.graph.count('held') > 0;
  }

  /** Restarts the waiting times after a pause, which does not count as waiting. */
  goOn(): void {
    for (const step of this.#tracker.parked()) this.graph.cells[step]!.awaitsMs = this.graph.nowMs;
  }

  /** Ends all waiting. Clean-up steps of a cancelled run use their retries instead. */
  stop(): void {
    this.state.off = true;
    const parked = this.#tracker.parked(); // read first: without an open outage it finds none
    for (const [service, breaker] of Object.entries(this.state.open)) {
      this.#tracker.remember(service, breaker);
      delete this.state.open[service];
    }
    for (const step of parked) {
      delete this.graph.cells[step]!.awaitsMs;
      this.graph.requeue(step);
    }
  }

  /** Counts a failure.
   * @returns whether steps now wait for the service */
  #fails(service: Service, step: number, problem: Problem, usedUp: boolean): boolean {
    const breaker = this.state.open[service];
    const cell = this.graph.cells[step]!;
    const lastedMs = this.graph.nowMs - (cell.attemptAtMs ?? this.graph.nowMs);
    if (breaker) {
      this.#stillAway(breaker, step, lastedMs, problem);
      return true;
    }
    const failing = (this.state.failing[service] ??= []);
    failing.push({ step, atMs: this.graph.nowMs });
    if (!usedUp && failing.length < OPENS_AFTER) return false;
    this.#open(service, failing, lastedMs, problem);
    return true;
  }

  /** Takes back the failures that opened the outage, except the last one. */
  #open(service: Service, failing: readonly Failed[], slowestMs: number, { message, next }: Problem): void {
    delete this.state.failing[service];
    const nextTryAtMs = this.graph.nowMs + tryInMs(0, this.around.random());
    this.state.open[service] = {
      ...{ sinceMs: this.graph.nowMs, tries: 0, nextTryAtMs, probe: null, probeAtMs: null, tried: {}, wanted: null },
      ...{ slowestMs, trustedMs: null, most: 1, message, next },
    };
    for (const { step } of failing.slice(0, -1)) {
      const { failures, state } = this.graph.cells[step]!;
      const at = failures.lastIndexOf('infra');
      if (at >= 0) failures.splice(at, 1);
      if (state === 'backing off') this.#parked.park(step);
    }
  }

  #stillAway(breaker: Breaker, step: number, lastedMs: number, { message, next }: Problem): void {
    Object.assign(breaker, { message, next, slowestMs: Math.max(breaker.slowestMs, lastedMs) });
    if (breaker.probe !== step && breaker.trustedMs === null) return; // it began before the outage
    breaker.tries++;
    breaker.trustedMs = null;
    this.#probes.again(breaker, tryInMs(breaker.tries, this.around.random()));
  }

  #trust(service: Service, breaker: Breaker): void {
    breaker.trustedMs = this.graph.nowMs;
    this.#parked.letGo(service);
  }

  #close(service: Service, breaker: Breaker): void {
    this.#tracker.remember(service, breaker);
    delete this.state.open[service];
    for (const step of this.#tracker.waiters(service))
      if (this.graph.cells[step]!.learned?.includes(service)) this.#parked.isAlone(step, service);
    this.#parked.letGo(service);
  }

  /** Proofs never wait, because they report missing things early. Steps without retries never wait either. */
  #counts(step: number): boolean {
    const { stage, retry } = this.graph.steps[step]!;
    return !this.state.off && stage !== 'prove' && retry.infra.times > 0;
  }
}
