// `node bench/render.mjs one.json two.json three.json`: writes the medians of several runs into bench/results.md.
// Each file is the output of one `npm run -s bench -- --json`.
import { readFileSync } from 'node:fs';
import { writeResults } from './results.mjs';

function main(files) {
  if (files.length === 0) {
    console.error(
      'NO_RUNS: no file was given\n  next: Type `npm run -s bench -- --json > one.json`, then `node bench/render.mjs one.json`.',
    );
    return 2;
  }
  const merged = writeResults(files.map((file) => JSON.parse(readFileSync(file, 'utf8')).rows));
  const missed = merged.filter(({ reached }) => reached === false).map(({ name }) => name);
  console.log(`${merged.length} figures; not reached: ${missed.length === 0 ? 'none' : `\n  ${missed.join('\n  ')}`}`);
  return 0;
}

process.exitCode = main(process.argv.slice(2));
