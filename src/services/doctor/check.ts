import type { Receiver } from '../../model/policy/place.js';
import type { ServicesState } from '../state.js';

export interface Finding {
  readonly name: string;
  readonly ok: boolean;
  /** The answer of a real request, or what is missing. */
  readonly detail: string;
  /** Command that fixes it. Empty if it is sound. */
  readonly mend: string;
}
export interface Patient {
  readonly home: string;
  readonly toolsBin: string;
  readonly env: NodeJS.ProcessEnv;
  /** Folder in which the command was typed: profiles may lie beside a release file there. */
  readonly folder: string;
  readonly state: ServicesState | null;
  /** Addresses of plans, whose servers are asked. */
  readonly named: readonly Receiver[];
  /** `FEATURE_PLANS`, for checks of features that read release files. */
  plans(): Promise<Readonly<Record<string, object>>>;
}

type Found = Finding | readonly Finding[];
/** Asks about one part of a machine. */
export type DoctorCheck = (patient: Patient) => Found | Promise<Found>;
/** By feature. `object`: it may have no checks. */
export type Checked = Readonly<Record<string, object & { readonly doctor?: readonly DoctorCheck[] }>>;

export const well = (name: string, detail: string): Finding => ({ name, ok: true, detail, mend: '' });
export const ill = (name: string, detail: string, mend: string): Finding => ({ name, ok: false, detail, mend });

/** Command for a service that does not answer: the supervisor's own restarts have not helped. */
export const AGAIN = 'slipway down && slipway up';
