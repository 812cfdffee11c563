import type { Store } from '../ports.js';
import { newestBases, readRebuilds } from '../index/read-rebuilds.js';
import type { IndexOpener } from '../index/ports.js';
import { readListed } from '../index/read-listed.js';
import { readPureBuilds } from '../wheels/pure-builds.js';
import type { Features, Past, FailedBuilds } from './ports.js';
import { tryKey } from '../../engine/cache/key-parts.js';
import type { Tried } from '../../importers/index.js';
import { grouped } from '../../model/grouped.js';
import { withoutHash } from '../../model/id-prefixes.js';
import { order } from '../../model/order.js';
import { type FailedTry, records } from '../../model/run-folder.js';
import { sha256 } from '../sha256.js';

/** Opens what earlier runs left behind. The store is opened when its records are asked for. */
export const openPast = (
  store: () => Promise<Store>,
  standings: Past['standings'],
  open: IndexOpener,
): Omit<Past, keyof Features> => ({
  standings,
  failed: async () => readFailedBuilds(await store()),
  listed: async (asked, platform) => {
    const index = await readListed(await open(asked), platform);
    return index.wheels.length === 0 ? index : { ...index, rebuilds: await readRebuilds(await store(), index.wheels) };
  },
  pure: async (sdists) => readPureBuilds(await store(), sdists),
  bases: async (release) => newestBases(await store(), release),
});

/** Name of a record: `failed/STEP/KEY/TIME`. */
const NAME = /^failed\/(.+)\/([^/]+)\/([^/]+)$/;

/** Reads which builds failed. */
export async function readFailedBuilds(store: Pick<Store, 'list' | 'read'>): Promise<FailedBuilds> {
  const named = (await store.list(records.failedTries())).flatMap((name) => {
    const [, step = '', key = '', at = ''] = NAME.exec(name) ?? [];
    return step === '' ? [] : [{ name, step: withoutHash(step), key: `sha256:${key}`, at }];
  });
  const failed = grouped(
    named.toSorted((a, b) => order(a.at, b.at)),
    ({ step }) => step,
  );
  return {
    steps: new Set(failed.keys()),
    of: async (plan) => {
      const tries = plan.steps.map(async (step) => {
        const all = failed.get(withoutHash(step.id));
        if (all === undefined) return [];
        const key = tryKey(plan, step, sha256);
        const last = all.findLast((one) => one.key === key) ?? all.at(-1)!;
        const record = await store.read<FailedTry>(last.name);
        const { retryFailedMs = 0 } = step.params as { readonly retryFailedMs?: number };
        return record ? [[step.id, triedOf(record, last.key === key && !record.passed, retryFailedMs)] as const] : [];
      });
      return Object.fromEntries((await Promise.all(tries)).flat());
    },
  };
}

function triedOf({ run, at, problem: { code, message } }: FailedTry, isSame: boolean, retryFailedMs: number): Tried {
  const untilMs = Date.parse(at) + retryFailedMs;
  const until = untilMs > Date.now() ? new Date(untilMs).toISOString() : null;
  return { run, at, code, message, isSame, until };
}
