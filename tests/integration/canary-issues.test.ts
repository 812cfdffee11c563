/** @needs temporal sandbox */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONTROL, PIPELINE_WORKFLOW } from '../../src/model/ids.js';
import type { ReleaseInput, RunStatus } from '../../src/model/messages.js';
import { startGithub, type GithubDouble } from '../doubles/github.js';
import { statusOf } from '../support/ask-run.js';
import { newHome } from '../support/run-body.js';
import { holding, textsOf } from '../support/canary-texts.js';
import { aWorldWith, everythingTheServerTells, type CanaryWorld } from './a-canary.js';
import { aNight } from './a-night.js';

/** No encoding leaves it as it is. */
const TOKEN = `ghp_Canary+${process.pid}/x"Zk~yellow`;

let world: CanaryWorld;
let github: GithubDouble;
beforeAll(async () => {
  [world, github] = await Promise.all([aWorldWith(TOKEN), startGithub(TOKEN)]);
});
afterAll(async () => {
  await github?.stop();
  await world?.close();
});

/** A pipeline whose test fails on a cluster of shell lines. */
const file = (label: string): string =>
  aNight(
    'kestrel',
    label,
    'exit 7',
    `steps: { boat: { run: echo boat > boat, outputs: [boat] } }
tests: { spread: { needs: [steps/boat], cluster: far, by: command, run: 'true', owner: core } }
standings: { branch: main }
reports: { issues: { kind: github, repository: ${github.repository}, token: $CANARY } }
`,
  );

async function aProject(): Promise<string> {
  const folder = await newHome();
  const release = join(folder, 'release');
  mkdirSync(join(release, 'profiles'), { recursive: true });
  const profile = `rehearsal: true\nreports: { issues: { address: '${github.address}' } }\n`;
  writeFileSync(join(release, 'profiles', 'canary.yaml'), profile);
  execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: folder });
  return folder;
}

/** Runs the night of a label, at a commit of its own. */
async function night(folder: string, label: string): Promise<RunStatus> {
  const path = join(folder, 'release', 'slipway.yaml');
  writeFileSync(path, file(label));
  const git = (...argv: readonly string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=canary', '-c', 'user.email=canary@localhost', ...argv], { cwd: folder });
  git('add', '-A');
  git('commit', '-qm', label);
  const input: ReleaseInput = { file: path, profile: 'canary' };
  const handle = await world.env.client.workflow.start(PIPELINE_WORKFLOW, {
    ...{ taskQueue: CONTROL, workflowId: `pipeline/kestrel/${label}`, args: [input] },
  });
  await handle.result().catch(() => undefined);
  return statusOf(handle);
}

const told = ({ steps }: RunStatus): Record<string, string> =>
  Object.fromEntries(
    steps.map(({ id, state, problems = [] }) => [id, [state, ...problems.map(({ code }) => code)].join(' ')]),
  );

test('given a token of GitHub that its server repeats in an error, then no history, log, record or database holds it', async () => {
  const folder = await aProject();
  github.faults.push({ of: 'POST /issues', fault: { status: 422, message: `no rights for Bearer ${TOKEN}` } });
  const first = told(await night(folder, 'n1'));
  expect(first).toMatchObject({ 'tests/spread': 'failed TEST_FAILED', 'reports/issues': 'done' });
  const second = await night(folder, 'n2');
  expect(told(second)['reports/issues']).toBe('failed GITHUB_REFUSED');
  expect(JSON.stringify(second)).toContain('no rights for Bearer $CANARY');
  const third = await night(folder, 'n3');
  expect(told(third)['reports/issues']).toBe('done');
  expect(github.issues).toMatchObject([{ number: 1, state: 'open' }]);

  const server = await everythingTheServerTells(world.env);
  expect(server).toContain('GITHUB_REFUSED');
  for (const text of textsOf(TOKEN)) expect(server).not.toContain(text);
  expect(readFileSync(join(world.home, 'workers.log'), 'utf8')).toContain('GITHUB_REFUSED');
  expect(holding(join(world.home, 'store'), ['no rights for Bearer'])).not.toEqual([]);
  expect(holding(world.home, textsOf(TOKEN))).toEqual([]);
});
