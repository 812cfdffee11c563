/** @long @needs services */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../src/adapters/home.js';
import { ask } from '../../src/services/ask.js';
import { createServices, type Services } from '../../src/services/create-services.js';
import { aHome } from '../services/a-home.js';
import { freePort } from '../support/free-port.js';
import { giveWorkflows } from '../support/shared-cache.js';
import { until } from '../support/until.js';

const PAGE = readFileSync(join(packageRoot(), 'docs', 'temporal.md'), 'utf8');
const BLOCKS = [...PAGE.matchAll(/^```(sh|console)\n([^]*?)^```$/gm)].map(([, kind, text]) => ({
  kind: kind!,
  lines: text!.replaceAll('\\\n', '').split('\n'),
}));
/** The first block, with which a reader begins. */
const BEGIN = BLOCKS[0]!.lines.join('\n');

/** Commands of blocks, and of code in sentences and tables. */
const ofBlocks = BLOCKS.slice(1).flatMap(({ kind, lines }) =>
  lines.flatMap((line) => (kind === 'sh' ? [line] : line.startsWith('$ ') ? [line.slice(2)] : [])),
);
const ofText = [...PAGE.replace(/^```[^]*?^```$/gm, '').matchAll(/`((?:temporal|slipway) [^`]+)`/g)].map(
  ([, typed]) => typed!,
);
const plain = (typed: string): string =>
  typed
    .replace(/\s+# .*$/, '')
    .replace(/\s+/g, ' ')
    .trim();
const TYPED = [...new Set([...ofBlocks, ...ofText].map(plain))].filter((typed) => typed !== '');

/** Output that a block of a console shows below a command. `…` and digests stand for anything. */
const SHOWN = new Map(
  BLOCKS.filter(({ kind }) => kind === 'console').flatMap(({ lines }) =>
    lines
      .join('\n')
      .split(/^\$ /m)
      .slice(1)
      .map((part): [string, readonly string[]] => {
        const [typed, ...shown] = part.split('\n');
        return [plain(typed!), shown.filter((line) => !/^\s*…?\s*$/.test(line))];
      }),
  ),
);
const pattern = (line: string): RegExp =>
  new RegExp(
    line
      .trim()
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('…', '.*')
      .replace(/\b[0-9a-f]{12}\b/g, '[0-9a-f]{12}')
      .replace(/\s+/g, '\\s+'),
  );

const RUN = 'rehearsal/skiff/1.2.0';
/** Answers to each command of the page, in an order in which they can be typed. Null: the page shows it. */
const ANSWERS: readonly (readonly [string, RegExp | null])[] = [
  ['slipway up', /Temporal's web page: http/],
  ['temporal operator cluster health', /SERVING/],
  ['temporal operator search-attribute list', /SlipwayHeld\s+Int/],
  ['temporal operator namespace list', /default/],
  [
    'temporal workflow execute --type release --task-queue control --workflow-id … --input …',
    /Status\s+COMPLETED[^]*rehearsed/,
  ],
  [
    `temporal workflow list --query 'SlipwayState = "held" AND ExecutionStatus = "Running"'`,
    /rehearsal\/tiny\/1\.0\.0/,
  ],
  [
    `temporal workflow start --type release --task-queue control --workflow-id ${RUN} --input '{"file": "/path/to/slipway.yaml", "profile": "local"}'`,
    /WorkflowId\s+rehearsal\/skiff/,
  ],
  ['slipway run', /RUN_HAS_OTHER_PLAN|rehearsal\/skiff\/1\.2\.0/],
  ['temporal workflow metadata', /required|workflow-id/],
  ['temporal workflow metadata -w rehearsal/tiny/1.0.0', null],
  ['temporal workflow metadata -w …', /\*\*held\*\*: `skiff 1\.2\.0`/],
  [
    `temporal workflow signal -w rehearsal/tiny/1.0.0 --name retry --input '{"step": "steps/smoke", "by": "kim"}'`,
    null,
  ],
  [
    `temporal workflow update execute -w rehearsal/tiny/1.0.0 --name skip --input '{"step": "steps/other", "reason": "flaky index", "by": "kim"}'`,
    null,
  ],
  [
    `temporal workflow update execute -w rehearsal/tiny/1.0.0 --name retry --input '{"step": "tests/nope", "by": "kim"}'`,
    null,
  ],
  [`temporal workflow list --query 'WorkflowId = "${RUN}"'`, /rehearsal\/skiff\/1\.2\.0/],
  [`temporal workflow show -w ${RUN} -r RUN_ID`, /WorkflowExecutionStarted/],
  [`temporal workflow show -w ${RUN}`, /WorkflowExecutionStarted/],
  ['temporal workflow show -w …', /ActivityTaskScheduled/],
  [`temporal workflow query -w ${RUN} --type status`, /"state":"held"/],
  ['temporal workflow query --type status -w …', /"state":"held"/],
  ['slipway codec serve', /codec server at http/],
  [`temporal workflow show -w ${RUN} --codec-endpoint http://127.0.0.1:8888`, /WorkflowExecutionStarted/],
  [`temporal workflow query -w ${RUN} --type status --codec-endpoint http://127.0.0.1:8888`, /"state":"held"/],
  ['slipway status', /held[^]*steps\/smoke/],
  ['slipway status --json', /"state":"held"/],
  ['slipway retry --from STEP', /steps\/smoke/],
  [`temporal workflow list --query 'WorkflowType = "release"'`, /rehearsal\/quick\/1/],
  [`temporal workflow list --query 'WorkflowType = "release" AND ExecutionStatus = "Running"'`, /rehearsal\/skiff/],
  [`temporal workflow list --query 'SlipwayRelease STARTS_WITH "skiff/"'`, /rehearsal\/skiff/],
  [`temporal workflow list --query 'SlipwayRelease = "skiff/1.2.0"'`, /rehearsal\/skiff/],
  [`temporal workflow count --query 'WorkflowType = "release" AND ExecutionStatus = "Running"'`, /Total: 3/],
  [`temporal workflow describe -w ${RUN}`, /Pending Activities/],
  ['temporal workflow stack -w …', /./],
  ['temporal task-queue describe --task-queue linux-x86_64', /linux-x86_64/],
  ['temporal operator namespace update -n default --data slipway=team-a', /update succeeded/],
  ['export SLIPWAY_MARK=team-a', /held[^]*steps\/smoke/],
  ['slipway workers', /control/],
  ['slipway doctor', /temporal/],
  ['slipway schedule FILE --every 15m', /night/],
  ['temporal schedule trigger --schedule-id pipeline/NAME', /Trigger request sent/],
  ['slipway run FILE --schedule nightly', /pipeline\/night/],
  [
    `temporal workflow signal --name cancel --input '{"reason": "wrong tag", "by": "ann"}' -w …`,
    /Signal workflow succeeded/,
  ],
  ['temporal workflow cancel -w …', /Canceled workflow|cancel/i],
  ['slipway cancel', /cancel/],
];
/** Commands whose `…` is another run than RUN, because they end it. */
const ENDED: Readonly<Record<string, string>> = { signal: 'rehearsal/tiny/1.0.0', cancel: 'rehearsal/spare/1' };

