// `npm run bench`: figures of this machine, now, each against its reference in the same run. Nothing is asserted.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArguments, USAGE } from './arguments.mjs';
import { PARTS } from './parts.mjs';
import { writeResults } from './results.mjs';
import { broken, columns, HEADER, line } from './rows.mjs';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');

async function main(argv) {
  const read = readArguments(argv, PARTS);
  if (read.problem) {
    const { code, message, next } = read.problem;
    console.error(`${code}: ${message}\n  next: ${next}`);
    return 2;
  }
  const { parts, json, help, ...asked } = read;
  if (help) {
    console.log(USAGE(Object.keys(PARTS)));
    return 0;
  }
  const folder = mkdtempSync(join(tmpdir(), 'slipway-bench-'));
  /** What a part gets. `note` is for people who watch; figures are answered. */
  const bench = { root, folder, ...asked, note: (text) => console.error(`  ${text}`) };
  if (!json) console.log(line(HEADER));
  try {
    const rows = await measured(parts, bench, (row) => json || console.log(line(columns(row))));
    if (json) console.log(JSON.stringify({ rows }, null, 2));
    else writeResults([rows]);
    return 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One part that breaks does not take the figures of the others with it. */
async function measured(parts, bench, tell) {
  const all = [];
  for (const name of parts) {
    const rows = await PARTS[name](bench).catch((error) => {
      console.error(`${name} broke: ${error?.stack ?? error}`);
      process.exitCode = 1;
      return [broken(name, error)];
    });
    rows.forEach(tell);
    all.push(...rows);
  }
  return all;
}

process.exitCode = (await main(process.argv.slice(2))) || process.exitCode;
