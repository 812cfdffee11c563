// `npm test` and `npm run check`: one line per part, then `N passed, N failed` alone on the last line.
// `check` leaves out the suites that need servers.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run.mjs';
import { readReport, sum } from './report.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const bin = (name) => join(root, 'node_modules', '.bin', name);

/** What a change must pass, cheapest first. */
const PARTS = [
  { name: 'types', argv: [bin('tsc'), '-b'] },
  { name: 'types of tests', argv: [bin('tsc'), '-p', 'tsconfig.tests.json'] },
  { name: 'lint', argv: [bin('oxlint')] },
  { name: 'format', argv: [bin('prettier'), '--check', '--log-level', 'warn', '.'] },
  { name: 'dead code', argv: [bin('knip')] },
];
/** Suites wait for servers and programs about a third of their time: one more than there are cores keeps those busy. */
const WORKERS = Math.min(4, availableParallelism() + 1);
const SERVERS = ['/tests/integration/', '/tests/drills/'];

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
const line = (ok, name, ms, note = '') =>
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${name.padEnd(16)} ${seconds(ms).padStart(8)}${note}`);

async function checkPart(part) {
  const { code, output, ms } = await run(part.argv, root);
  line(code === 0, part.name, ms);
  if (code !== 0) console.log(output.trimEnd());
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}

/** Runs Jest with its own output shown as it comes, and answers what its report counts. */
async function runJest(name, argv) {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-check-'));
  try {
    const report = join(folder, 'jest.json');
    const jest = [
      bin('jest'),
      '--json',
      `--outputFile=${report}`,
      `--maxWorkers=${WORKERS}`,
      '--passWithNoTests',
      ...argv,
    ];
    const { code, ms } = await run(jest, root, { show: true });
    const counts = readReport(readFileSync(report, 'utf8'), root);
    if (code !== 0 && counts.failed === 0) counts.failed = 1;
    line(
      counts.failed === 0,
      name,
      ms,
      `  ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`,
    );
    for (const skip of counts.skips) console.log(`       skipped: ${skip}`);
    return counts;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The store on S3 is asked for by itself: `npm run s3` builds its server, and `slipway doctor` does not miss it. */
const isOptional = (skip) => skip.includes('`npm run s3` builds it');

/** A test that skipped itself although every service answers hides a failure, in whichever folder it stands. */
async function judgeSkips(counts) {
  if (counts.flatMap(({ skips }) => skips).every(isOptional)) return [];
  const { code, ms } = await run([process.execPath, 'bin/slipway.js', 'doctor'], root);
  const hidden = code === 0;
  line(!hidden, 'no hidden skips', ms, hidden ? '  `slipway doctor` is green, so nothing may be skipped' : '');
  return [{ passed: hidden ? 0 : 1, failed: hidden ? 1 : 0, skipped: 0 }];
}

async function main(mode) {
  const counts = [];
  for (const part of PARTS) counts.push(await checkPart(part));
  const tests = await runJest('tests', [`--testPathIgnorePatterns=${SERVERS.join('|')}`]);
  counts.push(tests);
  if (mode === 'test') {
    const servers = await runJest('with servers', [`--testPathPatterns=${SERVERS.join('|')}`]);
    counts.push(servers, ...(await judgeSkips([tests, servers])));
  }
  const { passed, failed, skipped } = sum(counts);
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  return failed === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv[2] ?? 'test');
