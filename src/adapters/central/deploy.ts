import { setTimeout as pause } from 'node:timers/promises';
import type { Session } from '../../activities/publish/ports.js';
import { fail, SlipwayFailure } from '../../model/failure.js';
import { targetNotUnderstood } from '../http/errors.js';
import { centralFailed, centralGone } from './errors.js';
import type { Deployment, Portal } from './portal.js';

/** Validation takes minutes. Asked first after a sixtieth of the patience that a short answer gets, and at least six times in it. */
const PATIENCE_MS = 60_000;
const waitsOf = ({ patienceMs = PATIENCE_MS }: Session): { firstMs: number; longestMs: number } => ({
  firstMs: patienceMs / 60,
  longestMs: patienceMs / 6,
});
/** A portal that answers 502 while it works is asked on; one that stays so is an outage. */
const MOST_MISSES = 8;

export interface Deploying {
  readonly target: string;
  readonly portal: Portal;
  readonly session: Session;
  readonly mode: 'user-managed' | 'automatic';
}

/** Records of this step in this run: the id of each deployment, and that it came to nothing. */
const idOf = (nth: number): string => `deployment-${nth}`;
const endOf = (nth: number): string => `deployment-${nth}-ended`;

/** Number of the deployment that counts: the first that did not come to nothing. */
async function current(session: Session): Promise<number> {
  for (let nth = 1; ; nth += 1) if ((await session.recall(endOf(nth))) === null) return nth;
}

/** Id of what an attempt of this step has uploaded; null where none has. */
export const uploadedId = async (session: Session): Promise<string | null> =>
  session.recall<string>(idOf(await current(session)));

/** Uploads unless an attempt before did, and follows the deployment to its end. Its id is written down before it is asked
 * about: whoever comes after a crash goes on with the same one. */
export async function deploy(at: Deploying, send: () => Promise<string>): Promise<void> {
  const { session } = at;
  const nth = await current(session);
  const known = await session.recall<string>(idOf(nth));
  if (known !== null) session.log.write(`going on with deployment ${known}\n`);
  const id = known ?? (await session.remember(idOf(nth), await send()));
  if (known === null) session.log.write(`uploaded as deployment ${id}\n`);
  const failure = await follow(at, id);
  if (failure === null) return;
  await session.remember(endOf(nth), true);
  throw failure;
}

/** Null once it is published; else what to tell of a deployment that came to nothing. */
async function follow(at: Deploying, id: string): Promise<SlipwayFailure | null> {
  const { firstMs, longestMs } = waitsOf(at.session);
  let told = '';
  for (let waitMs = firstMs; ; waitMs = Math.min(waitMs * 1.5, longestMs)) {
    const seen = await patientStatus(at, id);
    if (seen === null) return fail(centralGone(at.target, id));
    if (seen.state !== told) at.session.log.write(`deployment ${id}: ${seen.state}\n`);
    told = seen.state;
    switch (seen.state) {
      case 'PUBLISHED':
        return null;
      case 'FAILED':
        return fail(centralFailed(at.target, id, seen.errors));
      case 'VALIDATED':
        if (at.mode === 'user-managed') await sayPublish(at, id);
        break;
      case 'PENDING':
      case 'VALIDATING':
      case 'PUBLISHING':
        break;
      default:
        throw fail(targetNotUnderstood(at.target, seen.state satisfies never, 'Central Portal'));
    }
    await pause(waitMs, undefined, { signal: at.session.signal });
  }
}

/** An answer that got lost is no answer: the next look says whether it is on its way, and if not it is said again. */
async function sayPublish({ portal, session }: Deploying, id: string): Promise<void> {
  session.signal.throwIfAborted();
  await portal.publish(id).catch((error: unknown) => mustPass(error));
}

async function patientStatus({ portal, session }: Deploying, id: string): Promise<Deployment | null> {
  for (let misses = 1; ; misses += 1) {
    try {
      return await portal.status(id);
    } catch (error) {
      if (misses === MOST_MISSES) throw error;
      mustPass(error);
      session.log.write(`deployment ${id}: no answer, asking again\n`);
      await pause(waitsOf(session).firstMs * 2 ** misses, undefined, { signal: session.signal });
    }
  }
}

function mustPass(error: unknown): void {
  if (!(error instanceof SlipwayFailure) || error.first.class !== 'infra') throw error;
}
