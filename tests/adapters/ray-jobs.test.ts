/** @slow */
import type { Dashboard, DashboardAnswer } from '../../src/adapters/clusters/dashboard.js';
import { AgentGone } from '../../src/adapters/clusters/fault.js';
import { readLog } from '../../src/adapters/clusters/job-output.js';
import { runJob } from '../../src/adapters/clusters/ray-jobs.js';
import { nodesSeen } from '../../src/adapters/clusters/ray-nodes.js';
import type { Problem } from '../../src/model/failure.js';

type Answer = DashboardAnswer | 'gone';
const ended = (job: object): Answer => ({ status: 200, text: JSON.stringify(job) });
const FAILED_7 = ended({ status: 'FAILED', driver_exit_code: 7 });
const TAKEN: Answer = { status: 200, text: '{}' };
const EXISTS: Answer = {
  status: 500,
  text: 'ValueError: Job with submission_id run-1 already exists. Please use another.',
};

/** Runs a job on a dashboard that answers so to the order, and then to each look. */
async function ran(order: Answer, ...looks: readonly Answer[]) {
  const [asked, said]: [string[], string[]] = [[], []];
  const left = [...looks];
  const dashboard: Dashboard = {
    ask: async (method, path) => {
      asked.push(`${method} ${path}`);
      const answer = method === 'POST' ? order : left.shift()!;
      if (answer === 'gone') throw new AgentGone();
      return answer;
    },
    upload: () => Promise.reject(new Error('not asked')),
    stream: () => Promise.resolve(200),
  };
  const { signal } = new AbortController();
  const onOutput = (text: string): void => void said.push(text);
  const end = await runJob(dashboard, { id: 'run-1', entrypoint: 'true', signal, leaves: () => false, onOutput }, () =>
    Promise.resolve(),
  ).catch((error: { first?: Problem }) => error.first?.code);
  return { end, asked, said };
}

test.each<[string, Answer, readonly Answer[], number | null | string]>([
  ['status 0', TAKEN, [ended({ status: 'SUCCEEDED', driver_exit_code: 0 })], 0],
  ['status 7', TAKEN, [ended({ status: 'FAILED', driver_exit_code: 7 })], 7],
  ['an end by signal 9', TAKEN, [ended({ status: 'FAILED', driver_exit_code: -9 })], 137],
  ['an id that exists, of an earlier worker', EXISTS, [ended({ status: 'FAILED', driver_exit_code: 7 })], 7],
  ['another error 500', { status: 500, text: 'no space left' }, [], 'JOB_REFUSED'],
  ['an answer to the order, and then a head that dies', TAKEN, [ended({ status: 'RUNNING' }), 'gone'], null],
  ['a head that comes back without the job', TAKEN, [{ status: 404, text: '' }], null],
  ['a head that is busy for a while', TAKEN, [{ status: 503, text: '' }, ended({ status: 'SUCCEEDED' })], 0],
  ['an exit status that is text', TAKEN, [ended({ status: 'FAILED', driver_exit_code: '7' }), FAILED_7], 7],
  ['an exit status that is a fraction', TAKEN, [ended({ status: 'FAILED', driver_exit_code: 0.5 }), FAILED_7], 7],
  ['a message that is a map', TAKEN, [ended({ status: 'FAILED', message: { toString: 1 } }), FAILED_7], 7],
  ['an answer that is no map', TAKEN, [ended([]), { status: 200, text: 'null' }, FAILED_7], 7],
  ['a job that somebody stopped', TAKEN, [ended({ status: 'STOPPED', message: 'stopped by kim' })], null],
])('given %s, then the job ends so', async (_, order, looks, end) => {
  expect((await ran(order, ...looks)).end).toBe(end);
});

test('given an id that exists, then the job is ordered once and then followed', async () => {
  const { asked } = await ran(EXISTS, ended({ status: 'RUNNING' }), ended({ status: 'SUCCEEDED' }));
  expect(asked).toEqual(['POST /api/jobs/', 'GET /api/jobs/run-1', 'GET /api/jobs/run-1']);
});

test('given a job that ends without a status, then its message is in the output', async () => {
  expect((await ran(TAKEN, ended({ status: 'FAILED', message: 'the head lost its driver' }))).said).toEqual([
    'the head lost its driver\n',
  ]);
});

const saying = (text: string): Dashboard => ({
  ask: () => Promise.resolve({ status: 200, text }),
  upload: () => Promise.reject(new Error('not asked')),
  stream: () => Promise.resolve(200),
});

test.each([
  ['no JSON', '<html>'],
  ['null', 'null'],
  ['data of text', '{"data":"x"}'],
  ['a map of nodes', '{"data":{"summary":{}}}'],
  ['a number for a node', '{"data":{"summary":[1]}}'],
  ['a list for a raylet', '{"data":{"summary":[{"raylet":[]}]}}'],
  ['a number for the id of a node', '{"data":{"summary":[{"raylet":{"nodeId":1}}]}}'],
  ['a map for an address', '{"data":{"summary":[{"raylet":{"nodeId":"a","nodeManagerAddress":{}}}]}}'],
])('given %s in place of the nodes, then the reason is that it is no list of nodes', async (_, text) => {
  await expect(nodesSeen(saying(text))).rejects.toThrow('the dashboard answered with no list of nodes');
});

test.each(['{"data":{"summary":[{"raylet":null}]}}', '{"data":{"summary":[{}]}}', '{"data":{"summary":null}}', '{}'])(
  'given nodes without a raylet, as in %s, then there are none',
  async (text) => {
    expect(await nodesSeen(saying(text))).toEqual([]);
  },
);

test.each(['null', '<html>', '{"status":"RUNNING","driver_node_id":{}}'])(
  'given %s in place of a job, then its log is not there',
  async (text) => {
    const { signal } = new AbortController();
    expect(await readLog(saying(text), 'file', 'run-1', signal, () => undefined)).toBe(404);
  },
);
