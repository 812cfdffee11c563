import { join } from 'node:path';
import { ledgerPrefix, ledgerRecord, type LedgerEntry, type LedgerState } from '../../engine/ledger/entry.js';
import { publishedBy, type Published } from '../../model/report.js';
import { counted } from '../../model/counted.js';
import type { Digest } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import type { Plan } from '../../model/plan.js';
import { deliver, type Message } from '../notify/deliver.js';
import type { Webhook } from '../notify/ports.js';
import { readSealed } from '../seal/sealed.js';
import type { Body, Made, Work } from '../work.js';
import { nothingPublished } from './errors.js';

interface Announcement extends Message {
  readonly event: 'announce';
  readonly profile: string;
  readonly run: string;
  readonly manifest: Digest;
  readonly published: readonly (Published & { readonly target: string })[];
  readonly pointers: readonly { readonly target: string; readonly name: string }[];
  /** True if an earlier attempt with the same id may have arrived. */
  readonly mayBeRepeated: boolean;
}

const MOST_NAMED = 12;

type AnnounceWork = Work<'announceRelease'>;

/** Announces a version once. The ledger records it, so a later run of the same version sends nothing. A request without
 * a confirmation is sent again under the same id, marked as a possible repetition. */
export const createAnnounceRelease =
  (ports: { readonly webhook: Webhook }): Body<'announceRelease'> =>
  async (work) => {
    const sealed = await readSealed(work);
    const before = await earlier(work);
    const announcement = announcementOf(work, sealed.digest, before.wanted);
    const made = (note: string, reused: boolean, announced: boolean): Made => ({
      ...{ artifacts: [], note, reused },
      facts: { announced, id: announcement.id },
    });
    work.log.write(`${announcement.text}\n`);
    if (work.plan.profile.rehearsal) return made(`rehearsal: would announce ${countOf(announcement)}`, false, false);
    if (before.done) return made('announced before; not sent again', true, true);
    await write(work, 'wanted', sealed.digest);
    const manifest = join(work.folder, 'sealed', 'manifest.json');
    await work.store.fetch(sealed.digest, manifest);
    const more = { MANIFEST: manifest, MAY_BE_REPEATED: before.wanted ? '1' : '' };
    const { outlet } = work.step.params;
    await work.effect(() => deliver(outlet, nameOf(work), announcement, { ...work, ...ports }, more));
    await write(work, 'done', sealed.digest);
    const repeated = before.wanted ? '; an earlier try may have arrived too' : '';
    return made(`announced ${countOf(announcement)}${repeated}`, false, true);
  };

function announcementOf(work: AnnounceWork, manifest: Digest, mayBeRepeated: boolean): Announcement {
  const published = work.inputs.flatMap((result) =>
    publishedBy(result).map((one) => ({ ...one, target: String(result.facts['target'] ?? '') })),
  );
  if (published.length === 0) throw fail(nothingPublished(work.step.id));
  const pointers = work.inputs
    .filter(({ kind, facts }) => kind === 'movePointer' && facts['moved'] === true)
    .map(({ facts }) => ({ target: String(facts['target'] ?? ''), name: String(facts['name'] ?? '') }));
  const { release, profile } = work.plan;
  return {
    text: textOf(release, published, pointers),
    id: `${nameOf(work)}/${release.name}/${release.version}/${profile.name}`,
    event: 'announce',
    ...{ release, profile: profile.name, run: work.run, manifest, published, pointers, mayBeRepeated },
  };
}

const countOf = ({ published }: Announcement): string => counted(published.length, 'file');

/** The entry's name in messages and in the ledger, where it takes the place of a target's name. No target's name holds
 * a colon. */
const nameOf = ({ step }: Pick<Work, 'step'>): string => step.id.replace('/', ':');

/** Ledger prefix of (profile, entry, name, version). The digest is left out, so that other bytes of a version are not
 * announced again. */
const prefixOf = (work: AnnounceWork): string => {
  const { profile, release } = work.plan;
  return ledgerPrefix(profile.name, nameOf(work), `${release.name}/${release.version}`);
};

async function earlier(work: AnnounceWork): Promise<{ readonly wanted: boolean; readonly done: boolean }> {
  const states = (await work.store.list(prefixOf(work))).map((record) => record.slice(prefixOf(work).length));
  const has = (state: LedgerState): boolean => states.some((one) => one.startsWith(`${state}-`));
  return { wanted: has('wanted'), done: has('done') };
}

async function write(work: AnnounceWork, state: LedgerState, digest: Digest): Promise<void> {
  const { run, step, plan } = work;
  await work.store.create<LedgerEntry>(ledgerRecord(prefixOf(work), state, digest), {
    ...{ state, target: nameOf(work), name: `${plan.release.name}/${plan.release.version}`, digest, url: '' },
    ...{ run, step: step.id, release: plan.release, at: new Date().toISOString() },
  });
}

function textOf(
  { name, version }: Plan['release'],
  published: Announcement['published'],
  pointers: Announcement['pointers'],
): string {
  const lines = published.slice(0, MOST_NAMED).map((one) => `• ${one.target}: ${one.url === '' ? one.name : one.url}`);
  const more = published.length - lines.length;
  return [
    `${name} ${version} is released`,
    ...lines,
    ...(more > 0 ? [`• … and ${more} more`] : []),
    ...pointers.map((pointer) => `• ${pointer.target}: ${pointer.name} now at ${version}`),
  ].join('\n');
}
