/** @needs temporal sandbox */
import { execFile, type ChildProcess } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { packageRoot } from '../../../src/adapters/home.js';
import { homeWithWorkflows } from '../../support/shared-cache.js';
import { startWorkerProcess, untilServed } from '../../support/worker-process.js';
import { startTemporal } from '../../temporal-env.js';

const EXAMPLES = join(packageRoot(), 'examples');
const COMMANDS = join(EXAMPLES, 'ci', 'slipway-campaign-commands.sh');
const folder = mkdtempSync(join(tmpdir(), 'slipway-launchers-'));
const pwned = join(folder, 'pwned');
/** Text that a shell, YAML and the command line each might read as their own. */
const HOSTILE = `it's "$(touch ${pwned})" \`touch ${pwned}\`; touch ${pwned} #\n{x}: --yes`;

let env: TestWorkflowEnvironment;
let home: string;
const workers: ChildProcess[] = [];
beforeAll(async () => {
  [env, home] = await Promise.all([startTemporal(), homeWithWorkflows()]);
  const around = { ...process.env, SLIPWAY_HOME: home, TEMPORAL_ADDRESS: env.address };
  for (const role of [['--workflows'], ['--queue', 'control'], ['--queue', 'linux-x86_64']])
    workers.push(startWorkerProcess(role, around));
  await untilServed(env.connection, 'control', 'linux-x86_64');
});
afterAll(async () => {
  workers.forEach((worker) => worker.kill('SIGKILL'));
  await env?.teardown();
  rmSync(folder, { recursive: true });
});

interface Said {
  readonly code: number;
  readonly text: string;
}
/** Runs a script with a program `slipway` on the PATH. */
const shell = (script: string, bin: string, more: Record<string, string>): Promise<Said> =>
  new Promise((resolve) => {
    const environment = { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH']}`, ...more };
    execFile('sh', [script], { env: environment, cwd: folder }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, text: stdout + stderr }),
    );
  });

/** With the built program and the suite's own services. */
const real = (script: string, more: Record<string, string>): Promise<Said> =>
  shell(script, join(packageRoot(), 'bin'), { SLIPWAY_HOME: home, TEMPORAL_ADDRESS: env.address, ...more });
const check = (more: Record<string, string> = {}, examples = EXAMPLES): Promise<Said> =>
  real(join(examples, 'ci', 'check.sh'), more);

/** A copy of the examples, one file of which is changed. */
function changed(path: string, change: (text: string) => string): string {
  const copy = mkdtempSync(join(folder, 'copy-'));
  for (const name of ['ci', 'lifecycle']) cpSync(join(EXAMPLES, name), join(copy, name), { recursive: true });
  writeFileSync(join(copy, path), change(readFileSync(join(copy, path), 'utf8')));
  return copy;
}

test('given hostile values, then each is a part of one argument, and no shell runs it', async () => {
  const bin = mkdtempSync(join(folder, 'bin-'));
  const asked = join(bin, 'asked');
  const stub = `#!/usr/bin/env node
    require('node:fs').appendFileSync(${JSON.stringify(asked)}, JSON.stringify(process.argv.slice(2)) + '\\n');
    if (process.argv[2] === 'run') console.log(JSON.stringify({ workflowId: 'pipeline/a/b', run: 'c' }));`;
  writeFileSync(join(bin, 'slipway'), stub);
  chmodSync(join(bin, 'slipway'), 0o755);
  const values = { PROJECT: HOSTILE, PRESETS: HOSTILE, MEMBER: HOSTILE, BUILD_ID: HOSTILE, ARTIFACT_DIR: HOSTILE };
  const ticks = { CLEAN: 'true', PREPARE: HOSTILE, TEST: 'true', CLEAN_AFTER: 'false' };
  expect(await shell(COMMANDS, bin, { ...values, ...ticks })).toEqual({ code: 0, text: '' });
  const text = `'${HOSTILE.replaceAll("'", "''").replaceAll('\n', '\n\n')}'`;
  const given = [
    ...[`--label=build-${HOSTILE}`, `--set=service.name=${text}`, `--preset=${HOSTILE}`],
    ...['--skip=steps/prepare,steps/clean-after', '--', HOSTILE],
  ];
  const lines = readFileSync(asked, 'utf8').trimEnd().split('\n');
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
    ['plan', ...given],
    ['run', '--no-wait', '--json', '--on-hold=fail', ...given],
    ['watch', '--on-hold=wait', 'pipeline/a/b'],
    ['artifacts', 'export', '--run', 'pipeline/a/b', '-o', `${HOSTILE}/slipway`],
  ]);
  expect(existsSync(pwned)).toBe(false);
});

test('given the defaults of both files, then both campaigns end, each with a folder of what it made', async () => {
  const { code, text } = await check();
  expect({ code, text }).toEqual({ code: 0, text: expect.stringMatching(/^done {2}lifecycle build-jenkins-\d+ /m) });
  expect(text).toMatch(/^done {2}lifecycle build-openshift-\d+ /m);
  expect(text.match(/artifacts\/slipway$/gm)).toHaveLength(2);
});

test('given a step without its tick and a hostile member, then the step counts as done, and the member is text', async () => {
  const out = join(folder, 'out');
  const given = { PROJECT: join(EXAMPLES, 'lifecycle'), PRESETS: 'nightly', MEMBER: HOSTILE, BUILD_ID: '1' };
  const ticks = { CLEAN: 'true', PREPARE: 'false', TEST: 'true', CLEAN_AFTER: 'true' };
  const { code, text } = await real(COMMANDS, { ...given, ...ticks, ARTIFACT_DIR: out });
  expect({ code, text }).toEqual({ code: 0, text: expect.stringMatching(/^ {2}steps\/prepare +--skip names it/m) });
  const [last] = readdirSync(join(out, 'slipway')).filter((name) => name.endsWith('clean-after'));
  expect(readFileSync(join(out, 'slipway', last!, 'run.log'), 'utf8')).toContain(`nothing of ${HOSTILE} is left`);
  expect(existsSync(pwned)).toBe(false);
});

test.each<[what: string, code: number, told: string, run: () => Promise<Said>]>([
  ['a preset that is shell text', 2, 'PRESET_INVALID', () => check({ PRESETS: `$(touch ${pwned})` })],
  ['an unknown preset', 2, 'CONFIG_PRESET_UNKNOWN', () => check({ PRESETS: `a';touch\${IFS}${pwned}` })],
  [
    'a campaign whose step fails',
    1,
    'COMMAND_FAILED',
    () =>
      check(
        {},
        changed('lifecycle/test.sh', () => '#!/bin/sh\nexit 3\n'),
      ),
  ],
  [
    'a line of Jenkins that fails',
    7,
    '== Jenkinsfile: exit 7',
    () =>
      check(
        {},
        changed('ci/Jenkinsfile', (text) => text.replace(/^( *)sh '.*'$/m, "$1sh 'exit 7'")),
      ),
  ],
  [
    'a Jenkinsfile without a line',
    1,
    'Jenkinsfile hands no line to a shell',
    () =>
      check(
        {},
        changed('ci/Jenkinsfile', (text) => text.replaceAll(/^ *sh .*$/gm, '')),
      ),
  ],
])('given %s, then the check ends with %i, and no later line runs', async (_, code, told, run) => {
  const said = await run();
  expect(said).toEqual({ code, text: expect.stringContaining(told) });
  expect(said.text).not.toContain('== slipway-campaign-ref.yaml');
  expect(existsSync(pwned)).toBe(false);
});
