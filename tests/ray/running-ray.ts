import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { type Agent, createAgent } from '../../src/adapters/clusters/agent.js';
import { createLocalClusters } from '../../src/adapters/clusters/local.js';
import { aRequest } from '../support/a-cluster-test.js';

/** A real Ray that runs already, as somebody else would have started it. */
export interface RunningRay extends Pick<Door, 'address'> {
  /** Opens another way to its dashboard. */
  door(): Promise<Door>;
  /** Output of a program on its head. */
  onHead(...argv: readonly string[]): Promise<string>;
  /** Ids of all jobs that were ever submitted. */
  submitted(): Promise<readonly string[]>;
  end(): Promise<void>;
}

/** A way to a dashboard. */
interface Door {
  /** Address of the dashboard. */
  readonly address: string;
  /** Lets nobody reach the dashboard here until `answer`. */
  silence(): Promise<void>;
  answer(): Promise<void>;
}

/** @param wanted port of its dashboard. 0: any */
export async function startRunningRay(home: string, wanted = 0): Promise<RunningRay> {
  const { request, folder } = aRequest(home);
  const cluster = await createLocalClusters(request.programs).up({ ...request, id: 'running' });
  const agent = createAgent(join(folder, 'agent.sock'));
  const doors = [await aDoor(agent, wanted)];
  const [{ address }] = doors as [Door];
  return {
    address,
    door: async () => {
      const door = await aDoor(agent, 0);
      doors.push(door);
      return door;
    },
    onHead: async (...argv) => {
      let said = '';
      const { signal } = new AbortController();
      await agent.run({ argv, cwd: '/tmp', env: request.env, signal, onOutput: (text) => void (said += text) });
      return said;
    },
    submitted: async () => {
      const jobs = (await (await fetch(`${address}/api/jobs/`)).json()) as { readonly submission_id: string | null }[];
      return jobs.flatMap(({ submission_id: id }) => id ?? []).sort();
    },
    end: async () => {
      await Promise.all(doors.map((door) => door.silence()));
      await cluster.down();
    },
  };
}

async function aDoor(agent: Agent, wanted: number): Promise<Door> {
  const open = new Set<Socket>();
  const serve = (at: number): Promise<Server> =>
    new Promise((resolve) => {
      const server = createServer((near) => {
        open.add(near.on('error', () => undefined));
        void agent.connect('127.0.0.1', 8265).then((far) => {
          open.add(far);
          near.pipe(far).pipe(near);
          far.on('close', () => near.destroy());
          near.on('close', () => far.destroy());
        });
      });
      server.listen(at, '127.0.0.1', () => resolve(server));
    });
  let server = await serve(wanted);
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    silence: async () => {
      for (const socket of open) socket.destroy();
      open.clear();
      await new Promise((resolve) => server.close(resolve));
    },
    answer: async () => void (server = await serve(port)),
  };
}
