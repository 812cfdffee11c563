import { CACHE_STATES, type CacheState, type IndexRefresh, type RefreshedWheel } from '../../model/index-refresh.js';
import { targetCounts } from './cache-table.js';
import { projectOf, type Listed } from './listed.js';
import { escaped, projectLink, type Page } from './pages.js';

/** States whose wheels a person may want to look at, with their headings. */
const SHOWN: readonly (readonly [CacheState, string])[] = [
  ['failed', 'Failed'],
  ['known', 'Known to fail'],
  ['to build', 'To build'],
  ['unanswered', 'Unanswered'],
  ['impossible', 'Impossible'],
];
/** Wheels of one state that the HTML page names. The JSON page has all. */
const MOST_SHOWN = 500;

/** Draws the status of a platform for a browser. The same records give the same bytes: all times are those of records.
 * @param refreshes last runs of the pipelines that publish to the index */
export function statusPage(platform: string, listed: readonly Listed[], refreshes: readonly IndexRefresh[]): Page {
  const holds = holdingsOf(listed);
  const runs = refreshes.toSorted((a, b) => (a.pipeline < b.pipeline ? -1 : 1));
  const told = runs.map(({ pipeline, workflowId, at, wheels }) => ({
    ...{ pipeline, workflowId, at, targets: countsOf(wheels) },
    wheels: wheels.map(({ project, version, python, state, because }) => ({
      project,
      version,
      python,
      state,
      because,
    })),
  }));
  const json = JSON.stringify({ slipway: 1, platform, ...holds, refreshes: told });
  const paged = new Set(listed.map(({ file }) => projectOf(file)));
  return { json: `${json}\n`, html: htmlPage(platform, holds, runs, paged) };
}

interface Holdings {
  readonly wheels: number;
  readonly projects: number;
  readonly yanked: number;
  readonly bytes: number;
  /** Upload time of the newest wheel. Null: there is none. */
  readonly newest: string | null;
}

const holdingsOf = (listed: readonly Listed[]): Holdings => ({
  wheels: listed.length,
  projects: new Set(listed.map(({ file }) => projectOf(file))).size,
  yanked: listed.filter(({ yanked }) => yanked !== undefined).length,
  bytes: listed.reduce((sum, { size }) => sum + size, 0),
  newest:
    listed
      .map(({ uploadTime }) => uploadTime)
      .toSorted()
      .at(-1) ?? null,
});

const countsOf = (wheels: readonly RefreshedWheel[]) =>
  targetCounts(wheels.map(({ python, state }) => ({ target: python, state })));

/** `html`: an element of ours. */
type Cells = readonly (string | number | { readonly html: string })[];

const htmlOf = (cell: Cells[number]): string => (typeof cell === 'object' ? cell.html : escaped(String(cell)));
const row = (cells: Cells, tag = 'td'): string =>
  `<tr>${cells.map((cell) => `<${tag}>${htmlOf(cell)}</${tag}>`).join('')}</tr>`;
const table = (head: Cells, rows: readonly Cells[]): string =>
  ['<table border="1">', row(head, 'th'), ...rows.map((cells) => row(cells)), '</table>'].join('\n');

/** Projects that have a page. */
type Paged = ReadonlySet<string>;

function htmlPage(platform: string, holds: Holdings, refreshes: readonly IndexRefresh[], paged: Paged): string {
  const { wheels, projects, yanked, bytes, newest } = holds;
  const title = escaped(`Wheels for ${platform}`);
  const head = ['wheels', 'projects', 'yanked', 'bytes', 'newest upload'];
  const held = table(head, [[wheels, projects, yanked, bytes, newest ?? 'none']]);
  return `<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'">
<title>${title}</title>
</head>
<body>
<h1>${title}</h1>
<p><a href="./">All projects</a>, <a href="status.json">status.json</a></p>
${[held, ...refreshes.map((one) => refreshHtml(one, paged))].join('\n')}
</body>
</html>
`;
}

function refreshHtml({ pipeline, workflowId, at, wheels }: IndexRefresh, paged: Paged): string {
  const counts = countsOf(wheels).map(({ target, wanted, counts: by }) => [
    ...[target, wanted],
    ...CACHE_STATES.map((state) => by[state]),
  ]);
  const stateOf = (state: CacheState): readonly RefreshedWheel[] => wheels.filter((one) => one.state === state);
  return [
    `<h2>${escaped(pipeline)}</h2>`,
    `<p>${escaped(`The last run that published here is ${workflowId} of ${at}.`)}</p>`,
    table(['Python', 'wanted', ...CACHE_STATES], counts),
    ...SHOWN.flatMap(([state, title]) => sectionHtml(title, stateOf(state), paged)),
  ].join('\n');
}

function sectionHtml(title: string, wheels: readonly RefreshedWheel[], paged: Paged): readonly string[] {
  if (wheels.length === 0) return [];
  const shown = wheels.slice(0, MOST_SHOWN);
  const rows = shown.map(({ project, version, python, because }) => [
    paged.has(project) ? { html: projectLink(project) } : project,
    ...[version, python, because],
  ]);
  const more = wheels.length - shown.length;
  return [
    `<h3>${escaped(title)}</h3>`,
    table(['project', 'version', 'Python', 'reason'], rows),
    ...(more > 0 ? [`<p>And ${more} more: <a href="status.json">status.json</a> has all.</p>`] : []),
  ];
}