const folder = mkdtempSync(join(tmpdir(), 'slipway-by-the-page-'));
let port = 0;
let services: Services;
let env: NodeJS.ProcessEnv;
let remove = (): void => undefined;
const serving: ChildProcess[] = [];

const HELD = "steps: { smoke: { run: 'exit 3' }, other: { run: 'exit 4' } }";
const QUICK = "steps: { smoke: { run: 'true' } }";
const release = (name: string, version: string, steps: string): string =>
  `slipway: 1\nrelease: { name: ${name}, version: '${version}' }\nsource: { git: .. }\nplatforms: [linux-x86_64]\n${steps}\n`;
const FILES = {
  'slipway.yaml': release('skiff', '1.2.0', HELD),
  'tiny.yaml': release('tiny', '1.0.0', HELD),
  'spare.yaml': release('spare', '1', HELD),
  'quick.yaml': release('quick', '1', QUICK),
  'night.yaml': `slipway: 1\npipeline: { name: night, label: X1 }\nsource: { git: .. }\nplatforms: [linux-x86_64]\n${QUICK}\n`,
};

/** Types a line as the page says, after its first block. Answers all that is printed. */
async function type(line: string): Promise<string> {
  const child = spawn('sh', ['-c', `${BEGIN}\ncd release\n${line}`], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (said += piece.toString()));
  await once(child, 'close');
  return said;
}

