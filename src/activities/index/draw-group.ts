import type { Problem } from '../../model/failure.js';
import type { Finding } from '../../model/finding.js';
import type { ListOutcome } from '../../model/index-writer.js';
import { problemsIn } from '../publish/proofs.js';
import { drawPages } from './draw-pages.js';
import type { IndexPlace } from './ports.js';
import { dueFiles, type Marked, removeDue } from './prune.js';

/** One request to an index. */
export interface AskedPages extends Marked {
  /** Platforms whose expired bytes are removed, besides those of `names`. */
  readonly platforms: readonly string[];
  /** Platforms whose records of last runs changed. */
  readonly refreshed: readonly string[];
}

/** Requests for one index, by their number. */
export interface Group {
  readonly place: IndexPlace;
  readonly asked: Map<number, AskedPages>;
}

/** Draws one index, then removes bytes whose grace is over. A platform whose pages cannot be drawn does not keep the
 * others from theirs. */
export async function drawGroup(
  { place, asked }: Group,
  nowMs: number,
): Promise<readonly (readonly [number, ListOutcome])[]> {
  const problems = new Map<string, readonly Problem[]>();
  const findings: Finding[] = [];
  const refreshed = new Set([...asked.values()].flatMap((one) => one.refreshed));
  for (const [platform, projects] of byPlatform([...asked.values()])) {
    const found = await problemsIn(async () => {
      const due = await dueFiles(place, platform, nowMs);
      const all = [...new Set([...projects, ...due.map(({ project }) => project)])];
      const isRefreshed = refreshed.has(platform);
      if (all.length > 0 || isRefreshed) findings.push(...(await drawPages(place, platform, all, isRefreshed)));
      await removeDue(place, platform, due);
    });
    if (found.length > 0) problems.set(platform, found);
  }
  return [...asked].map(([at, one]) => [at, outcomeOf(one, problems, findings)] as const);
}

function outcomeOf(
  asked: AskedPages,
  problems: ReadonlyMap<string, readonly Problem[]>,
  findings: readonly Finding[],
): ListOutcome {
  const refused = [...byPlatform([asked]).keys()].flatMap((platform) => problems.get(platform) ?? []);
  if (refused.length > 0) return { problems: refused };
  const projects = new Set(asked.names.map((name) => name.split('/')[1]));
  const own = findings.filter(({ subject }) => projects.has(subject.split('/').at(-2)));
  return { findings: [...asked.findings, ...own] };
}

function byPlatform(asked: readonly AskedPages[]): ReadonlyMap<string, readonly string[]> {
  const all = new Map<string, string[]>();
  for (const platform of asked.flatMap(({ platforms }) => platforms)) all.set(platform, []);
  for (const name of new Set(asked.flatMap(({ names }) => names))) {
    const [platform = '', project = ''] = name.split('/');
    const projects = all.get(platform) ?? [];
    all.set(platform, projects);
    projects.push(project);
  }
  return all;
}
