import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** The HTTP interface of a Ray whose jobs are shell lines on this machine. */
export interface FakeRay {
  readonly address: string;
  /** Ids of all jobs that were ordered, in order. */
  readonly ordered: readonly string[];
  /** Forgets all jobs and packages, as a head that starts again. */
  restart(): void;
  close(): Promise<void>;
}

/** A job that has ended. */
interface Ended {
  readonly driver_exit_code: number;
  readonly log: string;
}
interface Order {
  readonly submission_id: string;
  readonly entrypoint: string;
  readonly runtime_env?: { readonly working_dir: string };
}

/** @param home a folder for the working folders of jobs */
export async function startFakeRay(home: string): Promise<FakeRay> {
  const jobs = new Map<string, Ended>();
  const packages = new Map<string, Buffer>();
  const ordered: string[] = [];
  const run = ({ entrypoint, runtime_env: env }: Order): Ended => {
    const cwd = mkdtempSync(join(home, 'job-'));
    if (env !== undefined) {
      writeFileSync(join(cwd, 'package.zip'), packages.get(env.working_dir.replace('gcs://', ''))!);
      spawnSync('python3', ['-m', 'zipfile', '-e', 'package.zip', '.'], { cwd });
    }
    const { status, stdout, stderr } = spawnSync('sh', ['-c', entrypoint], { cwd, encoding: 'utf8' });
    return { driver_exit_code: status ?? 1, log: stdout + stderr };
  };
  const order = (asked: Order): Answer => {
    ordered.push(asked.submission_id);
    if (jobs.has(asked.submission_id)) return [500, `${asked.submission_id} already exists`];
    jobs.set(asked.submission_id, run(asked));
    return [200, '{}'];
  };
  const answer = async (method: string, path: string, body: () => Promise<Buffer>): Promise<Answer> => {
    const name = path.split('/').at(-1)!;
    if (path === '/api/version') return [200, '{"ray_version": "2.60.0"}'];
    if (path.startsWith('/api/packages/gcs/') && method === 'PUT') packages.set(name, await body());
    if (path.startsWith('/api/packages/gcs/')) return [packages.has(name) ? 200 : 404, ''];
    if (path === '/api/jobs/') return order(JSON.parse((await body()).toString()) as Order);
    const log = /filename=job-driver-(.+)\.log/.exec(path)?.[1];
    const job = jobs.get(log ?? name);
    if (job === undefined || method === 'POST') return [404, ''];
    if (log !== undefined) return [200, job.log];
    const status = job.driver_exit_code === 0 ? 'SUCCEEDED' : 'FAILED';
    return [200, JSON.stringify({ ...job, status, driver_node_id: 'node' })];
  };
  const server = createServer((asked: IncomingMessage, to: ServerResponse) => {
    void answer(asked.method!, asked.url!, async () => Buffer.concat((await asked.toArray()) as Buffer[])).then(
      ([status, text]) => to.writeHead(status).end(text),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ordered,
    restart: () => [jobs, packages].forEach((all) => all.clear()),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

type Answer = readonly [status: number, text: string];
