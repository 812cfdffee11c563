import { newestStable } from '../../engine/ledger/newest-stable.js';
import { counted } from '../../model/counted.js';
import type { Digest } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import type { Finding } from '../../model/finding.js';
import { order } from '../../model/order.js';
import type { Published } from '../../model/report.js';
import { type Sealed, sealedFor } from '../seal/sealed.js';
import type { Body, Work } from '../work.js';
import { listWheels } from '../index/list-wheels.js';
import { whyUnlisted } from '../index/why-unlisted.js';
import { connect } from './connect.js';
import { nameUsed, notReproducible, nothingToPublish, sameNameTwice } from './errors.js';
import { TARGETS } from '../../model/target-kinds.js';
import { sealedItems, type MadeItem } from './items.js';
import { claim, note } from './ledger.js';
import { look, otherBytesAre, READ_BACK_WAITS_MS, type Looked, type Looking } from './look.js';
import { lookAhead } from './look-ahead.js';
import type { PublishPorts, Connection, PublishTarget } from './ports.js';
import { proofs } from './proofs.js';
import { lookingFor, notePublisher } from './publishers.js';
import { uploadMissing } from './upload-items.js';

type PublishWork = Work<'publishArtifacts'>;

/** Publishes by observe, act, verify: looks up each item, uploads the absent ones, reads them back, then records them
 * in the ledger. */
export const createPublishArtifacts =
  (ports: PublishPorts): Body<'publishArtifacts'> =>
  async (work) => {
    const name = work.step.params.target.name;
    const to = await connect(work, work.step.params.target);
    const target = ports.targets.open(to, work);
    const sealed = await sealedFor(work);
    const made = itemsOf(work, target, sealed);
    const items = made.map(({ item }) => item);
    const refused = target.check?.(items) ?? [];
    if (refused.length > 0) throw fail(refused);
    await claim(work, sealed.digest, items);
    for (const item of items) await note(work, 'wanted', item);
    await lookAhead(work, ports, sealed);
    const looking = (): Looking => lookingFor(work, ports, work.step.params.target);
    const before = await look(target, name, items, looking());
    const missing = before.filter(({ verdict }) => verdict === 'absent');
    await mustBeProved(work, ports, target, missing);
    const replaced: Finding[] = [];
    for (const one of before) replaced.push(...(await notePublisher(work, work.step.params.target, one)));
    const reading = { waitsMs: ports.readBackWaitsMs ?? READ_BACK_WAITS_MS, others: otherBytesAre(work.step) };
    const sent = await uploadMissing(work, target, missing, looking, reading);
    await target.complete?.(items, newestStable);
    const looked = [...before.filter(({ verdict }) => verdict !== 'absent'), ...sent];
    const [held, others] = [looked.filter(isSame), looked.filter((one) => !isSame(one))];
    const isHeld = ({ item }: MadeItem): boolean => held.some((one) => one.item === item);
    const findings = await listed(work, ports, to, made.filter(isHeld));
    for (const { item } of held) await note(work, 'done', item);
    await mustBeListed(ports, to, work, others);
    const uploaded = sent.filter(isSame).length;
    return {
      artifacts: [],
      facts: { target: name, published: held.map(publishedOf).sort(byName) },
      findings: [
        ...others.map(({ item }) => notReproducible(name, item.name, item.artifact.digest)),
        ...replaced,
        ...findings,
      ],
      note: noteOf(uploaded, held.length - uploaded, others.length, replaced.length),
      reused: uploaded === 0,
    };
  };

/** Lists wheels of a static index. Does nothing for other kinds. */
async function listed(
  work: PublishWork,
  { targets, listing }: PublishPorts,
  to: Connection,
  made: readonly MadeItem[],
): Promise<readonly Finding[]> {
  const place = targets.index?.(to) ?? null;
  if (place === null || listing === undefined || made.length === 0) return [];
  const held = made.map(({ item, step }) => ({ item, build: step }));
  return listWheels(work, listing, { address: to.address, place }, held);
}

/** Throws INDEX_NAME_USED if a static index has no wheel to list under the name of one with other bytes. */
async function mustBeListed(
  { targets }: PublishPorts,
  to: Connection,
  { plan }: PublishWork,
  others: readonly Looked[],
): Promise<void> {
  const place = targets.index?.(to) ?? null;
  if (place === null) return;
  const hasLists = plan.imports?.rows !== undefined;
  const found = await Promise.all(
    others.map(async ({ item: { name, artifact } }) => {
      const unlisted = await whyUnlisted(place, name);
      return unlisted === null ? [] : [nameUsed({ target: to.name, name, ours: artifact.digest }, unlisted, hasLists)];
    }),
  );
  if (found.flat().length > 0) throw fail(found.flat());
}

/** Proves the target again right before the upload: a gate may have taken days since the first proof. */
async function mustBeProved(
  work: PublishWork,
  ports: PublishPorts,
  target: PublishTarget,
  missing: readonly Looked[],
): Promise<void> {
  if (missing.length === 0) return;
  const items = missing.map(({ item }) => item);
  const found = await proofs(work, ports, target, work.step.params.target, items);
  if (found.length > 0) throw fail(found);
}

/** Returns every name that this step must create, each once, wheels before their sdist. */
function itemsOf(work: PublishWork, target: PublishTarget, { manifest }: Sealed): readonly MadeItem[] {
  const { target: to } = work.step.params;
  const { artifacts: takes } = TARGETS[to.kind];
  const found = sealedItems(work.step.params, target, manifest);
  if (found.length === 0) throw fail(nothingToPublish(to.name, takes));
  const items = new Map<string, MadeItem>();
  for (const next of found) {
    const first = items.get(next.item.name);
    if (first && first.item.artifact.digest !== next.item.artifact.digest)
      throw fail(sameNameTwice(to.name, next.item.name, [first.step, next.step]));
    if (!first) items.set(next.item.name, next);
  }
  const rank = ({ item }: MadeItem): number => takes.indexOf(item.artifact.kind);
  return [...items.values()].sort((a, b) => rank(a) - rank(b) || (a.item.name < b.item.name ? -1 : 1));
}

const publishedOf = ({ item, url }: Looked): { name: string; digest: Digest; url: string } =>
  ({ name: item.name, digest: item.artifact.digest, url }) satisfies Published;

const byName = (a: Published, b: Published): number => order(a.name, b.name);

const isSame = ({ verdict }: Looked): boolean => verdict === 'same';

/** @param others names that the target holds with other bytes
 * @param replaced names that had other bytes of an earlier rehearsal */
function noteOf(uploaded: number, there: number, others: number, replaced: number): string {
  const files = (count: number): string => counted(count, 'file');
  const parts = [
    ...(uploaded > 0 ? [`${files(uploaded)} uploaded`] : []),
    ...(there > 0 ? [`${uploaded === 0 ? files(there) : there} already there`] : []),
    ...(others > 0 ? [`${files(others)} there with other bytes`] : []),
    ...(replaced > 0 ? [`${files(replaced)} in place of an earlier rehearsal's`] : []),
  ];
  return parts.join(', ');
}
