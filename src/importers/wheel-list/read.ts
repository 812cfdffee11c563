import type { Problem } from '../../model/failure.js';
import type { WheelList } from '../../model/schema/sections/wheel-list.js';
import { type Ask, type AskedProject, type BindepAsk, fileKey, type ImportFacts, type IndexAnswer } from '../asks.js';
import type { At, Distributions } from '../importer.js';
import { type BranchPackages, branchPackages } from './bindep.js';
import { type Branches, type Kept, keptBranches } from './branches.js';
import { problems } from './errors.js';
import { type List, type Listed, readList } from './list.js';
import { openWork } from '../work.js';
import { parseLine } from './requirement.js';
import { normalName } from '../../model/python/file-name.js';

/** All that the import says of the index and of its lists. */
export interface Catalogue {
  readonly lists: readonly (Kept & List)[];
  readonly unlisted: readonly string[];
  readonly packages: readonly BranchPackages[];
  /** Requirements of the key `wants`. */
  readonly wants: readonly Listed[];
  /** By project. */
  readonly index: Readonly<Record<string, IndexAnswer>>;
  /** By platform. */
  readonly ours: ImportFacts['ours'];
  /** Empty unless `pure` is skip. */
  readonly pure: ImportFacts['pure'];
  /** The day of planning: `2026-11-22`. */
  readonly today: string;
  readonly findings: readonly Problem[];
}

export type Read = { readonly asks: readonly Ask[] } | { readonly kept: Catalogue };

/** Limit of the lists of all branches, with the lists that they name. */
const MOST_CHARACTERS = 16_000_000;

/** Reads the lists of an import from answers so far. */
export function readLists(entry: WheelList, facts: ImportFacts, at: At, distributions: Distributions = {}): Read {
  const findings: Problem[] = [];
  const today = facts.today['UTC'];
  const asks: Ask[] = today === undefined ? [{ ask: 'today' }] : [];
  const branches = branchesOf(entry, facts, at, findings);
  const lists = branches === null ? [] : listsOf(entry, branches, facts, at, { asks, findings });
  const bindeps: BindepAsk[] = [];
  const packages = branchPackages(entry, branches?.kept ?? [], facts, distributions, bindeps);
  asks.push(...bindeps);
  if (branches === null) asks.push({ ask: 'branches', git: entry.git! });
  if (asks.length > 0) return { asks };
  const wants = wantsIn(entry, at, findings);
  const projects = projectsOf(entry, [
    ...lists.flatMap(({ wanted, constraints }) => [...wanted, ...constraints]),
    ...wants,
  ]);
  const more = findings.length > 0 ? [] : asksAbout(projects, entry, facts);
  if (more.length > 0) return { asks: more };
  const sdists = entry.pure === 'skip' && findings.length === 0 ? unknownSdists(facts) : [];
  if (sdists.length > 0) return { asks: [{ ask: 'pure', sdists }] };
  const { index, ours, pure } = facts;
  return { kept: { lists, unlisted: branches!.unlisted, packages, wants, index, ours, pure, today: today!, findings } };
}

/** Questions to the index, and to our own indexes. */
function asksAbout(projects: readonly AskedProject[], entry: WheelList, { index, ours }: ImportFacts): readonly Ask[] {
  const unknown = projects.filter(({ name }) => index[name] === undefined);
  const targets = [...entry.rows.map((row) => row.for), entry.for ?? {}];
  const platforms = [...new Set(targets.flatMap((all) => Object.keys(all)))].filter((one) => ours[one] === undefined);
  return [
    ...(unknown.length > 0 ? [{ ask: 'index' as const, projects: unknown, maxAgeMs: entry.maxAge }] : []),
    ...platforms.sort().map((platform) => ({ ask: 'ours' as const, platform })),
  ];
}

/** Digests of sdists that the index lists, and that were not asked about. */
function unknownSdists({ index, pure }: ImportFacts): readonly string[] {
  const all = Object.values(index).flatMap((answer) => (answer.state === 'files' ? answer.files : []));
  const sdists = all.flatMap(({ file, sha256 }) => (sha256 !== null && /\.(tar\.gz|zip)$/.test(file) ? [sha256] : []));
  return [...new Set(sdists)].filter((sdist) => !Object.hasOwn(pure, sdist)).sort();
}

function branchesOf(entry: WheelList, facts: ImportFacts, at: At, findings: Problem[]): Branches | null {
  if (entry.git === undefined) return { kept: [], unlisted: [], idle: [] };
  const all = facts.branches[entry.git];
  if (all === undefined) return null;
  const branches = keptBranches(entry, all);
  for (const index of branches.idle)
    findings.push(problems.branchAbsent(at(['rows', index, 'branch']), entry.rows[index]!.branch, Object.keys(all)));
  return branches;
}

function listsOf(
  { git = '', file = '' }: WheelList,
  { kept }: Branches,
  facts: ImportFacts,
  at: At,
  { asks, findings }: { readonly asks: Ask[]; readonly findings: Problem[] },
): readonly (Kept & List)[] {
  const work = openWork(MOST_CHARACTERS, 'characters of lists', (problem) => findings.push(problem));
  return kept.flatMap((one) => {
    const { branch, commit } = one;
    const text = (path: string): string | null | undefined => facts.file[fileKey({ git, commit, path })];
    const list = readList(file, text, (path) => `${branch}:${path}`, work);
    if ('asks' in list) {
      asks.push(...list.asks.map((path) => ({ ask: 'file' as const, git, commit, path })));
      return [];
    }
    if (text(file) === null) findings.push(problems.listAbsent(at(['file']), file, branch));
    else if (list.wanted.length === 0) findings.push(problems.listEmpty(at(['file']), file, branch));
    return [{ ...one, ...list }];
  });
}

function wantsIn({ wants }: WheelList, at: At, findings: Problem[]): readonly Listed[] {
  return wants.flatMap((text, index) => {
    const parsed = parseLine(text);
    const place = at(['wants', index]);
    if (parsed.is === 'requirement') return [{ ...parsed.requirement, place: place ?? { file: '' } }];
    const why = parsed.is === 'fault' ? parsed.why : parsed.is === 'left out' ? parsed.because : 'it names a list';
    findings.push(problems.wantUnreadable(place, text, why));
    return [];
  });
}

/** Projects to ask the index about, with the versions that lists pin; all versions where a range is wanted. */
function projectsOf({ never, only }: WheelList, lines: readonly Listed[]): readonly AskedProject[] {
  const left = new Set(never.map(normalName));
  const wanted = only && new Set(only.map(normalName));
  const versions = new Map<string, Set<string> | 'all'>();
  for (const { project, specifiers } of lines) {
    if (left.has(project) || wanted?.has(project) === false) continue;
    const pin = /^={2,3}([^,*]+)$/.exec(specifiers)?.[1];
    const before = versions.get(project) ?? new Set();
    versions.set(project, pin === undefined || before === 'all' ? 'all' : before.add(pin));
  }
  return [...versions].map(([name, all]) => ({ name, versions: all === 'all' ? all : [...all].sort() }));
}
