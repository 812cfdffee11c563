import { DEBIAN_PACKAGE } from '../../model/debian.js';
import type { Finding } from '../../model/finding.js';
import type { WheelList } from '../../model/schema/sections/wheel-list.js';
import { type BindepAsk, type BindepAnswer, bindepKey, type ImportFacts } from '../asks.js';
import type { Distributions } from '../importer.js';
import type { Kept } from './branches.js';
import { findings } from './findings.js';

/** Packages that a branch names for a platform. */
export interface BranchPackages {
  readonly branch: string;
  readonly platform: string;
  /** Last day on which the branch is kept for the platform. Null: no last day. */
  readonly until: string | null;
  /** Null: the branch has no such file. */
  readonly answer: BindepAnswer | null;
}

/** Reads the bindep file of each branch for the platforms that the branch is kept for. Adds unanswered questions to `asks`. */
export function branchPackages(
  { git = '', bindep }: WheelList,
  kept: readonly Kept[],
  { bindep: facts }: ImportFacts,
  distributions: Distributions,
  asks: BindepAsk[],
): readonly BranchPackages[] {
  if (bindep === undefined) return [];
  return kept.flatMap(({ branch, commit, targets }) =>
    Object.entries(distributions).flatMap(([platform, distribution]) => {
      const days = targets.flatMap((target) => (target.platform === platform ? [target.until] : []));
      if (days.length === 0) return [];
      const ask: BindepAsk = {
        ask: 'bindep',
        git,
        commit,
        path: bindep,
        platform: distribution,
        profiles: ['compile'],
      };
      const answer = facts[bindepKey(ask)];
      if (answer === undefined) asks.push(ask);
      const until = days.includes(null) ? null : days.toSorted().at(-1)!;
      return answer === undefined ? [] : [{ branch, platform, until, answer }];
    }),
  );
}

/** Returns the packages of each platform: those of all branches that are still kept for it. */
export function packagesByPlatform(
  all: readonly BranchPackages[],
  today: string,
): Readonly<Record<string, readonly string[]>> {
  const packages = new Map<string, string[]>();
  for (const { platform, until, answer } of all)
    if (until === null || until >= today)
      packages.set(platform, [...(packages.get(platform) ?? []), ...(answer?.packages.filter(isDebian) ?? [])]);
  return Object.fromEntries([...packages].map(([platform, names]) => [platform, [...new Set(names)].sort()]));
}

const isDebian = (name: string): boolean => DEBIAN_PACKAGE.test(name);

/** Findings about bindep files. @param file path of the files in their branches */
export const bindepFindings = (all: readonly BranchPackages[], file: string): readonly Finding[] =>
  all.flatMap(({ branch, platform, answer }) => {
    const place = { file: `${branch}:${file}` };
    if (answer === null) return [findings.bindepAbsent(place)];
    return [
      ...answer.broken.map(({ line, text }) => findings.bindepLine({ ...place, line }, text)),
      ...answer.packages.filter((name) => !isDebian(name)).map((name) => findings.noPackage(place, name, platform)),
    ];
  });
