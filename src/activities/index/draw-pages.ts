import { readEntry, readGone } from '../../engine/index/read-record.js';
import { listedOf, projectOf, withFiles, type Listed } from '../../engine/index/listed.js';
import { projectPage, rootPage, type Page } from '../../engine/index/pages.js';
import { readRefresh } from '../../engine/index/refresh.js';
import { readRollup, rollupText } from '../../engine/index/rollup.js';
import { statusPage } from '../../engine/index/status-page.js';
import { type IndexRefresh, MOST_REFRESH_BYTES } from '../../model/index-refresh.js';
import type { Finding } from '../../model/finding.js';
import { indexPaths, SIDECAR, type Gone, type IndexEntry } from '../../model/python/index-entry.js';
import { fail } from '../../model/failure.js';
import { indexRestless } from './errors.js';
import type { IndexPlace } from './ports.js';
import { readRecords } from './read-records.js';

/** Rounds after which new records no longer matter: their publishers ask for pages themselves. */
const ENOUGH_ROUNDS = 3;
/** Rounds that may be lost to another writer. Only one that has not noticed its end can be another. */
const MOST_ROUNDS = 20;

/** Draws the pages of some projects of one platform, the root, the roll-up and the status. It lists the records again afterwards and
 * draws again if they changed: the last writer's pages then show everything that was there.
 * @param isRefreshed draws root, roll-up and status also if no project is known
 * @returns findings about damaged records and absent files */
export async function drawPages(
  place: IndexPlace,
  platform: string,
  projects: readonly string[],
  isRefreshed = false,
): Promise<readonly Finding[]> {
  let before = await recordsOf(place, platform);
  const asked = new Set(await knownOf(place, platform, projects, before));
  if (asked.size === 0 && !isRefreshed) return [];
  for (let round = 1; round <= MOST_ROUNDS; round += 1) {
    const { pages, findings } = await draw(place, platform, before, asked);
    const swapped = await swapAll(place, pages);
    const after = await recordsOf(place, platform);
    if (swapped && (sameRecords(before, after) || round >= ENOUGH_ROUNDS)) return findings;
    for (const path of changed(before, after)) asked.add(projectIn(path));
    before = after;
  }
  throw fail(indexRestless(platform, MOST_ROUNDS));
}

interface Records {
  readonly entries: readonly string[];
  readonly gone: readonly string[];
}

/** Projects that have a record or a page. Any local user can ask the writer for any name. */
async function knownOf(
  place: IndexPlace,
  platform: string,
  projects: readonly string[],
  records: Records,
): Promise<readonly string[]> {
  const known = new Set(all(records).map(projectIn));
  const pages = await Promise.all(
    projects.map((project) => known.has(project) || place.read(indexPaths.page(platform, project, 'json'))),
  );
  return projects.filter((_, at) => pages[at]);
}

async function recordsOf(place: IndexPlace, platform: string): Promise<Records> {
  const [entries, gone] = await Promise.all([
    place.list(indexPaths.entries(platform)),
    place.list(indexPaths.gone(platform)),
  ]);
  return { entries, gone };
}

const all = ({ entries, gone }: Records): readonly string[] => [...entries, ...gone];
const sameRecords = (a: Records, b: Records): boolean => changed(a, b).length === 0;

function changed(before: Records, after: Records): readonly string[] {
  const [old, now] = [new Set(all(before)), new Set(all(after))];
  return [...all(after).filter((path) => !old.has(path)), ...all(before).filter((path) => !now.has(path))];
}

const projectIn = (path: string): string => path.split('/').at(-2)!;
const fileIn = (path: string): string =>
  path
    .split('/')
    .at(-1)!
    .replace(/\.json$/, '');

/** Text by path. */
type Pages = ReadonlyMap<string, string>;

