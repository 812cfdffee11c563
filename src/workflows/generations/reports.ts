import { CancellationScope, getExternalWorkflowHandle, sleep, condition } from '@temporalio/workflow';
import type { Scheduler } from '../../engine/run/scheduler.js';
import { unawaited } from '../fatal-errors.js';
import { parts } from './parts.js';
import { reportSignal, type GenerationInput, type GenerationReport } from './messages.js';

/** The root shows what it was told last: news wait so long for more. */
const APART_MS = 2000;
/** A run of days tells ever more seldom: the server takes ten thousand signals of a run. */
const SHARE_OF_AGE = 1 / 1000;

type Urgent = Pick<GenerationReport, 'answers' | 'aborts' | 'tellings'>;

/** What a generation tells the root: how the run stands, now and then; what somebody waits for, at once. */
export class Reports {
  readonly #urgent: { [Key in keyof Urgent]-?: NonNullable<Urgent[Key]>[number][] } = {
    ...{ answers: [], aborts: [], tellings: [] },
  };
  #lastMs = Date.now();
  #timer: { readonly scope: CancellationScope; readonly atMs: number } | null = null;
  #unsent = 0;
  #count = 0;
  /** What people look at first, as it was told last. */
  #headline = '';

  /** @param onGone told when the root takes no reports any more */
  constructor(
    private readonly input: Pick<GenerationInput, 'number' | 'root'>,
    private readonly scheduler: Scheduler,
    private readonly onGone: () => void,
  ) {}

  add<Key extends keyof Urgent>(key: Key, one: NonNullable<Urgent[Key]>[number]): void {
    (this.#urgent[key] as unknown[]).push(one);
  }

  /** Asked whenever something happened. */
  look(): void {
    if (Object.values(this.#urgent).some((list) => list.length > 0)) return this.tell();
    // A clock that was put back would have the last report lie ahead.
    this.#lastMs = Math.min(this.#lastMs, Date.now());
    const dueMs = this.#lastMs + this.#apartMs();
    if (dueMs <= Date.now()) this.tell();
    else if (this.#timer === null || this.#timer.atMs > dueMs) this.#wakeAt(dueMs);
  }

  /** How the run stands now, and all that waits to be told. */
  tell(last: Pick<GenerationReport, 'handedOver' | 'ended'> = {}): void {
    this.stop();
    this.#lastMs = Date.now();
    this.#headline = this.#headlineNow();
    const { cells, ...around } = this.scheduler.carrier.changes();
    const all = parts(cells);
    for (const part of all.slice(0, -1)) this.send({ learnt: { ...around, cells: part } });
    this.send({ learnt: { ...around, cells: all.at(-1)! }, ...this.#taken(), ...last });
  }

  send(report: Omit<GenerationReport, 'from' | 'no'>): void {
    const { number, root } = this.input;
    const numbered = { from: number, no: ++this.#count, ...report };
    this.#unsent++;
    const sending = CancellationScope.nonCancellable(() =>
      getExternalWorkflowHandle(root.workflowId, root.runId).signal(reportSignal, numbered),
    );
    unawaited(sending.catch(this.onGone).finally(() => this.#unsent--));
  }

  /** Resolves when the root has all that was sent. */
  async sent(): Promise<void> {
    await condition(() => this.#unsent === 0);
  }

  stop(): void {
    this.#timer?.scope.cancel();
    this.#timer = null;
  }

  #taken(): Partial<Urgent> {
    const { answers, aborts, tellings } = this.#urgent;
    const taken = { answers: answers.splice(0), aborts: aborts.splice(0), tellings: tellings.splice(0) };
    return Object.fromEntries(Object.entries(taken).filter(([, list]) => list.length > 0));
  }

  #apartMs(): number {
    if (this.#headline !== this.#headlineNow()) return APART_MS;
    return Math.max(APART_MS, (Date.now() - this.scheduler.beganMs) * SHARE_OF_AGE);
  }

  #headlineNow(): string {
    const { held, atGates, still, awaitsService, paused } = this.scheduler;
    return [held, atGates, still, awaitsService, paused, this.scheduler.waiting().length].join();
  }

  #wakeAt(atMs: number): void {
    this.stop();
    const scope = new CancellationScope();
    this.#timer = { scope, atMs };
    const due = (): void => {
      this.#timer = null;
      this.tell();
    };
    const toldMeanwhile = (): void => undefined;
    unawaited(scope.run(() => sleep(Math.max(1, atMs - Date.now()))).then(due, toldMeanwhile));
  }
}
