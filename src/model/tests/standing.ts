import type { RunId } from '../ids.js';
import type { Chain } from '../run-folder.js';
import type { Infer } from '../schema/infer.js';
import type { KeepStandings } from '../schema/sections/standings.js';

/** State of a test over many nights. */
export const STANDING_NAMES = ['passing', 'failing', 'consistently failing', 'flaky', 'jailed'] as const;
export type StandingName = (typeof STANDING_NAMES)[number];

/** A test's result of one night. P: passed. p: passed after a failure of its own in the same run. F: failed. I: failed because of the
 * infrastructure, or has no result. S: was not chosen, or an earlier run's result was reused. */
export type Letter = 'P' | 'p' | 'F' | 'I' | 'S';

/** `standings:` of a release file, with durations in milliseconds. */
export type StandingsPolicy = Infer<typeof KeepStandings>;

/** A failing test that blocks nothing until a date. */
export interface Jail {
  readonly owner: string;
  /** ISO 8601. */
  readonly until: string;
  readonly reason: string;
  /** The user who jailed it. Null if it was jailed by its failures. */
  readonly by: string | null;
}

export interface Issue {
  readonly number: number;
  readonly open: boolean;
}

/** State and history of one test. */
export interface Standing {
  /** The name that people know. */
  readonly title: string;
  readonly state: StandingName;
  /** Number of the night in which the state began. */
  readonly since: number;
  /** One `Letter` for each night, the oldest first; the last is the last night of the record. */
  readonly letters: string;
  readonly owner: string | null;
  readonly team: string | null;
  readonly jail: Jail | null;
  /** Its jail ended while it failed. Only a user can jail it again, until it passes. */
  readonly served?: true;
  readonly issue: Issue | null;
  /** Commit, or span of commits, that a bisect found. */
  readonly blamed: string | null;
}

/** A run that counted. Nights have consecutive numbers from 1, and no dates of their own: a run is a night. */
export interface Night {
  readonly no: number;
  readonly run: RunId;
  readonly label: string;
  /** End of the run's tests, ISO 8601. */
  readonly at: string;
  readonly commit: string | null;
}

/** Work that follows from a move. Reporters and the bisect carry it out. */
export type Consequence =
  | { readonly do: 'bisect'; readonly good: string; readonly bad: string }
  | { readonly do: 'openIssue'; readonly labels: readonly string[]; readonly blocker: boolean }
  | {
      readonly do: 'comment';
      /** Null if no issue is known: the reporter looks for it. */
      readonly issue: number | null;
      readonly text: string;
      readonly addLabels: readonly string[];
      readonly removeLabels: readonly string[];
    }
  | { readonly do: 'closeIssue'; readonly issue: number | null; readonly text: string };

/** A change of state, or news of a test that keeps its state: `from` and `to` are then the same. */
export interface Move {
  readonly test: string;
  readonly from: StandingName;
  readonly to: StandingName;
  /** One sentence. */
  readonly because: string;
  readonly consequences: readonly Consequence[];
}

/** An action of a person, reporter or bisect on a test between two nights. The next fold applies it. Record
 * `test-actions/<pipeline>/<profile>/<branch>/000001`, create-once. */
export type TestAction = {
  readonly slipway: 1;
  /** The test's name in records. */
  readonly test: string;
  readonly by: string;
  /** ISO 8601. */
  readonly at: string;
} & (
  | { readonly action: 'jail'; readonly owner: string; readonly until: string; readonly reason: string }
  | { readonly action: 'unjail'; readonly reason: string }
  | { readonly action: 'issue'; readonly issue: Issue }
  | { readonly action: 'blame'; readonly commits: string }
);

/** All tests of a pipeline after a night. Record `standings/<pipeline>/<profile>/<branch>/000001`, create-once; its number is that of
 * its last night. */
export interface Standings extends Chain {
  readonly slipway: 1;
  /** Nights that letters are about, the oldest first. */
  readonly nights: readonly Night[];
  /** Number of the last action that is in it. */
  readonly actions: number;
  readonly tests: Readonly<Record<string, Standing>>;
  /** Moves of the last night. */
  readonly moves: readonly Move[];
}
