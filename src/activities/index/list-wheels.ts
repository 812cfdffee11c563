import { projectOf } from '../../engine/index/listed.js';
import { digestOf } from '../../model/digest.js';
import type { Finding } from '../../model/finding.js';
import { MOST_NAMES } from '../../model/index-writer.js';
import type { StepId } from '../../model/ids.js';
import type { Item } from '../publish/ports.js';
import { sha256 } from '../sha256.js';
import type { Work } from '../work.js';
import type { IndexPlace, ListingPorts } from './ports.js';
import { writeEntry } from './write-entry.js';

/** A wheel whose file the index holds, and the step that built it. */
export interface Held {
  readonly item: Item;
  readonly build: StepId;
}

/** Writes the entries of wheels, then asks the index's one writer for their pages. Resolves when readers see them. */
export async function listWheels(
  work: Work<'publishArtifacts'>,
  ports: ListingPorts,
  { address, place }: { readonly address: string; readonly place: IndexPlace },
  held: readonly Held[],
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const { item, build } of held) findings.push(...(await writeEntry({ work, place, ports }, item, build)));
  const names = [
    ...new Set(held.map(({ item }) => `${item.name.split('/')[0]}/${projectOf(item.artifact.name)}`)),
  ].sort();
  const asked = { plan: digestOf(work.plan, sha256), step: work.step.id, run: work.run };
  for (let at = 0; at < names.length; at += MOST_NAMES) {
    const answer = await ports.writer.list(address, { ...asked, names: names.slice(at, at + MOST_NAMES) });
    // A note is about files of other publishers that are at work.
    findings.push(...answer.findings.filter(({ level }) => level !== 'note'));
  }
  return findings;
}
