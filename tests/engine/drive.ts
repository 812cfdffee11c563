import { nonceAt } from './a-gate.js';
import type { FailureClass } from '../../src/model/failure.js';
import type { Command, AttemptResult, Input } from '../../src/engine/run/inputs.js';
import type { SchedulerSnapshot } from '../../src/engine/checkpoint/snapshot.js';
import { Scheduler, type SchedulerOptions } from '../../src/engine/run/scheduler.js';
import type { Digest } from '../../src/model/digest.js';
import type { GateAction, VoidApproval } from '../../src/model/gate.js';
import type { StepAction } from '../../src/model/actions.js';
import type { Skeleton } from '../../src/model/plan.js';
import { aProblem } from './a-skeleton.js';

/** An action about steps, not about gates. */
export type PlainAction = Exclude<StepAction, GateAction>;

/** A scheduler with a clock that goes on by itself, spoken to by step id. */
export class Driven {
  readonly scheduler: Scheduler;
  readonly commands: Command[] = [];
  atMs = 1_000_000;
  #no: number;

  constructor(
    readonly skeleton: Skeleton,
    options: Partial<SchedulerOptions> = {},
    resumed: SchedulerSnapshot | null = null,
  ) {
    this.scheduler = new Scheduler(skeleton, { nowMs: this.atMs, random: () => 0.5, ...options }, resumed);
    this.#no = this.scheduler.lastApplied;
  }

  /** Carries on; answers what the scheduler asked for, in words: `start a`, `abort b`, `wake 500`, `end failed`. */
  next(): readonly string[] {
    const commands = this.scheduler.next();
    this.commands.push(...commands);
    return commands.map((command) => this.#words(command));
  }

  done(id: string, outcome: 'done' | 'cached' = 'done'): readonly string[] {
    return this.ended(id, { outcome, ms: 7, note: 'made' });
  }

  failed(id: string, failure: FailureClass): readonly string[] {
    return this.ended(id, { outcome: 'failed', problems: [aProblem({ class: failure })] });
  }

  ended(id: string, ending: AttemptResult): readonly string[] {
    const step = this.#index(id);
    // The status counts each worker that began the step; the engine counts its own attempts.
    const { attempt: begun, lost = [] } = this.scheduler.status()[step]!;
    const attempt = begun - lost.length;
    return this.say({ what: 'ended', step, attempt, ending, atMs: (this.atMs += 100) });
  }

  wake(): readonly string[] {
    return this.say({ what: 'wake', atMs: (this.atMs += 1000) });
  }

  cancel(reason = 'not today'): readonly string[] {
    return this.say({ what: 'cancel', reason, atMs: (this.atMs += 1000) });
  }

  opened(id: string, manifest: Digest, earlier: readonly VoidApproval[] = []): readonly string[] {
    const step = this.#index(id);
    const attempt = this.scheduler.status()[step]!.attempt;
    return this.say({ what: 'opened', step, attempt, manifest, earlier, targets: [], atMs: (this.atMs += 100) });
  }

  /** @param key of a listed signer; null: not signed */
  atGate(action: GateAction, key: string | null = null): readonly string[] {
    const signer =
      key === null ? null : { fingerprint: `SHA256:${key}`, group: 'core', key: `${key}.pub`, names: [key] };
    const nonce = nonceAt(this.scheduler, action);
    return this.say({ what: 'gate action', action, vetted: { ok: true, signer }, nonce, atMs: (this.atMs += 1000) });
  }

  action(action: PlainAction): readonly string[] {
    return this.say({ what: 'action', action, atMs: (this.atMs += 1000) });
  }

  say(input: Input): readonly string[] {
    this.scheduler.apply({ ...input, no: ++this.#no });
    return this.next();
  }

  states(): Record<string, string> {
    return Object.fromEntries(this.scheduler.status().map(({ id, state }) => [id, state]));
  }

  #index(id: string): number {
    return this.skeleton.steps.findIndex((step) => step.id === id);
  }

  #words(command: Command): string {
    switch (command.do) {
      case 'start':
      case 'open':
      case 'abort':
        return `${command.do} ${this.skeleton.steps[command.step]!.id}`;
      case 'look up':
        return `reuse ${command.from}`;
      case 'wakeAt':
        return `wake ${command.atMs === null ? 'never' : command.atMs - this.atMs}`;
      case 'answer':
        return command.answer.ok ? command.answer.did : command.answer.problem.code;
      case 'notify':
        return `tell ${command.notices.map((one) => `${one.event} ${'step' in one ? one.step : one.service}`).join(', ')}`;
      case 'end':
        return `end ${command.verdict.verdict}`;
      default:
        return command satisfies never;
    }
  }
}
