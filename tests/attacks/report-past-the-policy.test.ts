/** @needs ssh */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterpreters } from '../../src/adapters/python/interpreters.js';
import type { Target } from '../../src/model/target.js';
import type { Plan, StepOf } from '../../src/model/plan.js';
import type { Problem } from '../../src/model/failure.js';
import { createBodies } from '../../src/workers/bodies.js';
import { FEATURE_NODES } from '../../src/features/node.js';
import { keepOutcome } from '../activities/reports/a-report.js';
import { anOutcome } from '../model/tests/an-outcome.js';
import { aPlan, aStep, newHome, realSurroundings, runBody } from '../support/run-body.js';
import { sshKey } from '../support/ssh-keys.js';

/** A server of files, which counts what reaches it. */
let server: Server;
let asked: string[];
beforeEach(async () => {
  asked = [];
  server = createServer(({ method, url }, answer) => {
    asked.push(`${method} ${url}`);
    answer.writeHead(403).end();
  });
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
});
afterEach(() => void server.close());

/** No loopback address: this host answers it all the same. */
const endpoint = (): string => `http://0.0.0.0:${(server.address() as AddressInfo).port}`;

/** A night that writes its rows to a bucket outside, on a control worker with this policy. Returns the problems. */
async function rowsUnder(policy: string, rehearsal = false): Promise<readonly Problem[]> {
  const home = await newHome();
  const key = sshKey(home, 'kim').public.trim();
  if (policy !== '') writeFileSync(join(home, 'policy.yaml'), policy.replace('PUBLIC', key), { mode: 0o600 });
  const target: Target = {
    ...{
      name: 'results',
      kind: 's3',
      address: 's3://results/ray',
      repository: null,
      username: '$KEY',
      password: '$SECRET',
    },
    extra: { kind: 's3', path: 'night/{file}', endpoint: endpoint() },
  };
  const step: StepOf<'reportTests'> = aStep(
    'reportTests',
    { kind: 'rows', target },
    { id: 'reports/rows', stage: 'report' },
  );
  const plan: Partial<Plan> = {
    ...{ release: { name: 'night', version: '1' }, profile: { name: 'live', rehearsal }, steps: [step] },
  };
  await keepOutcome(home, 't', anOutcome({ pipeline: 'night', run: 'run-1' }));
  const env = { ...process.env, KEY: 'key', SECRET: 'secret' };
  const bodies = createBodies(realSurroundings(home, { env }), { interpreters: createInterpreters({}) }, FEATURE_NODES);
  return runBody(bodies.reportTests!, step, {
    ...{ home, plan: aPlan(plan), run: 'run-1', surroundings: { env } },
  }).then(
    () => [],
    (error: { problems: readonly Problem[] }) => error.problems,
  );
}

const ROW = (more = ''): string =>
  `policy: 1\napprovers: { core: ['PUBLIC'] }\npublish: [{ kind: s3, address: 's3://results/ray', endpoint: '${endpoint()}', secrets: [$KEY, $SECRET]${more} }]\n`;

test.each<[what: string, policy: () => string, code: string]>([
  ['no policy', () => '', 'POLICY_MISSING'],
  ['a policy without the bucket', () => 'policy: 1\nsecrets: [$KEY, $SECRET]\npublish: []\n', 'POLICY_ADDRESS'],
  ['a row with a gate', () => ROW(', gates: { ship: { approvers: [core], quorum: 1 } }'), 'POLICY_GATE_ABSENT'],
  ['a row without the key', () => ROW().replace(' secrets: [$KEY, $SECRET]', ''), 'POLICY_SECRET'],
])('given %s, then a report of rows sends nothing', async (_what, policy, code) => {
  expect(await rowsUnder(policy())).toMatchObject([{ code, class: expect.stringMatching(/denied|config/) }]);
  expect(asked).toEqual([]);
});

test('given a rehearsal, then a report of rows sends nothing outside', async () => {
  expect(await rowsUnder(ROW(), true)).toMatchObject([{ code: 'REHEARSAL_ELSEWHERE' }]);
  expect(asked).toEqual([]);
});

test('given a row for the bucket, then the report asks it', async () => {
  await rowsUnder(ROW());
  expect(asked.length).toBeGreaterThan(0);
});