/** The line with what the page leaves open. */
async function filled(line: string): Promise<string> {
  const ends = Object.keys(ENDED).find((what) => line.startsWith(`temporal workflow ${what}`));
  const runId = line.includes('RUN_ID')
    ? /RunId\s+(\S+)/.exec(await type(`temporal workflow describe -w ${RUN}`))![1]!
    : '';
  return line
    .replace(
      '--workflow-id … --input …',
      `--workflow-id rehearsal/quick/1 --input '{"file": "${folder}/release/quick.yaml", "profile": "local"}'`,
    )
    .replace('-w …', `-w ${ends === undefined ? RUN : ENDED[ends]}`)
    .replace('/path/to', join(folder, 'release'))
    .replace('RUN_ID', runId)
    .replace('STEP', 'steps/smoke')
    .replace('MARK=team-a', 'MARK=team-a; slipway status')
    .replace('FILE', 'night.yaml')
    .replace('/NAME', '/night')
    .replace('127.0.0.1:8888', `127.0.0.1:${port}`);
}

const held = (run: string): Promise<string> =>
  until(async () => {
    const said = await type(`temporal workflow metadata -w ${run}`);
    return said.includes('**held**') && said;
  });

beforeAll(async () => {
  mkdirSync(join(folder, 'release'));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, 'release', name), text);
  const git = (...argv: readonly string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=skiff', '-c', 'user.email=skiff@localhost', ...argv], { cwd: folder });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'one');
  const made = await aHome();
  await giveWorkflows(made.home);
  symlinkSync(join(packageRoot(), '.tools'), join(folder, '.tools'));
  symlinkSync(made.home, join(folder, '.slipway'));
  port = await freePort();
  env = { ...made.env, PATH: `${join(packageRoot(), 'bin')}:${process.env['PATH']}`, SLIPWAY_ROOTS: folder };
  services = createServices(env);
  remove = made.remove;
  await services.up({ onLine: () => undefined });
  for (const name of ['tiny', 'spare'])
    expect(await type(`slipway run ${name}.yaml --wait`)).toContain('waits for an action');
});
afterAll(async () => {
  serving.forEach((child) => child.kill());
  await services?.down({ onLine: () => undefined });
  remove();
  rmSync(folder, { recursive: true, force: true });
});

test('given docs/temporal.md, then each of its commands is typed below, and no other', () => {
  expect(ANSWERS.map(([line]) => line).toSorted()).toEqual(TYPED.toSorted());
  expect(ANSWERS.filter(([, answer]) => answer === null).map(([line]) => line).toSorted()).toEqual([...SHOWN.keys()].toSorted()); // prettier-ignore
});

test.each(ANSWERS)('when `%s` is typed, then it answers as the page says', async (line, answer) => {
  const typed = await filled(line);
  if (line === 'slipway codec serve') {
    serving.push(spawn('slipway', ['codec', 'serve', '--port', String(port)], { cwd: folder, env, stdio: 'ignore' }));
    await until(async () => (await ask(`http://127.0.0.1:${port}`, '/')) !== null);
    return;
  }
  // The server lists a run some time after it began.
  const once = !/ (list|count) /.test(typed);
  const said = once
    ? await type(typed)
    : await until(async () => {
        const now = await type(typed);
        return answer!.test(now) && now;
      });
  for (const shown of answer === null ? SHOWN.get(line)!.map(pattern) : [answer]) expect(said).toMatch(shown);
  if (typed.includes('workflow start')) await held(RUN);
});

test('given an ended run, then it lists no pending activity', async () => {
  const said = await type('temporal workflow describe -w rehearsal/quick/1 --output json');
  expect(JSON.parse(said)).toMatchObject({ closeEvent: { eventType: 'EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED' } });
  expect(said).not.toContain('pendingActivities');
});
