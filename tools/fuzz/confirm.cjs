// One input in a process of its own: `confirm.cjs SEED INDEX [READER]`. Prints what it costs; a machine that is busy costs no CPU time.
const { mkdtempSync, rmSync, writeSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { readersIn } = require('./readers.cjs');
const { chosen, faultOf, inputAt } = require('./worker.cjs');

async function main([seed, index, only]) {
  const readers = chosen(await readersIn(only), only);
  const { reader, bytes } = inputAt(readers, Number(seed), Number(index));
  const folder = mkdtempSync(join(tmpdir(), 'slipway-fuzz-'));
  // Written at once: the input may end the process.
  writeSync(1, `${JSON.stringify({ reader: reader.name, input: bytes.toString('base64') })}\n`);
  const [cpu, rss] = [process.cpuUsage(), process.memoryUsage.rss()];
  const fault = await faultOf(reader, bytes, folder);
  const { user, system } = process.cpuUsage(cpu);
  const growth = process.resourceUsage().maxRSS * 1024 - rss;
  console.log(
    JSON.stringify({ fault, ms: Math.round((user + system) / 1000), growthMiB: Math.round(growth / 2 ** 20) }),
  );
  rmSync(folder, { recursive: true, force: true });
}

void main(process.argv.slice(2));
