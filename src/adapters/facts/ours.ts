import type { Past } from '../../activities/plan/ports.js';
import type { OurIndex, Setting } from '../../importers/index.js';
import type { ReleaseFile } from '../../model/schema/release-file.js';
import type { ProfileTarget } from '../../model/schema/profile.js';
import type { Facts } from '../../plan/facts.js';
import type { Target } from '../../model/target.js';
import { placeOf } from '../../model/policy/place.js';
import { parseRef } from '../../plan/refs.js';

/** Returns what the indexes of the file list for a platform, by target. */
export type AskOurs = (platform: string) => Promise<Readonly<Record<string, OurIndex>>>;

interface Around {
  readonly content: Pick<ReleaseFile, 'publish'>;
  readonly profile: Pick<Facts['profile'], 'content'>;
  readonly listed: Past['listed'];
}

/** Asks the targets of kind `simple`. Planning refuses a target without an address later, and one of a rehearsal that is
 * not on this machine; it names their lines, so they are left out here. */
export function openOurs({ content, profile, listed }: Around): AskOurs {
  const { rehearsal } = profile.content;
  const targets = indexTargets(content)
    .flatMap(({ target: name }) => targetOf(name, profile.content) ?? [])
    .filter((target) => !rehearsal || placeOf(target).here);
  return async (platform) => {
    const answers = targets.map(
      async (target) => [target.name, await listed({ target, rehearsal }, platform)] as const,
    );
    return Object.fromEntries(await Promise.all(answers));
  };
}

/** Returns the indexes of ours with their addresses, as the profile writes them. */
export const indexAddresses = ({
  content,
  profile,
}: Omit<Around, 'listed'>): readonly { readonly target: string; readonly address: string }[] =>
  indexTargets(content).flatMap(({ target }) => {
    const address = rowOf(target, profile.content)?.address;
    return address === undefined ? [] : [{ target, address }];
  });

/** Targets that are indexes of ours, and the entries whose wheels they take. */
export const indexTargets = ({ publish }: Around['content']): Setting['indexes'] =>
  Object.entries(publish).flatMap(([target, { kind, files = [] }]) =>
    kind === 'simple' ? [{ target, files: files.flatMap((text) => parseRef(text) ?? []) }] : [],
  );

function rowOf(target: string, { targets, kinds }: Facts['profile']['content']): ProfileTarget | null {
  const own = Object.hasOwn(targets, target) ? targets[target]! : null;
  return own?.kind === 'simple' ? own : (kinds.simple ?? null);
}

/** Returns the target of an index as a profile has it. Null if the profile has no row for it. */
export function targetOf(name: string, profile: Facts['profile']['content']): Target | null {
  const row = rowOf(name, profile);
  if (row === null) return null;
  const { address, username = null, password = null, endpoint = null, reads = null } = row;
  const extra = { kind: 'simple', reads, endpoint } as const;
  return { name, kind: 'simple', address, repository: null, username, password, extra };
}