async function draw(
  place: IndexPlace,
  platform: string,
  records: Records,
  asked: ReadonlySet<string>,
): Promise<{ pages: Pages; findings: readonly Finding[] }> {
  const rollup = readRollup((await place.read(indexPaths.rollup(platform)))?.text ?? null, asked);
  // Rows of other projects were drawn from the same records, so those are not read again.
  const isKnown = (path: string): boolean => !asked.has(projectIn(path)) && rollup.has(fileIn(path));
  const unknown = records.entries.filter((path) => !isKnown(path));
  const files = new Set(unknown.map(fileIn));
  const read = await readRecords<IndexEntry>(place, unknown, readEntry);
  const gone = await readRecords<Gone>(
    place,
    records.gone.filter((path) => files.has(fileIn(path))),
    readGone,
  );
  const there = await Promise.all([...asked].map((project) => place.list(indexPaths.files(platform, project))));
  const present = new Set(there.flat().map((path) => path.split('/').at(-1)!));
  const isAsked = ({ file }: IndexEntry): boolean => asked.has(projectOf(file));
  const complete = withFiles(read.found.filter(isAsked), present);
  const refreshes = await refreshesAt(place, await place.list(indexPaths.refreshes(platform)));
  const fresh = listedOf([...complete.entries, ...read.found.filter((one) => !isAsked(one))], gone.found);
  const listed = [...fresh, ...records.entries.filter(isKnown).map((path) => rollup.get(fileIn(path))!)];
  return {
    pages: pagesOf(platform, listed, asked, refreshes.found),
    findings: [read, gone, complete, refreshes]
      .flatMap(({ findings }) => findings)
      .concat(strays(records, there.flat())),
  };
}

/** Reads the records of last runs. */
export const refreshesAt = (
  place: IndexPlace,
  paths: readonly string[],
): ReturnType<typeof readRecords<IndexRefresh>> => readRecords(place, paths, readRefresh, MOST_REFRESH_BYTES);

/** Draws pages of projects, the root, the roll-up and the status.
 * @param listed all wheels of the platform */
export function pagesOf(
  platform: string,
  listed: readonly Listed[],
  asked: ReadonlySet<string>,
  refreshes: readonly IndexRefresh[],
): Pages {
  const pages = new Map<string, string>();
  const add = (at: (format: 'html' | 'json') => string, page: Page): void => {
    for (const format of ['html', 'json'] as const) pages.set(at(format), page[format]);
  };
  const own = new Map<string, Listed[]>([...asked].sort().map((project) => [project, []]));
  for (const wheel of listed) own.get(projectOf(wheel.file))?.push(wheel);
  for (const [project, wheels] of own)
    add((format) => indexPaths.page(platform, project, format), projectPage(project, wheels));
  add((format) => indexPaths.root(platform, format), rootPage(listed.map(({ file }) => projectOf(file))));
  add((format) => indexPaths.status(platform, format), statusPage(platform, listed, refreshes));
  return pages.set(indexPaths.rollup(platform), rollupText(listed));
}

/** Wheels without an entry: a publisher ended between both, or a person put them there. */
function strays({ entries }: Records, files: readonly string[]): readonly Finding[] {
  const known = new Set(entries.map(fileIn));
  const wheels = files.filter((path) => path.endsWith('.whl') && !known.has(path.split('/').at(-1)!));
  return wheels.map((path) => ({
    level: 'note',
    code: 'INDEX_ENTRY_ABSENT',
    subject: path,
    why: `the index has the file and no entry, so no page names it (its sidecar is FILE${SIDECAR})`,
    next: 'Its publisher may be at work. If it stays so, publish the wheel again: `slipway run FILE`.',
  }));
}

/** Swaps pages whose text changed. Returns false if another writer was first. */
async function swapAll(place: IndexPlace, pages: Pages): Promise<boolean> {
  const swapped = await Promise.all(
    [...pages].map(async ([path, text]) => {
      const seen = await place.read(path);
      return seen?.text === text || (await place.swap(path, text, seen));
    }),
  );
  return swapped.every(Boolean);
}
