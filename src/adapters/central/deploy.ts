import { setTimeout as pause } from 'node:timers/promises';
import type { Session } from '../../activities/publish/ports.js';
import type { Digest } from '../../model/digest.js';
import { fail, SlipwayFailure } from '../../model/failure.js';
import { targetNotUnderstood } from '../http/errors.js';
import { centralFailed, centralGone, centralOtherUnderWay } from './errors.js';
import type { Deployment, Portal } from './portal.js';

/** Validation takes minutes. The first wait is a tenth of the longest. */
const LONGEST_WAIT_MS = 10_000;
const waitsOf = ({ longestWaitMs = LONGEST_WAIT_MS }: Session): { firstMs: number; longestMs: number } => ({
  firstMs: longestWaitMs / 10,
  longestMs: longestWaitMs,
});
/** A portal that answers 502 while it works is asked on; one that stays so is an outage. */
const MOST_MISSES = 8;

export interface Deploying {
  readonly target: string;
  readonly portal: Portal;
  readonly session: Session;
  readonly mode: 'user-managed' | 'automatic';
}

/** A deployment, and what stands for all bytes in it. */
interface Uploaded {
  readonly id: string;
  readonly bytes: Digest;
}

/** Records of this step in this run, shared by its rounds: each deployment, and that it came to nothing. */
const idOf = (nth: number): string => `deployment-${nth}`;
const endOf = (nth: number): string => `deployment-${nth}-ended`;

/** Returns uploads of earlier attempts of this step that did not fail, oldest first, and the number of the next one. */
async function uploads(session: Session): Promise<{ readonly all: readonly Uploaded[]; readonly next: number }> {
  const all: Uploaded[] = [];
  for (let nth = 1; ; nth += 1) {
    const one = await session.recall<Uploaded>(idOf(nth));
    if (one === null) return { all, next: nth };
    if ((await session.recall(endOf(nth))) === null) all.push(one);
  }
}

/** Ids of what attempts of this step have uploaded, whatever its bytes: the newest first. */
export const uploadedIds = async (session: Session): Promise<readonly string[]> =>
  (await uploads(session)).all.map(({ id }) => id).reverse();

/** Uploads unless an attempt before did, and follows the deployment to its end. Its id is written down before it is asked
 * about: whoever comes after a crash goes on with the same one. */
export async function deploy(at: Deploying, bytes: Digest, send: () => Promise<string>): Promise<void> {
  const { session } = at;
  const { id, nth } = await ownUpload(at, bytes, send);
  const failure = await follow(at, id);
  if (failure === null) return;
  await session.remember(endOf(nth), true);
  throw failure;
}

/** Returns the upload of these very bytes. A step with other bytes, in a later round, must not go on with an older upload. */
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

/** Two deployments of one version must not be on their way: nobody could tell which bytes come out. One that nobody tells to
 * publish stays where it is. */
async function mustBeIdle(at: Deploying, id: string): Promise<void> {
  const state = (await patientStatus(at, id))?.state;
  const ended = state === undefined || state === 'FAILED' || state === 'PUBLISHED';
  if (!ended && (at.mode === 'automatic' || state === 'PUBLISHING')) throw fail(centralOtherUnderWay(at.target, id));
  at.session.log.write(`deployment ${id} has other bytes, of an earlier round: it is left alone\n`);
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
