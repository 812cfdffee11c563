import { isAbsolute, join } from 'node:path';
import type { IndexPlace } from '../../activities/index/ports.js';
import type { Past } from '../../activities/plan/ports.js';
import type { OurIndex, Setting } from '../../importers/index.js';
import type { ReleaseFile } from '../../model/schema/release-file.js';
import type { ProfileTarget } from '../../model/schema/profile.js';
import type { Facts } from '../../plan/facts.js';
import { parseRef } from '../../plan/refs.js';
import { home, WHEELS_FOLDER } from '../home.js';
import { openFolder } from '../static-index/folder.js';

/** Returns what the indexes of the file list for a platform, by target. */
export type AskOurs = (platform: string) => Promise<Readonly<Record<string, OurIndex>>>;

interface Around {
  readonly content: Pick<ReleaseFile, 'publish'>;
  readonly profile: Pick<Facts['profile'], 'content'>;
  readonly listed: Past['listed'];
}

/** Opens the targets of kind `simple`. Planning refuses a target without an address later, so it is left out here. */
export function openOurs({ content, profile, listed }: Around): AskOurs {
  const targets = indexTargets(content).flatMap(({ target }) => {
    const row = rowOf(target, profile.content);
    return row === null ? [] : [{ target, row }];
  });
  return async (platform) => {
    const answers = targets.map(async ({ target, row }) => {
      const place = await placeOf(target, row);
      return [target, await listed(place, platform)] as const;
    });
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

/** The bucket's client takes 0.2 s to load, so a folder is opened without it. */
async function placeOf(name: string, row: ProfileTarget): Promise<IndexPlace> {
  const { address, username = null, password = null, endpoint = null, reads = null } = row;
  if (address.startsWith('service:')) return openFolder(name, join(home(), WHEELS_FOLDER));
  if (isAbsolute(address)) return openFolder(name, address);
  const { openHere } = await import('../static-index/open-here.js');
  const extra = { kind: 'simple', reads, endpoint } as const;
  const target = { name, kind: 'simple', address, repository: null, username, password, extra } as const;
  return openHere(target, { env: process.env, home: home() });
}
