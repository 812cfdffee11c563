import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { middle } from './measure.mjs';
import { mergedRuns } from './merge.mjs';

const PAGE = fileURLToPath(new URL('results.md', import.meta.url));
const HEAD = ['figure', 'median of the runs', 'the runs', 'reference', 'ratio', 'goal', 'reached'];

/** Writes the rows of one or several runs into bench/results.md, as a section above the older ones. An older row of the same
 * name goes. A figure that was not taken leaves the older row.
 * @param runs rows of each run @returns the merged rows */
export function writeResults(runs, page = PAGE) {
  const merged = mergedRuns(runs, middle);
  const rows = merged.filter(({ value }) => value !== null);
  if (rows.length === 0) return merged;
  const [intro, ...older] = readFileSync(page, 'utf8').split(/^(?=## )/m);
  const names = new Set(rows.map(({ name }) => escaped(name)));
  const kept = older.map((section) => withoutRows(section, names)).filter(hasRows);
  writeFileSync(page, [intro, sectionOf(rows, runs.length), ...kept].join(''));
  return merged;
}

const withoutRows = (section, names) =>
  section
    .split('\n')
    .filter((line) => !names.has(nameIn(line)))
    .join('\n');

const nameIn = (line) => line.split(/(?<!\\)\|/)[1]?.trim();

const hasRows = (section) =>
  section.split('\n').some((line) => line.startsWith('| ') && !['figure', '---'].includes(nameIn(line)));

const sectionOf = (rows, runs) =>
  `## ${commit()}, ${new Date().toISOString().slice(0, 10)}, ${runs} ${runs > 1 ? 'runs' : 'run'}\n\n${machine()}\n\n${tableOf(rows)}\n\n`;

function machine() {
  const [{ model }] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} cores (${model.trim()}), ${gigabytes} GB of memory, Node ${process.versions.node}.`;
}

/** Returns the commit of the checkout. It ends with -dirty if files differ from it. */
function commit() {
  try {
    const argv = ['describe', '--always', '--dirty', '--exclude', '*'];
    return execFileSync('git', argv, { cwd: fileURLToPath(new URL('..', import.meta.url)), encoding: 'utf8' }).trim();
  } catch {
    return 'no commit';
  }
}

const escaped = (value) => String(value).replaceAll('|', '\\|');
const cells = (all) => `| ${all.map(escaped).join(' | ')} |`;
const tableOf = (rows) => [HEAD, HEAD.map(() => '---'), ...rows.map(cellsOf)].map(cells).join('\n');

function cellsOf({ name, unit, value, values, reference, ratio, goal, reached }) {
  const measured = (number) => (number === null ? '–' : `${number} ${unit}`.trim());
  const mark = reached === null ? '–' : reached ? 'yes' : '**no**';
  const apart = values.length > 1 ? `${Math.min(...values)} to ${Math.max(...values)}` : '–';
  return [name, measured(value), apart, measured(reference), ratio ?? '–', goal ?? '–', mark];
}
