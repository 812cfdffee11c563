import { normalName, parseWheelName } from '../../../model/python/file-name.js';
import { tagsOf } from '../../../model/python/wheel-tags.js';
import type { IndexedWheel } from './judge.js';

/** The build tag orders wheels that are the same otherwise. Installers take the highest one. */
interface Build {
  readonly number: number;
  readonly text: string;
  readonly file: string;
}

interface Buildable extends Pick<IndexedWheel, 'platform' | 'isThere'> {
  readonly wheel: Pick<IndexedWheel['wheel'], 'file' | 'yanked'>;
}

/** Returns a function that names the newer build of a wheel: the same version and tags with a higher build tag. */
export function openSuperseded(wheels: readonly Buildable[]): (one: Omit<Buildable, 'isThere'>) => string | null {
  const newest = new Map<string, Build>();
  for (const { platform, wheel, isThere } of wheels) {
    const read = buildOf(platform, wheel.file);
    if (read === null || !isThere || wheel.yanked !== undefined) continue;
    const before = newest.get(read.group);
    if (before === undefined || isNewer(read.build, before)) newest.set(read.group, read.build);
  }
  return ({ platform, wheel: { file } }) => {
    const read = buildOf(platform, file);
    const best = read === null ? undefined : newest.get(read.group);
    return best !== undefined && isNewer(best, read!.build) ? best.file : null;
  };
}

const isNewer = (a: Build, b: Build): boolean => a.number > b.number || (a.number === b.number && a.text > b.text);

function buildOf(platform: string, file: string): { readonly group: string; readonly build: Build } | null {
  const name = parseWheelName(file);
  if (name === null) return null;
  const parts = file.split('-');
  const [, digits = '', text = ''] = (parts.length === 6 ? /^(\d+)(.*)$/.exec(parts[2]!) : null) ?? [];
  return {
    group: [platform, normalName(name.project), name.version, tagsOf(name).join()].join(' '),
    build: { number: digits === '' ? -1 : Number(digits), text, file },
  };
}
