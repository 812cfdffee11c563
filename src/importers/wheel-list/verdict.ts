import type { Epochs } from '../../model/epochs.js';
import type { Rebuilds } from '../../model/made-base.js';
import { isAdmitted } from '../../model/python/specifier.js';
import { compareVersions, isStable, sameVersion } from '../../model/python/version.js';
import type { WheelList } from '../../model/schema/sections/wheel-list.js';
import type { OurWheel } from '../asks.js';
import type { Setting, Tried } from '../importer.js';
import { placed } from '../../model/failure.js';
import { admitsPython, type File, isFitting, type Pin, sdistsOf } from './files.js';
import { hereOf } from './here.js';
import type { Former, Ours } from './ours.js';
import { absentText, buildText, noneText } from './reasons.js';
import { type Purity, skippedAs } from './pure.js';
import { triedAs } from './tried.js';
import type { Want } from './wanted.js';

/** A wheel of ours whose build may give other bytes. */
export interface Rebuilt extends Pick<OurWheel, 'file' | 'digest'> {
  /** Build number of other bytes: no wheel of ours has it. */
  readonly build: number;
  readonly isListed: boolean;
}

/** Decision about one wanted version on one target. */
export interface Verdict {
  readonly version: string;
  readonly verdict:
    | 'left out'
    | 'upstream'
    | 'here'
    | 'known'
    | 'failed before'
    | 'unanswered'
    | 'build'
    | 'impossible';
  readonly because: string;
  /** The wheel of the index or of ours, or the sdist that is built. */
  readonly file?: string;
  readonly sha256?: string;
  /** The wheel of ours that is built again. */
  readonly rebuilds?: Rebuilt;
  /** Why it is known to fail, of a build that is tried all the same. */
  readonly known?: string;
  /** The failure because of which it is not built. */
  readonly failed?: Tried;
}

/** Files of a project, as the index lists them. */
export interface Listing {
  readonly state: 'files';
  readonly files: readonly File[];
  readonly newest: readonly string[];
  /** Files of one version. */
  readonly pinned: (pin: Pin) => readonly File[];
}

/** Answer of the index about a project. */
export type Page =
  | Listing
  | { readonly state: 'absent' }
  | { readonly state: 'unanswered'; readonly since: string; readonly why: string };

export interface Rules {
  readonly never: ReadonlySet<string>;
  /** Null: all projects. */
  readonly only: ReadonlySet<string> | null;
  /** Entries that have not expired. */
  readonly known: WheelList['known'];
  readonly ours: Ours;
  readonly former: Former;
  readonly tries: Setting['tries'];
  /** Records of earlier runs about wheels of ours. */
  readonly rebuilds: Rebuilds;
  /** Null: pure wheels are published. */
  readonly purity: Purity | null;
  /** Epochs of the release file. */
  readonly epochs: Epochs;
}

/** Returns the verdict about a want: the first rule that applies. */
export function verdictOf(want: Want, page: Page, rules: Rules): Verdict {
  const { wanted } = want;
  const asked = wanted.pin?.text ?? wanted.specifiers;
  const settled = settledVerdict(want, asked, rules);
  if (settled !== null) return settled;
  if (page.state === 'unanswered') {
    const unanswered = {
      ...{ version: asked, verdict: 'unanswered' as const },
      because: `the index does not answer since ${page.since}: ${page.why}`,
    };
    return hereOf(want, unanswered, rules) ?? triedAs(want, unanswered, rules) ?? unanswered;
  }
  const files = page.state === 'absent' ? [] : wantedFiles(want, page);
  const version = wanted.pin?.text ?? files[0]?.version ?? asked;
  const open = files.filter((file) => admitsPython(file, want.target));
  if (files.length > 0 && open.length === 0)
    return { version, verdict: 'left out', because: `Requires-Python is ${files[0]!.requiresPython}` };
  const wheel = open.find((file) => isFitting(file, want.target));
  if (wheel !== undefined) return { version, verdict: 'upstream', because: wheel.file, ...fileOf(wheel) };
  const built = builtOf(want, version, open, page);
  const skipped = skippedAs(want, built, rules);
  if (skipped !== null) return skipped;
  const here = hereOf(want, built, rules);
  if (here?.verdict === 'here') return here;
  const due = here ?? built;
  return triedAs(want, due, rules) ?? due;
}

/** Returns the verdict that no answer of the index changes. Null if the index decides. */
function settledVerdict(want: Want, asked: string, rules: Rules): Verdict | null {
  const { specifiers, places, isExcluded } = want.wanted;
  const leftOut = leftOutBy(want, rules);
  if (leftOut !== null) return { version: asked, verdict: 'left out', because: leftOut };
  if (!isExcluded) return null;
  const because = `no version is ${specifiers} (${places.map(placed).join(', ')})`;
  return { version: asked, verdict: 'impossible', because };
}

function leftOutBy({ wanted: { project }, leftOut }: Want, { never, only }: Rules): string | null {
  if (never.has(project)) return '`never` names it';
  if (only !== null && !only.has(project)) return '`only` does not name it';
  return leftOut;
}

function builtOf({ wanted: { sha256 }, target }: Want, version: string, open: readonly File[], page: Page): Verdict {
  const all = sdistsOf(open);
  const sdists = all.filter(({ named }) => sameVersion(named, version));
  const sdist = sdists.find((file) => sha256.every((all) => file.sha256 !== null && all.includes(file.sha256)));
  const impossible = (because: string): Verdict => ({ version, verdict: 'impossible', because });
  if (sdist === undefined)
    return impossible(
      sdists.length > 0
        ? `the list has no digest of ${sdists[0]!.file}`
        : all.length > 0
          ? `the index has no sdist of exactly this version, but ${all[0]!.file}`
          : open.length > 0
            ? `${noneText(open, target)}; there is no sdist`
            : absentText(page),
    );
  if (sdist.sha256 === null) return impossible(`the index has no sha256 of ${sdist.file}`);
  return { version, verdict: 'build', because: buildText(open, target), ...fileOf(sdist) };
}

const fileOf = ({ file, sha256 }: File): Pick<Verdict, 'file' | 'sha256'> => ({
  file,
  ...(sha256 !== null && { sha256 }),
});

/** Returns the files of the wanted version. For a range it is the newest version that the target can have: no pre-release, not yanked. */
function wantedFiles({ wanted, target }: Want, { files, pinned }: Listing): readonly File[] {
  const { pin, clauses } = wanted;
  if (pin !== null) return pinned(pin);
  const fitting = files.filter(
    (file) =>
      file.parsed !== null &&
      isStable(file.parsed) &&
      file.yanked === null &&
      isAdmitted(file.parsed, clauses) &&
      admitsPython(file, target) &&
      (file.wheel === null || isFitting(file, target)),
  );
  const newest = fitting.reduce<File | null>(
    (best, file) => (best === null || compareVersions(file.parsed!, best.parsed!) > 0 ? file : best),
    null,
  );
  const isMeant = ({ version, yanked }: File): boolean => yanked === null && sameVersion(version, newest!.version);
  return newest === null ? [] : files.filter(isMeant);
}
