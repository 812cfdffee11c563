import { checkIndex, type CheckedIndex } from '../../activities/index/check-index.js';
import { mendWheel, type MendingPorts } from '../../activities/index/mend-wheel.js';
import type { CheckedPlace, IndexOpener } from '../../activities/index/ports.js';
import { targetOf } from '../../adapters/facts/ours.js';
import { readProfile } from '../../adapters/facts/profile.js';
import { readReleaseText, parsedRelease } from '../../adapters/facts/release-text.js';
import { repairsOf } from '../../engine/index/repairs.js';
import { fail } from '../../model/failure.js';
import { MOST_NAMES } from '../../model/index-writer.js';
import type { Target } from '../../model/target.js';
import { closing } from '../closing.js';
import { noIndex } from './errors.js';
import type { Writing } from './index-opener.js';
import { publisherOf } from './publisher.js';

/** An index that a release file publishes to. */
export interface OpenIndex {
  readonly target: string;
  /** As the profile says it. */
  readonly address: string;
  check(): Promise<CheckedIndex>;
  /** Writes what can be derived, and has the writer draw the pages. Wheels and statements are never written.
   * @param found what `check` answered */
  repair(found: CheckedIndex): Promise<void>;
}

/** Only a repair needs the writer. */
interface IndexHere extends Writing {
  readonly open: IndexOpener<CheckedPlace>;
  readonly mending: MendingPorts;
}

/** Opens each index that a release file publishes to. Throws CACHE_WITHOUT_INDEX. */
export async function openIndexes(file: string, profile: string, here: IndexHere): Promise<readonly OpenIndex[]> {
  const read = await readReleaseText(file, process.cwd());
  const { publish } = parsedRelease(read).content;
  const { content } = await readProfile(profile, read.folder);
  const names = Object.keys(publish).filter((name) => publish[name]!.kind === 'simple');
  const targets = names.flatMap((name) => targetOf(name, content) ?? []);
  if (targets.length === 0) throw fail(noIndex(file, profile, names));
  return Promise.all(
    targets.map(async (target) => {
      const place = await here.open({ target, rehearsal: content.rehearsal });
      return {
        ...{ target: target.name, address: target.address },
        check: () => checkIndex(place),
        repair: (found: CheckedIndex) => repair({ place, target, profile, file }, found, here),
      };
    }),
  );
}

interface Repairing {
  readonly place: CheckedPlace;
  readonly target: Target;
  readonly profile: string;
  readonly file: string;
}

/** Publishers write entries and sidecars beside each other, so this does too. Pages have one writer. */
async function repair(
  { place, target, profile, file }: Repairing,
  { defects, projects }: CheckedIndex,
  here: IndexHere,
): Promise<void> {
  const { wheels, names } = repairsOf(defects, projects);
  if (names.length === 0) return;
  const publisher = await publisherOf(await here.store(), { target, profile, file });
  const address = await here.address(target.address);
  await using open = closing(await here.writer());
  for (const wheel of wheels) await mendWheel(place, here.mending, wheel);
  for (let at = 0; at < names.length; at += MOST_NAMES)
    await open.writer.list(address, { ...publisher, names: names.slice(at, at + MOST_NAMES) });
}
