import { defineSignal } from '@temporalio/workflow';
import type { HandoverInput } from '../../engine/handover/carrier.js';
import type { SchedulerSnapshot } from '../../engine/handover/carry.js';
import type { Input, Numbered } from '../../engine/run/inputs.js';
import type { SchedulerOptions } from '../../engine/run/scheduler.js';
import type { RunId } from '../../model/ids.js';
import type { UnsentNotices, Notice } from '../../model/notice.js';
import type { Priority } from '../../model/priority.js';
import type { WordAnswer } from '../../model/words.js';

/** What every generation of a run knows of it. */
export interface Rules extends Pick<SchedulerOptions, 'onFailure' | 'stopAtGates' | 'startedBy' | 'engine'> {
  readonly priority?: Priority;
  /** Events of a history after which the next generation takes over. */
  readonly handOverAfter: number;
}

/** Input of a generation that takes over. */
export interface GenerationInput {
  /** From 1; the root is generation 0. */
  readonly number: number;
  readonly root: { readonly workflowId: string; readonly runId: RunId };
  readonly rules: Rules;
  readonly baggage: HandoverInput;
  /** How long the root's history is: what steps fail with must fit into it, too. */
  readonly rootBytes?: number;
  /** What happened and is not applied yet, by the root's numbers. */
  readonly inputs: readonly Numbered[];
}

/** From the root to a generation. */
export interface Relayed {
  /** Counts the messages to this generation. */
  readonly no: number;
  /** By the root's numbers. */
  readonly inputs?: readonly Numbered[];
  /** Steps whose attempts are to be stopped, where this generation started them. */
  readonly aborts?: readonly number[];
  /** Words up to this input stand in the audit. */
  readonly kept?: number;
  /** Hand over now: the next one must know more. */
  readonly handOver?: true;
}

/** An attempt that a generation started and still waits for. */
export interface UnderWay {
  readonly step: number;
  readonly attempt: number;
}

/** What became of an attempt, as an input of whoever decides now. */
export type Outcome = Extract<Input, { what: 'ended' | 'opened' | 'known' }>;

/** From a generation to the root. */
export interface GenerationReport {
  /** Its number. */
  readonly from: number;
  /** Counts its reports. */
  readonly no: number;
  /** How the run stands. */
  readonly learnt?: SchedulerSnapshot;
  /** Of words, by the root's numbers. */
  readonly answers?: readonly { readonly no: number; readonly answer: WordAnswer }[];
  /** Steps that an earlier generation started, and that are to be stopped. */
  readonly aborts?: readonly number[];
  readonly tellings?: readonly GenerationNotice[];
  /** Of attempts that it started before it handed over. */
  readonly outcomes?: readonly Outcome[];
  /** It decides nothing any more. */
  readonly handedOver?: { readonly lastRelayed: number; readonly underWay: readonly UnderWay[] };
  /** All steps have ended. */
  readonly ended?: true;
}
export interface GenerationNotice {
  readonly no: number;
  readonly notices: readonly Notice[];
  readonly more: UnsentNotices;
}

export const relaySignal = defineSignal<[Relayed]>('slipway-relay');
export const reportSignal = defineSignal<[GenerationReport]>('slipway-report');
