/** @long @needs temporal registries sandbox */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { CONTROL, PIPELINE_WORKFLOW } from '../../src/model/ids.js';
import type { ReleaseInput } from '../../src/model/messages.js';
import { listedIn } from '../activities/index/an-index.js';
import { statusOf } from '../support/ask-run.js';
import { newHome } from '../support/run-body.js';
import { homeWithWorkflows } from '../support/shared-cache.js';
import { MAKE_WHEEL } from '../support/tiny-projects.js';
import { wheelsService, type WheelsService } from '../support/wheels-service.js';
import { startTemporal } from '../temporal-env.js';
import { boats } from './index-publisher.js';
import { watchPages } from './index-reader.js';
import { untilServed } from '../support/worker-process.js';
import { startMortalWorkers, type MortalWorkers } from './mortal-workers.js';

/** `INDEX_WORKER_KILLS=50 npx jest tests/drills/index-worker-killed --testTimeout 3600000` is the whole drill. */
const KILLS = Number(process.env['INDEX_WORKER_KILLS'] ?? 3);
const SEED = Number(process.env['INDEX_SEED'] ?? 16);
const PLATFORM = 'linux-x86_64';
/** A wheel takes about eight writes, and a kill comes after six of them on average. */
const PROJECTS = boats(Math.max(6, KILLS));

/** Numbers from 1 to 11, by seed. */
function numbers(count: number): readonly number[] {
  let state = SEED;
  return Array.from({ length: count }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return 1 + (Math.floor(state / 2 ** 16) % 11);
  });
}

const wheelOf = (project: string): string => `  ${project}:
    platform: none
    python: none
    builder: command
    files: [make-wheel.py]
    run: python3 {files}/make-wheel.py {out} ${project} 1.0 'answer = 1'
`;
const MANY = '{ lost: { times: 100, wait: 1s, atMost: 2s }, infra: { times: 100, wait: 1s, atMost: 2s } }';
const FILE = `slipway: 1
pipeline: { name: fleet, label: n1 }
source: { git: .. }
platforms: [${PLATFORM}]
pythons: [cp311]
retry: { total: 10000, wheels: ${MANY}, publish: ${MANY} }
wheels:
${PROJECTS.map(wheelOf).join('')}publish:
  cache: { kind: simple, files: ['wheels/*'], when: built }
`;

async function aProject(): Promise<string> {
  const folder = await newHome();
  mkdirSync(join(folder, 'release'));
  writeFileSync(join(folder, 'release', 'slipway.yaml'), FILE);
  writeFileSync(join(folder, 'release', 'make-wheel.py'), MAKE_WHEEL);
  const git = (...argv: readonly string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.invalid', ...argv], { cwd: folder });
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-qm', 'one');
  return join(folder, 'release', 'slipway.yaml');
}

let env: TestWorkflowEnvironment;
let index: WheelsService;
let workers: MortalWorkers | undefined;
let home: string;
beforeAll(async () => {
  home = await homeWithWorkflows();
  [env, index] = await Promise.all([startTemporal(join(home, 'server.db')), wheelsService(home)]);
});
afterAll(async () => {
  await workers?.stop();
  await index?.stop();
  await env?.teardown();
});

/** A busy server may drop the question. */
async function ended(handle: WorkflowHandle): Promise<void> {
  for (;;)
    try {
      return void (await handle.result());
    } catch (error) {
      if (error instanceof WorkflowFailedError) return;
    }
}

test('given the workers that publish and draw, when they are killed between file, entry, page and swap, then no page is ever wrong and all is listed', async () => {
  const below = join(home, 'wheels', PLATFORM);
  const file = await aProject();
  workers = startMortalWorkers({ home, server: env.address, below, killAt: numbers(KILLS), both: 3 });
  await untilServed(env.connection, CONTROL, PLATFORM);
  const input: ReleaseInput = { file, profile: 'local', onFailure: 'fail' };
  const handle = await env.client.workflow.start(PIPELINE_WORKFLOW, {
    ...{ taskQueue: CONTROL, workflowId: 'pipeline/fleet/n1', args: [input] },
  });
  const reader = watchPages(index.root, PROJECTS, PLATFORM);
  await reader.during(ended(handle));
  const { verdict, steps, problems } = await statusOf(handle);
  expect([verdict, problems, steps.filter(({ state }) => !['done', 'cached'].includes(state))]).toMatchObject([
    { verdict: 'done' },
    [],
    [],
  ]);
  expect(PROJECTS.flatMap((project) => listedIn(index.root, project, PLATFORM))).toEqual(
    PROJECTS.map((project) => `${project}-1.0-py3-none-any.whl`),
  );
  const killed = workers.killedAt();
  expect(killed).toHaveLength(KILLS);
  const folders = new Set(killed.map((path) => path.split('/')[0]));
  if (KILLS >= 20) expect([...folders].sort()).toEqual(['entries', 'files', 'simple']);
  expect(reader.polls).toBeGreaterThan(KILLS);
});
