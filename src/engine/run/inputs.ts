import type { Digest } from '../../model/digest.js';
import type { Problem } from '../../model/failure.js';
import type { GateWord, OpenedGate, Vetted } from '../../model/gate.js';
import type { BehindSeal, Verdict } from '../../model/messages.js';
import type { Notice, UnsentNotices } from '../../model/notice.js';
import type { Found, ReuseInput, WALK } from '../../model/reuse.js';
import type { Slots, UnservedQueue } from '../../model/worker.js';
import type { StepWord, WordAnswer } from '../../model/words.js';

/** How one attempt of a step ended. */
export type AttemptResult =
  | {
      readonly outcome: 'done' | 'cached';
      readonly ms: number;
      readonly note: string;
      /** Digest of the manifest; only the seal's ending has it. */
      readonly sealed?: Digest;
    }
  | { readonly outcome: 'failed'; readonly problems: readonly Problem[] };

export type Success = Extract<AttemptResult, { outcome: 'done' | 'cached' }>;

/** Everything that can happen to a run. Times are milliseconds since 1970. */
export type Input =
  | {
      readonly what: 'ended';
      readonly step: number;
      readonly attempt: number;
      readonly ending: AttemptResult;
      readonly atMs: number;
    }
  /** What a gate stands before. */
  | ({
      readonly what: 'opened';
      readonly step: number;
      readonly attempt: number;
      readonly atMs: number;
    } & OpenedGate)
  /** What a walk over known work came to; one that failed comes as an ending of the step WALK. */
  | {
      readonly what: 'known';
      readonly step: typeof WALK;
      /** Number of the walk. */
      readonly attempt: number;
      readonly found: readonly Found[];
      /** As in `packedNumbers`. */
      readonly unknown: string;
      readonly atMs: number;
    }
  | { readonly what: 'wake'; readonly atMs: number }
  /** All queues of the plan that nobody serves now, and the slots of all of which they are known; absent: nothing is told of slots. */
  | {
      readonly what: 'fleet';
      readonly unserved: readonly UnservedQueue[];
      readonly slots?: Slots;
      readonly atMs: number;
    }
  | { readonly what: 'cancel'; readonly reason: string; readonly atMs: number }
  | { readonly what: 'word'; readonly word: Exclude<StepWord, GateWord>; readonly atMs: number }
  /** A word at a gate; who said it was looked into. */
  | {
      readonly what: 'gate word';
      readonly word: GateWord;
      readonly vetted: Vetted;
      /** Nonce of the gate's opening for which the word was vetted. Absent in older histories. */
      readonly nonce?: string;
      readonly atMs: number;
    };

/** Where a walk over known work begins. */
export type LookupFrom = Pick<ReuseInput, 'round' | 'from' | 'ended' | 'except'>;

/** Inputs count from 1 without gaps; one that was applied already is ignored, so that a relay may repeat itself. */
export type Numbered = Input & { readonly no: number };

/** What the scheduler wants done. */
export type Command =
  /** `round`: the run's last, where it is not the first. */
  | ({ readonly do: 'start'; readonly step: number; readonly attempt: number; readonly round?: number } & BehindSeal)
  /** Find out what a gate stands before; comes back as `opened`, or as an ending that failed. */
  | ({ readonly do: 'open'; readonly step: number; readonly attempt: number } & BehindSeal)
  /** Look up what is known, from steps that could begin onwards; comes back as `known`, or as an ending that failed. */
  | ({ readonly do: 'reuse'; readonly step: typeof WALK; readonly attempt: number } & LookupFrom)
  /** Ask a running attempt to stop; its ending still comes as an input. */
  | { readonly do: 'abort'; readonly step: number }
  /** Set the one timer, in place of any earlier one; null: none is needed. */
  | { readonly do: 'wakeAt'; readonly atMs: number | null; readonly inMs: number | null }
  /** Of the word that came as the input with this number. */
  | { readonly do: 'answer'; readonly no: number; readonly answer: WordAnswer }
  /** Tell people what waits for them; messages of a run count from 1. */
  | { readonly do: 'tell'; readonly no: number; readonly notices: readonly Notice[]; readonly more: UnsentNotices }
  | { readonly do: 'end'; readonly verdict: Verdict };
