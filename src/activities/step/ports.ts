import type { PolicyFile } from '../../plan/policy/judge.js';
import type { Hash } from '../../model/digest.js';
import type { Phase } from '../../model/drill.js';
import type { StepId } from '../../model/ids.js';
import type { HeartbeatDetails, StepEnding } from '../../model/messages.js';
import type { Proofs } from '../../model/proof.js';
import type { Credential } from '../../model/service-login.js';
import type { PlanSignatures } from '../plan/ports.js';
import type { Layout, LogWriter, Programs, Store } from '../ports.js';
import type { Toolchain } from '../work.js';

/** Log of one attempt. It hides secrets, and slows down a program that prints faster than the store writes. */
export interface StepLog extends LogWriter {
  /** Prints `name` in place of `value` from now on, also if `value` is split over two writes. */
  hide(name: string, value: string): void;
  /** Returns a text with hidden values replaced, for messages that leave the worker.
   * @param atLeast shorter values stay */
  scrub(text: string, atLeast?: number): string;
  /** The first error that a tool named in its output (`ERROR_LINES`). Empty if there is none. */
  firstError(): readonly string[];
  /** Forgets the first error: the program that printed it has succeeded. */
  forgetError(): void;
  /** Returns a promise while the writer must wait. It rejects if the log cannot be written. */
  ready(): Promise<void> | undefined;
  /** Flushes the log without marking its end, since another delivery of the attempt may continue it. */
  leave(): Promise<void>;
}

/** Reports to Temporal the end of attempts that have released their slot. The next step runs while results are stored.
 */
export interface Afterwards {
  /** Returns false if too many results are being stored; the attempt then keeps its slot to its end.
   * @param beat details of heartbeats until then
   * @param onLost called if Temporal cannot be reached: it then retries the step, which finds the result */
  take(
    taskToken: Uint8Array,
    ending: Promise<StepEnding>,
    beat: () => HeartbeatDetails,
    onLost: (error: unknown) => void,
  ): boolean;
}

/** The worker's ports and settings for every step; main makes it once. */
export interface StepContext {
  readonly store: Store;
  /** Only signed plans are carried out. */
  readonly signatures: PlanSignatures;
  readonly layout: (release: string) => Layout;
  /** Returns one sentence about what the store waits for. Null while it answers. */
  readonly waitsFor?: () => string | null;
  /** Keys of the home. Absent in tests, in which nothing is signed or verified. */
  readonly proofs?: Proofs;
  readonly programs: Programs;
  readonly hash: Hash;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds of a monotonic clock; only differences are meaningful. */
  readonly ticks: () => number;
  /** `.slipway`: holds work folders and caches. */
  readonly home: string;
  /** Folder of Slipway's own tools, first on every step's PATH. */
  readonly toolsBin: string;
  /** The worker's own environment: the only source of secrets, CA certificates and PATH. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Limits of this worker. Absent: as without a policy. */
  readonly policy?: { readonly path: string; read(): Promise<PolicyFile | null> };
  /** True if it serves control. Its environment then holds credentials, so it runs no code of a project. */
  readonly servesControl?: boolean;
  /** Name of this worker in results: `linux-x86_64@host`. */
  readonly worker: string;
  /** If absent, an attempt holds its slot until its result is stored. */
  readonly afterwards?: Afterwards;
  /** Aborts when this worker ends; another worker takes over its steps. */
  readonly stopping?: AbortSignal;
  /** Returns how this worker's tools differ from a pinned toolchain. */
  differs?(pinned: Toolchain): Promise<readonly string[]>;
  openLog(prefix: string): StepLog;
  /** Returns the absolute path of the interpreter for a tag such as `cp312`, or null. */
  python?(tag: string): Promise<string | null>;
  /** Counts an attempt for the worker's page of metrics. */
  readonly counts?: (kind: string, ending: Promise<StepEnding>) => void;
  /** For drills only: resolves when the attempt may go on. */
  readonly passes?: (step: StepId, phase: Phase) => Promise<void>;
  /** Returns the address of a service of this machine. Null if it is down. */
  service(name: string): string | null;
  /** Returns this home's credential for a service. Null if the service asks for none, or this worker lacks the secret. */
  login?(name: string): Credential | null;
}
