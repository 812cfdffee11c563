import { getExternalWorkflowHandle, log, startChild, type ChildWorkflowHandle } from '@temporalio/workflow';
import { generationWorkflowId } from '../../model/ids.js';
import { unawaited } from '../fatal-errors.js';
import { InOrder } from './in-order.js';
import { relaySignal, type GenerationInput, type Relayed, type GenerationReport } from './messages.js';

/** Why a generation closed; null: it came to its end. */
export type Closed = { readonly number: number; readonly error: unknown };

/** The generations of a run that are open. Nothing here rejects: every ending is told. */
export class Children {
  readonly #open = new Map<
    number,
    { readonly workflowId: string; sent: number; readonly reports: InOrder<GenerationReport> }
  >();

  constructor(
    private readonly onReport: (report: GenerationReport) => void,
    private readonly onClosed: (closed: Closed) => void,
  ) {}

  get size(): number {
    return this.#open.size;
  }

  /** Anybody may send a signal of that name. */
  heard(report: GenerationReport | null | undefined): void {
    this.#open.get(report?.from ?? -1)?.reports.take(report!);
  }

  async start(input: GenerationInput): Promise<void> {
    const { number, root } = input;
    const workflowId = generationWorkflowId(root.workflowId, root.runId, number);
    this.#open.set(number, { workflowId, sent: 0, reports: new InOrder(this.onReport) });
    const close = (error: unknown): void => {
      this.#open.delete(number);
      this.onClosed({ number, error });
    };
    try {
      const child = await startChild('generation', {
        ...{ workflowId, args: [input], parentClosePolicy: 'REQUEST_CANCEL' as const },
        staticSummary: `generation ${number} of ${root.workflowId}`,
      });
      unawaited(followed(child, close));
    } catch (error) {
      close(error);
    }
  }

  /** One that is gone has told all that it had to tell. */
  send(number: number, relayed: Omit<Relayed, 'no'>): void {
    const child = this.#open.get(number);
    if (child === undefined) return;
    getExternalWorkflowHandle(child.workflowId)
      .signal(relaySignal, { no: ++child.sent, ...relayed })
      .catch((error: unknown) => log.warn('a generation takes no messages', { number, error }));
  }
}

const followed = (child: ChildWorkflowHandle<never>, close: (error: unknown) => void): Promise<void> =>
  child.result().then(() => close(null), close);
