import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ClusterRequest } from '../../src/activities/clusters/ports.js';
import { createJobsClusters } from '../../src/adapters/clusters/jobs.js';

/** Answers of a dashboard by the end of a path: status and text. */
type Answers = Readonly<Record<string, readonly [number, string]>>;
let answers: Answers = {};
let server: Server;
beforeAll(async () => {
  server = createServer(({ url = '', method = '' }, answer) => {
    const found = Object.entries(answers).find(([path]) => `${method} ${url}`.endsWith(path));
    const [status, text] = found?.[1] ?? [404, ''];
    answer.writeHead(status).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
afterEach(() => jest.restoreAllMocks());

const VERSION = { '/api/version': [200, '{"ray_version": "2.60.0"}'] } as const;
const TAKEN = { 'POST /api/jobs/': [200, '{}'] } as const;

async function down(more: Answers): Promise<string | null> {
  answers = { ...VERSION, ...more };
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const request: ClusterRequest = {
    spec: { name: 'far', manager: { by: 'jobs', address }, nodes: 1, cpus: 1, upMs: 60_000 },
    ...{ id: 'run-1', folder: '/nowhere', venv: null, env: {}, confine: (command) => command },
    ...{ containers: null, signal: new AbortController().signal, log: () => undefined },
  };
  return (await createJobsClusters().up(request)).down();
}

test.each<[string, Answers, string | null]>([
  ['jobs that are over', TAKEN, null],
  ['an order that Ray took before', { 'POST /api/jobs/': [500, 'run-1-down already exists'] }, null],
  ['a removal that is refused', { 'POST /api/jobs/': [500, 'no space left'] }, 'refused with HTTP status 500'],
])('given %s, when the cluster ends, then it tells what is left', async (_, more, left) => {
  expect(await down(more)).toEqual(left === null ? null : expect.stringContaining(left));
});

test('given a job that does not stop, when the cluster ends, then it is told as left', async () => {
  const began = performance.now();
  let looks = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => began + 5_000 * (looks += 1));
  const running = { 'run-1-run/stop': [200, '{}'], 'GET /api/jobs/run-1-run': [200, '{"status": "RUNNING"}'] } as const;
  expect(await down({ ...TAKEN, ...running })).toBe('the job run-1-run did not stop');
});
