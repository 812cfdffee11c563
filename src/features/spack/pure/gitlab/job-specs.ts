import type { Lock, LockedSpec } from '../lock.js';

/** A spec with a job of its own. */
export interface JobSpec {
  readonly spec: LockedSpec;
  /** Hashes of the specs whose jobs come before. */
  readonly needs: readonly string[];
  /** Jobs on the longest path below it. */
  readonly stage: number;
}

/** Returns specs that are not external, by hash, each after those that it needs. What needs an external spec needs the specs below it. */
export function jobSpecs(lock: Lock): ReadonlyMap<string, JobSpec> {
  const jobs = new Map<string, JobSpec>();
  /** Specs with jobs in place of an external one. */
  const behind = new Map<string, readonly string[]>();
  for (const [hash, spec] of lock.specs) {
    const needs = [...new Set(spec.dependencies.flatMap((one) => behind.get(one)!))];
    behind.set(hash, spec.external === null ? [hash] : needs);
    if (spec.external !== null) continue;
    jobs.set(hash, { spec, needs, stage: Math.max(-1, ...needs.map((one) => jobs.get(one)!.stage)) + 1 });
  }
  return jobs;
}

const LONGEST = 255;

/** Name of the job of a spec. A name that GitLab would refuse loses its middle: the hash tells jobs apart. */
export function jobName({ name, version, hash }: LockedSpec): string {
  const end = ` /${hash}`;
  return `${name}@${version}`.slice(0, LONGEST - end.length) + end;
}
