import { setTimeout as pause } from 'node:timers/promises';
import type { Session } from '../../activities/publish/ports.js';
import type { Digest } from '../../model/digest.js';
import { fail, SlipwayFailure } from '../../model/failure.js';
import { targetNotUnderstood } from '../http/errors.js';
import { centralFailed, centralGone, centralOtherUnderWay } from './errors.js';
import type { Deployment, Portal } from './portal.js';

/** Longest wait between two looks; validation takes minutes. */
const LONGEST_WAIT_MS = 10_000;
const waitsOf = ({ longestWaitMs = LONGEST_WAIT_MS }: Session): { firstMs: number; longestMs: number } => ({
  firstMs: longestWaitMs / 10,
  longestMs: longestWaitMs,
});
/** Consecutive 502 answers of a busy portal before it counts as an outage. */
const MOST_MISSES = 8;

export interface Deploying {
  readonly target: string;
  readonly portal: Portal;
  readonly session: Session;
  readonly mode: 'user-managed' | 'automatic';
}

interface Uploaded {
  readonly id: string;
  readonly bytes: Digest;
}

/** Ids of this step's records: each deployment, and its failure. All rounds of the step share them. */
const idOf = (nth: number): string => `deployment-${nth}`;
const endOf = (nth: number): string => `deployment-${nth}-ended`;

async function uploads(session: Session): Promise<{ readonly all: readonly Uploaded[]; readonly next: number }> {
  const all: Uploaded[] = [];
  for (let nth = 1; ; nth += 1) {
    const one = await session.recall<Uploaded>(idOf(nth));
    if (one === null) return { all, next: nth };
    if ((await session.recall(endOf(nth))) === null) all.push(one);
  }
}

export const uploadedIds = async (session: Session): Promise<readonly string[]> =>
  (await uploads(session)).all.map(({ id }) => id).reverse();

/** Uploads unless an earlier attempt did, then follows the deployment to its end. The id is recorded before the
 * first status request, so that a retry after a crash follows the same deployment. */
export async function deploy(at: Deploying, bytes: Digest, send: () => Promise<string>): Promise<void> {
  const { session } = at;
  const { id, nth } = await ownUpload(at, bytes, send);
  const failure = await follow(at, id);
  if (failure === null) return;
  await session.remember(endOf(nth), true);
  throw failure;
}

/** Returns the upload with exactly these bytes. A later round with other bytes must not continue an older upload. */
async function ownUpload(
  at: Deploying,
  bytes: Digest,
  send: () => Promise<string>,
): Promise<{ readonly id: string; readonly nth: number }> {
  const { session } = at;
  for (let nth = 1; ; nth += 1) {
    if ((await session.recall(endOf(nth))) !== null) continue;
    const known = await session.recall<Uploaded>(idOf(nth));
    if (known !== null && known.bytes !== bytes) await mustBeIdle(at, known.id);
    else if (known !== null) session.log.write(`going on with deployment ${known.id}\n`);
    const { id, bytes: theirs } = known ?? (await session.remember<Uploaded>(idOf(nth), { id: await send(), bytes }));
    if (known === null) session.log.write(`uploaded as deployment ${id}\n`);
    if (theirs === bytes) return { id, nth };
  }
}

/** Throws CENTRAL_OTHER_UNDER_WAY while an older deployment of this version may still be published. A user-managed
 * deployment that was never published stays in the portal. */
async function mustBeIdle(at: Deploying, id: string): Promise<void> {
  const state = (await patientStatus(at, id))?.state;
  const ended = state === undefined || state === 'FAILED' || state === 'PUBLISHED';
  if (!ended && (at.mode === 'automatic' || state === 'PUBLISHING')) throw fail(centralOtherUnderWay(at.target, id));
  at.session.log.write(`deployment ${id} has other bytes, of an earlier round: it is left alone\n`);
}

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

/** A lost answer is harmless: the next status shows whether publishing began, and the request is repeated if not. */
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
