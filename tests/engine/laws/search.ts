import fc from 'fast-check';
import type { Law } from './law.js';

export interface Search {
  readonly seed: number;
  /** Worlds to draw. */
  readonly runs: number;
  /** No world is played after that time; absent: all are. */
  readonly untilMs?: number;
  /** Then shrinking stops with the smallest world so far. */
  readonly shrinkMs: number;
  /** Milliseconds. */
  readonly clock: () => number;
  /** Told of a broken law before shrinking starts. */
  readonly tell: (line: string) => void;
}

/** A world in which a law is broken. */
export interface Find {
  readonly law: string;
  readonly seed: number;
  readonly path: string;
  /** The smallest that was found in time. */
  readonly world: unknown;
  readonly cause: string;
}

/** Draws worlds until one breaks the law, then shrinks that one for a limited time.
 * Two passes, because fast-check tells seed and path only after shrinking. */
export function search(law: Law, how: Search): { readonly worlds: number; readonly find: Find | null } {
  const { seed, runs, untilMs = Infinity } = how;
  let worlds = 0;
  const play = (world: unknown): void => {
    if (how.clock() >= untilMs) return;
    worlds++;
    law.holds(world);
  };
  const drawn = fc.check(fc.property(law.worlds, play), { seed, numRuns: runs, endOnFailure: true });
  if (!drawn.failed) return { worlds, find: null };
  const path = drawn.counterexamplePath!;
  how.tell(`${law.id}: broken, seed ${seed}, path "${path}"; shrinking for at most ${how.shrinkMs / 1000} s`);
  const { world, error } = shrunk(law, how, path);
  return { worlds, find: { law: law.id, seed, path, world, cause: causeOf(error) } };
}

/** Out of time, every smaller world counts as one that keeps the law: then fast-check soon has no other to try. */
function shrunk(law: Law, { seed, shrinkMs, clock }: Search, path: string): { world: unknown; error: unknown } {
  const untilMs = clock() + shrinkMs;
  let isFirst = true;
  const play = (world: unknown): void => {
    if (!isFirst && clock() >= untilMs) return;
    isFirst = false;
    law.holds(world);
  };
  const { counterexample, errorInstance } = fc.check(fc.property(law.worlds, play), {
    ...{ seed, path, numRuns: 1, endOnFailure: false },
  });
  return { world: counterexample![0], error: errorInstance };
}

const causeOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
