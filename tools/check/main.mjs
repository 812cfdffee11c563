// `npm test`, `npm run check | test:all | ray | spack`, .ci/run: one line per part, then `N passed, N failed` alone on the last line.
// `check` runs the quick suites that need nothing but Node, git and this repository. `test` and `all` run those whose needs
// `slipway doctor` finds; `test` leaves out the long ones. `ray` runs those that start clusters of Ray, `spack` those with a real Spack.
// .ci/run halves `all`: `core` runs the suites that need no system (tools/ci), `systems s3 tls-server` those of these systems.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SYSTEMS } from '../ci/systems.mjs';
import { suitesOf, unmet } from './needs.mjs';
import { run } from './run.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const bin = (name) => join(root, 'node_modules', '.bin', name);

/** Checks that a change must pass, in two lanes side by side. */
const LANES = [
  [
    { name: 'types', argv: [bin('tsc'), '-b'] },
    { name: 'types of tests', argv: [bin('tsc'), '-p', 'tsconfig.tests.json'] },
    { name: 'format', argv: [bin('oxfmt'), '--check', '.'] },
    { name: 'dead code', argv: [bin('knip')] },
  ],
  [{ name: 'lint', argv: [bin('oxlint')] }],
];
/** Suites wait for servers and programs about half of their time. */
const WORKERS = Math.min(4, availableParallelism() + 2);

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
const line = (ok, name, ms, note = '') =>
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${name.padEnd(16)} ${seconds(ms).padStart(8)}${note}`);

async function checkPart(part) {
  const { code, output, ms } = await run(part.argv, root);
  line(code === 0, part.name, ms);
  if (code !== 0) console.log(output.trimEnd());
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}

async function checkLane(parts) {
  const counts = [];
  for (const part of parts) counts.push(await checkPart(part));
  return counts;
}

/** Runs these suites with Jest's own output shown as it comes. Returns what its report counts. */
async function runJest(suites, workers) {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-check-'));
  try {
    const report = join(folder, 'jest.json');
    const reporters = ['default', join(root, 'tools/check/reporter.cjs')].map((name) => `--reporters=${name}`);
    const files = suites.map(({ file }) => file);
    // A suite that ended at its time limit may still wait, and would keep Jest from its end.
    const jest = [bin('jest'), ...reporters, `--maxWorkers=${workers}`, '--forceExit', '--runTestsByPath', ...files];
    const { code, signal, ms } = await run(jest, root, { show: true, env: { SLIPWAY_CHECK_REPORT: report } });
    const counts = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : { ...NOTHING };
    if (code !== 0 && counts.failed === 0) counts.failed = 1;
    const { passed, failed, skipped } = counts;
    const ended = signal === null ? '' : `; Jest was ended by ${signal} before it was done`;
    line(failed === 0, 'tests', ms, `  ${passed} passed, ${failed} failed, ${skipped} skipped${ended}`);
    for (const skip of counts.skips) console.log(`       skipped: ${skip}`);
    return counts;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
const NOTHING = { passed: 0, failed: 0, skipped: 0, skips: [] };

/** Asks up to three times: on a busy machine a service may answer too late once. */
async function askDoctor(times = 3) {
  const { output } = await run([process.execPath, 'bin/slipway.js', 'doctor', '--json'], root);
  const findings = JSON.parse(output.slice(output.indexOf('['), output.lastIndexOf(']') + 1));
  return times === 1 || findings.every(({ ok }) => ok) ? findings : askDoctor(times - 1);
}

/** Without servers: what needs anything is left out, and what takes more than some seconds. */
function quickSuites() {
  const all = suitesOf(root);
  const alone = all.filter(({ needs }) => needs.length === 0);
  const suites = alone.filter(({ pace }) => pace === null);
  console.log(
    `       ${all.length - alone.length} suites need servers or programs, ${alone.length - suites.length} are slow: \`npm test\` runs them`,
  );
  return { suites, leftOut: [] };
}

