// `node bench/render.mjs one.json two.json three.json`: the tables of docs/performance.md from the answers of `--json`, one file
// for each run. Each run gave medians; what stands in the table is the median of the runs, and how far they lie apart.
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { middle } from './measure.mjs';
import { mergedRuns } from './merge.mjs';

const PAGE = fileURLToPath(new URL('../docs/performance.md', import.meta.url));
const [BEGIN, END] = ['<!-- bench: begin -->', '<!-- bench: end -->'];

const text = (value) => String(value).replaceAll('|', '\\|');
const cells = (all) => `| ${all.map(text).join(' | ')} |`;

function table(rows) {
  const head = ['figure', 'median of the runs', 'the runs', 'reference', 'ratio', 'goal', 'reached'];
  return [cells(head), cells(head.map(() => '---')), ...rows.map(cells)].join('\n');
}

const number = (value, unit) => (value === null ? '–' : `${value} ${unit}`.trim());

function rowOf({ name, unit, value, values, reference, ratio, goal, reached }) {
  const mark = reached === null ? '–' : reached ? 'yes' : '**no**';
  const apart = values.length > 1 ? `${Math.min(...values)} to ${Math.max(...values)}` : '–';
  return [name, number(value, unit), apart, number(reference, unit), ratio ?? '–', goal ?? '–', mark];
}

function machine() {
  const [{ model }] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} cores (${model.trim()}), ${gigabytes} GB of memory, Node ${process.versions.node}`;
}

function main(files) {
  if (files.length === 0) {
    console.error(
      'NO_RUNS: which runs?\n  next: npm run -s bench -- --json > one.json; then node bench/render.mjs one.json',
    );
    return 2;
  }
  const runs = files.map((file) => JSON.parse(readFileSync(file, 'utf8')).rows);
  const merged = mergedRuns(runs, middle);
  const date = new Date().toISOString().slice(0, 10);
  const made = `${files.length} run${files.length > 1 ? 's' : ''} on ${date}: ${machine()}.\n\n${table(merged.map(rowOf))}`;
  const page = readFileSync(PAGE, 'utf8');
  const [before, rest] = page.split(BEGIN);
  writeFileSync(PAGE, `${before}${BEGIN}\n\n${made}\n\n${END}${rest.split(END)[1]}`);
  const missed = merged.filter(({ reached }) => reached === false).map(({ name }) => name);
  console.log(`${merged.length} figures; not reached: ${missed.length === 0 ? 'none' : `\n  ${missed.join('\n  ')}`}`);
  return 0;
}

process.exitCode = main(process.argv.slice(2));
