import { newestStable } from '../../engine/ledger/newest-stable.js';
import type { Digest } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import type { Published } from '../../model/report.js';
import { readSealed, type Sealed } from '../seal/sealed.js';
import type { Body, Work } from '../work.js';
import { connect } from './connect.js';
import { nothingToPublish, sameNameTwice } from './errors.js';
import { sealedItems, type MadeItem } from './items.js';
import { claim, note, noteSeen } from './ledger.js';
import { look, READ_BACK_WAITS_MS, readBack, type Looked } from './look.js';
import { lookAhead } from './look-ahead.js';
import type { PublishPorts } from './ports.js';
import { proofs } from './proofs.js';
import type { Item, PublishTarget } from './target.js';

type PublishWork = Work<'publishArtifacts'>;

/** Publishes by observe, act, verify: looks up each item, uploads the absent ones, reads them back, then records them
 * in the ledger. */
export const createPublishArtifacts =
  (ports: PublishPorts): Body<'publishArtifacts'> =>
  async (work) => {
    const name = work.step.params.target.name;
    const target = ports.targets.open(await connect(work, work.step.params.target), work);
    const sealed = await readSealed(work);
    const items = itemsOf(work, target, sealed);
    const refused = target.check?.(items) ?? [];
    if (refused.length > 0) throw fail(refused);
    await claim(work, sealed.digest, items);
    for (const item of items) await note(work, 'wanted', item);
    await lookAhead(work, ports, sealed);
    const before = await look(target, name, items, (item, digest) => noteSeen(work, name, item, digest));
    const missing = before.filter(({ verdict }) => verdict === 'absent').map(({ item }) => item);
    if (missing.length > 0) await mustBeProved(work, ports, target, missing);
    const sent =
      missing.length === 0 ? [] : await upload(work, target, missing, ports.readBackWaitsMs ?? READ_BACK_WAITS_MS);
    await target.complete?.(items, newestStable);
    for (const item of items) await note(work, 'done', item);
    const there = before.filter(({ verdict }) => verdict === 'same');
    return {
      artifacts: [],
      facts: { target: name, published: [...there, ...sent].map(publishedOf).sort(byName) },
      note: noteOf(sent.length, there.length),
      reused: sent.length === 0,
    };
  };

/** Proves the target again right before the upload: a gate may have taken days since the first proof. */
async function mustBeProved(
  work: PublishWork,
  ports: PublishPorts,
  target: PublishTarget,
  missing: readonly Item[],
): Promise<void> {
  const found = await proofs(work, ports, target, work.step.params.target, missing);
  if (found.length > 0) throw fail(found);
}

async function upload(
  work: PublishWork,
  target: PublishTarget,
  missing: readonly Item[],
  waitsMs: readonly number[],
): Promise<readonly Looked[]> {
  const asked = await work
    .effect(() => target.upload(missing))
    .then(
      () => null,
      (error: unknown) => error ?? new Error('rejected'),
    );
  work.signal.throwIfAborted();
  return readBack(target, work.step.params.target.name, missing, asked, { signal: work.signal, waitsMs });
}

/** Returns every name that this step must create, each once, wheels before their sdist. */
function itemsOf(work: PublishWork, target: PublishTarget, { manifest }: Sealed): readonly Item[] {
  const { target: to } = work.step.params;
  const found = sealedItems(work.step.params, target, manifest);
  if (found.length === 0) throw fail(nothingToPublish(to.name, target.takes));
  const items = new Map<string, MadeItem>();
  for (const next of found) {
    const first = items.get(next.item.name);
    if (first && first.item.artifact.digest !== next.item.artifact.digest)
      throw fail(sameNameTwice(to.name, next.item.name, [first.step, next.step]));
    if (!first) items.set(next.item.name, next);
  }
  const rank = (item: Item): number => target.takes.indexOf(item.artifact.kind);
  return [...items.values()].map(({ item }) => item).sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
}

const publishedOf = ({ item, url }: Looked): { name: string; digest: Digest; url: string } =>
  ({ name: item.name, digest: item.artifact.digest, url }) satisfies Published;

const byName = (a: Published, b: Published): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

function noteOf(uploaded: number, there: number): string {
  const files = (count: number): string => `${count} ${count === 1 ? 'file' : 'files'}`;
  if (uploaded === 0) return `${files(there)} already there`;
  return there === 0 ? `${files(uploaded)} uploaded` : `${files(uploaded)} uploaded, ${there} already there`;
}
