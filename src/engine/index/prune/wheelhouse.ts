import type { HouseWheel, Wheelhouse } from '../../../model/folder-prune.js';
import type { PruneCandidate, PruneRules } from '../../../model/index-prune.js';
import { hexOf } from '../../../model/digest.js';
import { useKey } from '../../../model/index-use.js';
import { projectOf } from '../listed.js';
import type { WheelJudgement } from './judge.js';
import { openSuperseded } from './superseded.js';
import { openWants, type PrunePlatform, type WantedWheel } from './wants.js';

export interface HouseFacts {
  readonly house: Wheelhouse;
  readonly wants: readonly WantedWheel[];
  readonly platforms: Readonly<Record<string, PrunePlatform>>;
  /** Digests of the files that the index upstream lists, by name: 64 hex digits. */
  readonly upstream: ReadonlyMap<string, string | null>;
  readonly rules: Pick<PruneRules, 'unusedMs'>;
  /** Projects that entries of the file build besides lists. */
  readonly own: ReadonlySet<string>;
  readonly nowMs: number;
}

type Answer = Pick<PruneCandidate, 'reason' | 'because'> | { readonly stays: string };
const stays = (because: string): Answer => ({ stays: because });

/** Judges each file of a wheelhouse by name and digest. A wheelhouse says nothing of platforms, so a wheel stays if any platform of
 * the file wants it. */
export function judgeWheelhouse(facts: HouseFacts): ReadonlyMap<string, WheelJudgement> {
  const wantsOf = openWants(facts.wants, facts.platforms);
  const newerThan = openSuperseded(
    facts.house.wheels.flatMap((one) =>
      one.fault === null ? [{ platform: one.folder, wheel: one, isThere: true }] : [],
    ),
  );
  const judged = facts.house.wheels.map((one): readonly [string, WheelJudgement] => {
    const { folder, file, digest, size } = one;
    const wants = Object.keys(facts.platforms).flatMap((platform) => wantsOf(platform, file));
    const newer = newerThan({ platform: folder, wheel: one });
    const answer = judgedOne(one, { wants, newer }, facts);
    const candidate = { platform: folder, file, digest, size, lastFetched: null };
    return [useKey(folder, file), 'stays' in answer ? answer : { ...candidate, ...answer }];
  });
  const left = facts.house.left.map(({ folder, file, because }) => [useKey(folder, file), { stays: because }] as const);
  return new Map([...judged, ...left]);
}

interface Known {
  readonly wants: readonly WantedWheel[];
  /** File that installers prefer. Null: none. */
  readonly newer: string | null;
}

function judgedOne(one: HouseWheel, { wants, newer }: Known, facts: HouseFacts): Answer {
  if (one.fault !== null) return { reason: 'broken', because: one.fault };
  if (facts.own.has(projectOf(one.file))) return stays('an entry of `wheels` builds its project');
  if (wants.some(({ verdict }) => verdict === 'unanswered')) return stays('the index upstream has not answered');
  if (newer === null && wants.some(({ verdict }) => verdict !== 'upstream')) return stays('a list asks for it');
  if (!(Date.parse(one.changedAt) <= facts.nowMs - facts.rules.unusedMs)) return stays('it is new');
  if (newer !== null) return { reason: 'superseded', because: newer };
  const upstream = wants.find(({ verdict }) => verdict === 'upstream');
  if (upstream !== undefined) return { reason: 'upstream has it now', because: upstreamText(one, upstream, facts) };
  return { reason: 'nobody asks', because: 'no list wants this version' };
}

function upstreamText({ file, digest }: HouseWheel, want: WantedWheel, { upstream }: HouseFacts): string {
  const theirs = upstream.get(file);
  if (theirs === undefined || theirs === null) return want.reason;
  return theirs === hexOf(digest) ? 'the same bytes' : 'other bytes under this name';
}
