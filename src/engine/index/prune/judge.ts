import type { PruneCandidate, PruneRules } from '../../../model/index-prune.js';
import type { IndexRefresh } from '../../../model/index-refresh.js';
import { useKey, type IndexUse } from '../../../model/index-use.js';
import { parseWheelName } from '../../../model/python/file-name.js';
import { projectOf, type Listed } from '../listed.js';
import { knownSince } from './use.js';
import { openSuperseded } from './superseded.js';
import { askerOf, openWants, type PrunePlatform, type WantedWheel } from './wants.js';

/** A wheel of an index, and whether its file is there. */
export interface IndexedWheel {
  readonly platform: string;
  readonly wheel: Listed;
  readonly isThere: boolean;
}

export interface PruneFacts {
  readonly wheels: readonly IndexedWheel[];
  readonly wants: readonly WantedWheel[];
  readonly platforms: Readonly<Record<string, PrunePlatform>>;
  readonly use: IndexUse;
  readonly rules: PruneRules;
  /** Name of the pipeline. Wheels that others published stay. */
  readonly pipeline: string;
  /** Projects that entries of the file build besides lists. */
  readonly own: ReadonlySet<string>;
  /** Last runs of all pipelines, by platform. */
  readonly refreshes: Readonly<Record<string, readonly IndexRefresh[]>>;
  /** Path of a damaged record of a last run, by platform. Null: none is damaged. */
  readonly damaged: Readonly<Record<string, string | null>>;
  readonly nowMs: number;
}

/** The judgement about one wheel: a candidate, or why it stays. */
export type WheelJudgement = PruneCandidate | { readonly stays: string };
/** A reason to remove a wheel, or why it stays. */
export type Answer = Pick<PruneCandidate, 'reason' | 'because'> | { readonly stays: string };

/** Judges each wheel of an index. Everything that is unanswered or unread lets a wheel stay. */
export function judgeWheels(facts: PruneFacts): ReadonlyMap<string, WheelJudgement> {
  const wantsOf = openWants(facts.wants, facts.platforms);
  const supersederOf = openSuperseded(facts.wheels);
  const since = knownSince(facts.use, facts.nowMs);
  return new Map(
    facts.wheels.map((one) => {
      const { file, digest, size } = one.wheel;
      const key = useKey(one.platform, file);
      const lastFetched = Object.hasOwn(facts.use.fetched, key) ? facts.use.fetched[key]! : null;
      const known = { wants: wantsOf(one.platform, file), newer: supersederOf(one), lastFetched, since };
      const answer = judged(one, known, facts);
      return [key, 'stays' in answer ? answer : { platform: one.platform, file, digest, size, ...answer, lastFetched }];
    }),
  );
}

/** What a list and the index say of a wheel. */
export interface Standing {
  readonly wants: readonly WantedWheel[];
  /** File that installers prefer. Null: none. */
  readonly newer: string | null;
}

interface Known extends Standing {
  readonly lastFetched: string | null;
  readonly since: string | null;
}

export const stays = (because: string): Answer => ({ stays: because });
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

function judged(one: IndexedWheel, known: Known, facts: PruneFacts): Answer {
  const other = otherAsker(one, facts);
  if (other !== null) return stays(other);
  const ended = endedOn(one.platform, facts);
  if (ended !== null) return ended;
  const wanted = wantedBy(known);
  if (wanted !== null) return wanted;
  const isAsked = known.wants.some(({ verdict }) => verdict !== 'upstream');
  if (!one.isThere && !isAsked) return { reason: 'broken', because: 'its entry has no file' };
  return used(one.wheel, known, facts) ?? unusedReason(known, ' on this platform');
}

/** Why a wheel stays for a list. Null: no list needs it. */
export function wantedBy({ wants, newer }: Standing): Answer | null {
  if (wants.some(({ verdict }) => verdict === 'unanswered')) return stays('the index upstream has not answered');
  const isAsked = wants.some(({ verdict }) => verdict !== 'upstream');
  return isAsked && newer === null ? stays('a list asks for it') : null;
}

function otherAsker(
  { platform, wheel: { file, publisher } }: IndexedWheel,
  { pipeline, own, refreshes, damaged, platforms }: PruneFacts,
): string | null {
  if (parseWheelName(file) === null) return 'its record cannot be read';
  if (publisher !== pipeline) return `${publisher ?? 'another pipeline'} published it`;
  const path = damaged[platform] ?? null;
  if (path !== null) return `${path} is damaged, and may ask for it`;
  const asker = askerOf(refreshes[platform] ?? [], pipeline, file, platforms[platform]!);
  if (asker !== null) return `${asker} asks for it`;
  return own.has(projectOf(file)) ? 'an entry of `wheels` builds it' : null;
}

/** A platform that ended keeps its wheels for a time. Null: it has not ended. */
function endedOn(platform: string, { platforms, rules, nowMs }: PruneFacts): Answer | null {
  const { until } = platforms[platform]!;
  if (until === null) return null;
  const endMs = Date.parse(until) + 86_400_000;
  if (endMs > nowMs) return null;
  if (endMs + rules.pastMs > nowMs)
    return stays(`${platform} ended, and its wheels stay until ${dayOf(endMs + rules.pastMs)}`);
  return { reason: 'platform ended', because: until };
}

/** Why a wheel counts as used. Null: nobody fetched or published it for a time that the logs cover. */
function used({ uploadTime }: Listed, { lastFetched, since }: Known, { rules, nowMs }: PruneFacts): Answer | null {
  const last = Math.max(Date.parse(uploadTime), lastFetched === null ? 0 : Date.parse(lastFetched));
  const limit = nowMs - rules.unusedMs;
  if (Number.isNaN(last) || last > limit)
    return stays(lastFetched !== null && Date.parse(lastFetched) === last ? 'it was fetched lately' : 'it is new');
  if (since === null || Date.parse(since) > limit) return stays('no access log tells who fetched it');
  return null;
}

/** @param where ends the sentence that no list wants the version */
export function unusedReason({ wants, newer }: Standing, where = ''): Answer {
  if (newer !== null) return { reason: 'superseded', because: newer };
  const upstream = wants.find(({ verdict }) => verdict === 'upstream');
  if (upstream !== undefined) return { reason: 'upstream has it now', because: upstream.reason };
  return { reason: 'nobody asks', because: `no list wants this version${where}` };
}
