import { tryKey } from '../../engine/cache/try-key.js';
import type { Tried } from '../../importers/index.js';
import { withoutHash } from '../../model/id-prefixes.js';
import type { StepId } from '../../model/ids.js';
import { type FailedTry, records } from '../../model/run-folder.js';
import type { Store } from '../ports.js';
import { sha256 } from '../sha256.js';
import type { FailedBuilds } from './ports.js';

/** A record of a failed try, by its name `failed/STEP/KEY/TIME`. */
interface Named {
  readonly name: string;
  /** The try key, 64 hex digits. */
  readonly key: string;
  readonly at: string;
}

/** Reads which builds failed. */
export async function readFailedBuilds(store: Pick<Store, 'list' | 'read'>): Promise<FailedBuilds> {
  const failed = byStep(await store.list(records.failedTries()));
  return {
    steps: new Set(failed.keys()),
    of: async (plan) => {
      const tries = plan.steps.map(async (step) => {
        const all = failed.get(withoutHash(step.id)) ?? [];
        if (all.length === 0) return [];
        const found = lastOf(all, tryKey(plan, step, sha256).slice('sha256:'.length));
        const record = await store.read<FailedTry>(found.name);
        const { retryFailedMs = 0 } = step.params as { readonly retryFailedMs?: number };
        return record ? [[step.id, triedOf(record, found.isSame && !record.passed, retryFailedMs)] as const] : [];
      });
      return Object.fromEntries((await Promise.all(tries)).flat());
    },
  };
}

function byStep(names: readonly string[]): ReadonlyMap<StepId, readonly Named[]> {
  const steps = new Map<StepId, Named[]>();
  for (const name of names) {
    const parts = name.split('/').slice(1);
    const [key, at] = parts.slice(-2);
    const step = withoutHash(parts.slice(0, -2).join('/'));
    if (key === undefined || at === undefined) continue;
    steps.set(step, [...(steps.get(step) ?? []), { name, key, at }]);
  }
  return steps;
}

/** The last try with this key, else the last one with another. */
function lastOf(all: readonly Named[], key: string): Named & Pick<Tried, 'isSame'> {
  const sorted = all.toSorted((a, b) => (a.at < b.at ? -1 : 1));
  const found = sorted.findLast((one) => one.key === key) ?? sorted.at(-1)!;
  return { ...found, isSame: found.key === key };
}

function triedOf({ run, at, problem }: FailedTry, isSame: boolean, retryFailedMs: number): Tried {
  const untilMs = Date.parse(at) + retryFailedMs;
  const until = untilMs > Date.now() ? new Date(untilMs).toISOString() : null;
  return { run, at, code: problem.code, message: problem.message, isSame, until };
}