/** The suites that start clusters of Ray. They take minutes, so `npm test` leaves them to `npm run ray`. */
const startsRay = ({ needs }) => needs.includes('ray');
const spackSuites = () => ({ suites: suitesOf(root).filter((suite) => needsAny(suite, ['spack'])), leftOut: [] });
const raySuites = () => ({ suites: suitesOf(root).filter(startsRay), leftOut: [] });

/** What `slipway doctor` finds decides: a suite whose needs are not there is named with the reason, and counts as skipped. */
async function possibleSuites({ long, among = () => true }) {
  const findings = await askDoctor();
  const missing = unmet(root, findings);
  const [suites, leftOut] = [[], []];
  for (const suite of suitesOf(root).filter(among)) {
    if (startsRay(suite)) {
      leftOut.push(`${suite.file}: \`npm run ray\` runs it`);
      continue;
    }
    if (suite.pace === 'long' && !long) {
      leftOut.push(`${suite.file}: \`npm run test:all\` runs it`);
      continue;
    }
    const need = suite.needs.find((one) => missing[one] !== undefined);
    if (need === undefined) suites.push(suite);
    else leftOut.push(`${suite.file}: needs ${need}: ${missing[need]}`);
  }
  return { suites, leftOut, healthy: findings.every(({ ok }) => ok) };
}

/** Skips of optional tools: `npm start` does not install them, and `slipway doctor` does not ask for them. */
const OPTIONAL = [
  ...['s3', 'tls-server', 'hosts'].map((mode) => `\`npm run ${mode}\` builds`),
  'no aarch64-linux-gnu-gcc',
];
const isOptional = (skip) => OPTIONAL.some((reason) => skip.includes(reason));

/** A test that skipped itself although every service answers hides a failure, in whichever folder it stands. */
function judgeSkips({ skips }, healthy) {
  const hidden = healthy && !skips.every(isOptional);
  if (hidden) line(false, 'no hidden skips', 0, '  `slipway doctor` is green, so nothing may be skipped');
  return { passed: 0, failed: hidden ? 1 : 0, skipped: 0 };
}

const MODES = {
  check: quickSuites,
  ray: raySuites,
  spack: spackSuites,
  test: () => possibleSuites({ long: false }),
  all: () => possibleSuites({ long: true }),
  core: () => possibleSuites({ long: true, among: (suite) => !needsAny(suite, Object.keys(SYSTEMS)) }),
  systems: (names) => possibleSuites({ long: true, among: (suite) => needsAny(suite, names) && !startsRay(suite) }),
};
const needsAny = ({ needs }, names) => needs.some((need) => names.includes(need));
/** The lanes check every file, so one half of the suites is enough to start them. */
const WITHOUT_LANES = ['ray', 'spack', 'systems'];

async function main(mode, names) {
  const counts = [];
  if (!WITHOUT_LANES.includes(mode)) counts.push(...(await Promise.all(LANES.map(checkLane))).flat());
  const { suites, leftOut, healthy = false } = await MODES[mode](names);
  for (const one of leftOut) console.log(`       left out: ${one}`);
  // Ctrl-C ends Jest, too: what it left is counted then.
  if (mode === 'ray') process.on('SIGINT', () => {});
  // Two clusters of Ray side by side are too much for two cores: their nodes then miss Ray's own time limits.
  const workers = mode === 'ray' ? 1 : WORKERS;
  // Without a path Jest would run every suite there is.
  const tests = suites.length === 0 ? NOTHING : await runJest(suites, workers);
  counts.push(tests, judgeSkips(tests, healthy), { passed: 0, failed: 0, skipped: leftOut.length });
  const [passed, failed, skipped] = ['passed', 'failed', 'skipped'].map((what) =>
    counts.reduce((total, one) => total + one[what], 0),
  );
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  return failed === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv[2] ?? 'test', process.argv.slice(3));
