import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../../model/failure.js';
import { Platforms, Profile, Queues } from '../../model/schema/profile.js';
import type { Facts } from '../../plan/facts.js';
import { readChecked } from '../../plan/read/release-file.js';
import { packageRoot } from '../home.js';
import { problems } from './errors.js';
import { utf8 } from './release-text.js';

const configFolder = (): string => join(packageRoot(), 'config');

/** Folders of profiles; those beside the release file take precedence. */
const folders = (bundle: string): readonly { folder: string; shown: string }[] => [
  { folder: join(bundle, 'profiles'), shown: 'profiles' },
  { folder: join(configFolder(), 'profiles'), shown: 'config/profiles' },
];

export async function readProfile(name: string, bundle: string): Promise<Facts['profile']> {
  const known = new Set<string>();
  for (const { folder, shown } of folders(bundle)) {
    const files = await readdir(folder).catch((): string[] => []);
    if (files.includes(`${name}.yaml`)) {
      const file = `${shown}/${name}.yaml`;
      const { content, at } = readChecked(await utf8(join(folder, `${name}.yaml`), file), file, Profile);
      return { name, content, at };
    }
    for (const file of files) if (file.endsWith('.yaml')) known.add(file.slice(0, -'.yaml'.length));
  }
  throw fail(problems.noProfile(name, [...known].sort()));
}

/** Reads all profiles that can be named from a folder. A file that is no profile is left out. */
export async function readProfiles(bundle: string): Promise<readonly Facts['profile'][]> {
  const files = await Promise.all(folders(bundle).map(({ folder }) => readdir(folder).catch((): string[] => [])));
  const names = new Set(files.flat().flatMap((file) => /^(.+)\.yaml$/.exec(file)?.[1] ?? []));
  const read = await Promise.all([...names].sort().map((name) => readProfile(name, bundle).catch(() => null)));
  return read.filter((profile) => profile !== null);
}

export async function readFleet(): Promise<Pick<Facts, 'queues' | 'platforms'>> {
  const read = (name: string): Promise<string> => utf8(join(configFolder(), name), `config/${name}`);
  const [queues, platforms] = await Promise.all([read('queues.yaml'), read('platforms.yaml')]);
  return {
    queues: readChecked(queues, 'config/queues.yaml', Queues).content,
    platforms: readChecked(platforms, 'config/platforms.yaml', Platforms).content,
  };
}
