import {
  dueDefect,
  linkDefect,
  pageDefects,
  strangeDefect,
  wheelDefects,
  type Defect,
  type HeldWheel,
} from '../../engine/index/check.js';
import { listedOf, projectOf } from '../../engine/index/listed.js';
import { isFinding, readGone } from '../../engine/index/read-record.js';
import { indexPaths, SIDECAR, STATEMENT, type Gone } from '../../model/python/index-entry.js';
import { pagesOf, refreshesAt } from './draw-pages.js';
import { inBatches } from './in-batches.js';
import type { CheckedPlace } from './ports.js';
import { heldWheels, dueIn } from './prune.js';
import { readRecords, textAt } from './read-records.js';

/** Contents of an index, and its defects. */
export interface CheckedIndex {
  readonly platforms: readonly string[];
  /** `PLATFORM/PROJECT` of all wheels, sorted. */
  readonly projects: readonly string[];
  /** Number of wheels with a file or an entry. */
  readonly wheels: number;
  readonly defects: readonly Defect[];
}

/** Checks that files, sidecars, statements, entries, pages and roll-up of each platform agree. Writes nothing. */
export async function checkIndex(place: CheckedPlace, nowMs = Date.now()): Promise<CheckedIndex> {
  const paths = await place.list('');
  const platforms = [...new Set(paths.flatMap((path) => (isOfIndex(path) ? [path.split('/')[0]!] : [])))];
  const defects = (await place.links()).map(linkDefect);
  const projects: string[] = [];
  let wheels = 0;
  for (const platform of platforms) {
    const own = paths.filter((path) => path.startsWith(`${platform}/`));
    const checked = await checkPlatform(place, platform, own, nowMs);
    defects.push(...checked.defects);
    wheels += checked.wheels;
    projects.push(...checked.projects);
  }
  return { platforms, projects, wheels, defects };
}

const isOfIndex = (path: string): boolean => /^[^/.][^/]*\/(files|entries|simple)\//.test(path);

/** @param paths of all files of the platform */
async function checkPlatform(
  place: CheckedPlace,
  platform: string,
  paths: readonly string[],
  nowMs: number,
): Promise<Omit<CheckedIndex, 'platforms'>> {
  const below = (folder: string): readonly string[] => paths.filter((path) => path.startsWith(folder));
  const gone = await readRecords<Gone>(place, below(indexPaths.gone(platform)), readGone);
  const refreshes = await refreshesAt(place, below(indexPaths.refreshes(platform)));
  const [files, entries] = [below(indexPaths.files(platform)), below(indexPaths.entries(platform))];
  const held = await heldWheels(place, platform, { files, entries, gone: gone.found });
  const listable = held.flatMap(({ digest, entry }) =>
    digest === null || entry === null || isFinding(entry) ? [] : entry,
  );
  const listed = listedOf(listable, gone.found);
  const pages = below(`${platform}/simple/`).filter((path) => path.split('/').length === 4);
  const projects = new Set([...pages.map((path) => path.split('/')[2]!), ...listed.map(({ file }) => projectOf(file))]);
  const wanted = paths.length === 0 ? new Map<string, string>() : pagesOf(platform, listed, projects, refreshes.found);
  const there = new Set(paths);
  const found = await inBatches(
    [...wanted.keys()].filter((path) => there.has(path)),
    async (path) => [path, await textAt(place, path)] as const,
  );
  const defects = [
    ...[...gone.findings, ...refreshes.findings].map((one): Defect => ({ ...one, repair: null })),
    ...dueIn(below(indexPaths.due(platform)), platform, nowMs).map(({ mark }) => dueDefect(mark)),
    ...held.flatMap(wheelDefects),
    ...pageDefects(wanted, new Map(found)),
    ...strays(platform, paths, held, projects),
  ];
  return { wheels: held.length, projects: [...projects].sort().map((project) => `${platform}/${project}`), defects };
}

/** Files that no wheel and no page needs. */
function strays(
  platform: string,
  paths: readonly string[],
  held: readonly HeldWheel[],
  projects: ReadonlySet<string>,
): readonly Defect[] {
  const known = new Set<string>();
  for (const { project, file } of held) {
    const path = indexPaths.file(platform, project, file);
    for (const one of [path, path + SIDECAR, path + STATEMENT]) known.add(one);
    known.add(indexPaths.entry(platform, project, file));
  }
  for (const format of ['html', 'json'] as const) {
    known.add(indexPaths.root(platform, format));
    known.add(indexPaths.status(platform, format));
    for (const project of projects) known.add(indexPaths.page(platform, project, format));
  }
  known.add(indexPaths.rollup(platform));
  return paths.filter((path) => /^[^/]+\/(files|entries|simple)\//.test(path) && !known.has(path)).map(strangeDefect);
}
