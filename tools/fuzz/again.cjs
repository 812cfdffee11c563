// Runs what was found before: every file of tests/fuzz/found, or of a folder. Prints what is wrong by file; `{}` is well.
const { mkdtempSync, readdirSync, readFileSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { readersIn } = require('./readers.cjs');
const { faultOf } = require('./worker.cjs');

/** CPU time of one input: several times what each takes on a busy machine. */
const MOST_MS = 5_000;

/** Base64, or pieces of it that are repeated: `[["Ww==", 100000]]`. */
const bytesOf = (input) =>
  typeof input === 'string'
    ? Buffer.from(input, 'base64')
    : Buffer.concat(input.flatMap(([piece, times]) => Array(times).fill(Buffer.from(piece, 'base64'))));

async function main(found = join(__dirname, '..', '..', 'tests', 'fuzz', 'found')) {
  const readers = await readersIn();
  const folder = mkdtempSync(join(tmpdir(), 'slipway-fuzz-'));
  const faults = {};
  for (const name of readdirSync(found).filter((one) => one.endsWith('.json'))) {
    const { reader, input } = JSON.parse(readFileSync(join(found, name), 'utf8'));
    const one = readers.find((known) => known.name === reader);
    const cpu = process.cpuUsage();
    const fault = one === undefined ? `no reader "${reader}"` : await faultOf(one, bytesOf(input), folder);
    const { user, system } = process.cpuUsage(cpu);
    const ms = Math.round((user + system) / 1000);
    if (fault !== null || ms > MOST_MS) faults[name] = fault ?? `${ms} ms`;
  }
  rmSync(folder, { recursive: true, force: true });
  console.log(JSON.stringify(faults));
}

void main(process.argv[2]);
