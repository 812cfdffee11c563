import type { Hash } from '../../model/digest.js';
import type { Phase } from '../../model/drill.js';
import type { StepId } from '../../model/ids.js';
import type { HeartbeatDetails, StepEnding } from '../../model/messages.js';
import type { Proofs } from '../../model/proof.js';
import type { PlanSignatures } from '../plan/ports.js';
import type { Layout, LogWriter, Programs, Store } from '../ports.js';
import type { Toolchain } from '../work.js';

/** The log of one attempt, which keeps secrets and makes a program wait that prints faster than the store takes. */
export interface StepLog extends LogWriter {
  /** From now on `value` prints as `name`, also where a write cuts it. */
  hide(name: string, value: string): void;
  /** A text with every hidden value replaced: for messages that leave the worker. @param atLeast shorter values stay */
  scrub(text: string, atLeast?: number): string;
  /** The first error that a tool named in its output (`ERROR_LINES`). Empty if there is none. */
  firstError(): readonly string[];
  /** Forgets the first error: the program that printed it has succeeded. */
  forgetError(): void;
  /** A promise while the writer should wait; rejects when the log cannot be written. */
  ready(): Promise<void> | undefined;
  /** Writes what waits without the mark of the end: another delivery of the attempt may go on. */
  leave(): Promise<void>;
}

/** Tells Temporal how attempts ended that no longer hold a slot: the next program runs while results are kept. */
export interface Afterwards {
  /** False where enough are being kept already: then the attempt holds its slot to its end.
   * @param beat what is told meanwhile */
  take(taskToken: Uint8Array, ending: Promise<StepEnding>, beat: () => HeartbeatDetails): boolean;
}

/** The worker around every step: handed in once by its composition root. */
export interface StepContext {
  readonly store: Store;
  /** Only plans that they hold for are carried out. */
  readonly signatures: PlanSignatures;
  /** Layout of a release by its name. */
  readonly layout: (release: string) => Layout;
  /** Returns one sentence about what the store waits for. Null while it answers. */
  readonly waitsFor?: () => string | null;
  /** Keys of the home. Left out in tests: then nothing is signed or checked. */
  readonly proofs?: Proofs;
  readonly programs: Programs;
  readonly hash: Hash;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds by a clock that nobody puts forward or back: only the time between two looks at it means something. */
  readonly ticks: () => number;
  /** `.slipway`: work folders and caches live here. */
  readonly home: string;
  /** Folder of our own tools, first on every step's PATH. */
  readonly toolsBin: string;
  /** The worker's own environment: secrets, CA certificates and PATH are taken from it, nothing else. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** It serves control, and its environment holds the credentials of releases: it runs no code of a project. */
  readonly servesControl?: boolean;
  /** Names this worker in results: `linux-x86_64@host`. */
  readonly worker: string;
  /** Left out where an attempt holds its slot until its result is kept. */
  readonly afterwards?: Afterwards;
  /** Aborts when this worker ends: what it does is left to another one. */
  readonly stopping?: AbortSignal;
  /** In what this worker differs from a pinned toolchain. */
  differs?(pinned: Toolchain): Promise<readonly string[]>;
  openLog(prefix: string): StepLog;
  /** Absolute path of this machine's interpreter for a tag such as `cp312`, or null. */
  python?(tag: string): Promise<string | null>;
  /** Only in a crash drill: resolves when the attempt may go on. */
  readonly passes?: (step: StepId, phase: Phase) => Promise<void>;
  /** Address of a service of this machine by name, or null where it is not up. */
  service(name: string): string | null;
}
