import type { HouseWheel, Wheelhouse } from '../../../model/folder-prune.js';
import type { PruneRules } from '../../../model/index-prune.js';
import { hexOf } from '../../../model/digest.js';
import { useKey } from '../../../model/index-use.js';
import { projectOf } from '../listed.js';
import { type Answer, type Standing, stays, unusedReason, wantedBy, type WheelJudgement } from './judge.js';
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

function judgedOne(one: HouseWheel, standing: Standing, facts: HouseFacts): Answer {
  if (one.fault !== null) return { reason: 'broken', because: one.fault };
  if (facts.own.has(projectOf(one.file))) return stays('an entry of `wheels` builds its project');
  const wanted = wantedBy(standing);
  if (wanted !== null) return wanted;
  if (!(Date.parse(one.changedAt) <= facts.nowMs - facts.rules.unusedMs)) return stays('it is new');
  const wants = standing.wants.map((want) => ({ ...want, reason: upstreamText(one, want, facts) }));
  return unusedReason({ ...standing, wants });
}

function upstreamText({ file, digest }: HouseWheel, want: WantedWheel, { upstream }: HouseFacts): string {
  const theirs = upstream.get(file);
  if (theirs === undefined || theirs === null) return want.reason;
  return theirs === hexOf(digest) ? 'the same bytes' : 'other bytes under this name';
}
