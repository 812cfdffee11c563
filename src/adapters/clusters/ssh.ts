import { join } from 'node:path';
import type { Cluster, ClusterRequest, Clusters } from '../../activities/clusters/ports.js';
import type { Programs } from '../../activities/ports.js';
import { fail, SlipwayFailure } from '../../model/failure.js';
import { quoted } from '../../model/quoted.js';
import type { ClusterManager } from '../../model/tests/cluster.js';
import { pack } from '../archive/pack.js';
import { filesNotPut } from './errors.js';
import { isClosed, newHeadFolder } from './head-folder.js';
import { OBJECT_STORE_BYTES } from './limits.js';
import { type Machines, startRay } from './ray-cluster.js';
import type { NodePlan } from './ray-nodes.js';
import { NOW_FILE, unpackResults } from './results-archive.js';
import { openHost, type SshHost } from './ssh-host.js';

const EPOCH_S = 315_532_800;
/** Prints the address by which other hosts reach this one; nothing is sent. A host without a network has only itself. */
const OWN_ADDRESS = `import socket
probe = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
try:
    probe.connect(("192.0.2.1", 9))
    print(probe.getsockname()[0])
except OSError:
    print("127.0.0.1")`;

type SshManager = Extract<ClusterManager, { by: 'ssh' }>;

/** A node on each host of the profile, which has Ray already. All ends with the connections. */
export const createSshClusters = (programs: Programs): Clusters => ({
  up: async (asked) => {
    const { hosts, ray, config } = asked.spec.manager as SshManager;
    const [at, temp] = [newHeadFolder(), newHeadFolder()];
    const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: at, TMPDIR: '/tmp', LANG: 'C.UTF-8' };
    const request: ClusterRequest = { ...asked, venv: ray, folder: '/tmp', env };
    const place = {
      cluster: asked.spec.name,
      config,
      python: join(ray, 'bin', 'python'),
      folder: asked.folder,
      env: asked.env,
    };
    const end = new AbortController();
    const open: Promise<SshHost>[] = [];
    const machines: Machines = {
      make: () => {
        for (const [index, host] of hosts.slice(0, asked.spec.nodes).entries())
          open.push(openHost(programs, { ...place, host }, index + 1, at, [at, temp], end.signal));
        return Promise.all(open.map(async (host) => nodeOf(await host, request, temp)));
      },
      down: async () => {
        // A host that lets ssh in may never answer. Hosts that answered are closed below.
        end.abort();
        const made = await Promise.allSettled(open);
        await Promise.all(made.map((one) => (one.status === 'fulfilled' ? one.value.close() : undefined)));
      },
    };
    const cluster = await startRay(machines, request);
    return { ...cluster, at, shared: false, ...filesOf((await open[0])!, asked, at) };
  },
});

async function nodeOf({ agent }: SshHost, request: ClusterRequest, temp: string): Promise<NodePlan> {
  let address = '';
  const { venv, env, signal, spec } = request;
  const argv = [`${venv}/bin/python`, '-c', OWN_ADDRESS];
  await agent.run({ argv, cwd: '/tmp', env, signal, onOutput: (text) => void (address += text) });
  return { agent, address: address.trim(), temp, cpus: spec.cpus, objectStoreBytes: OBJECT_STORE_BYTES };
}

/** Copies the folder of the test to the head and its results back, each as one tar file. */
function filesOf(head: SshHost, { folder, spec, signal }: ClusterRequest, at: string): Pick<Cluster, 'put' | 'get'> {
  const out = quoted(join(at, 'out'));
  return {
    put: async () => {
      await pack(folder, `${folder}.tgz`, { epoch: EPOCH_S });
      const unpacked = `umask 077; ${isClosed(at)} && tar -xzf - -C ${quoted(at)}`;
      await head.copy(unpacked, { from: `${folder}.tgz` }, signal).catch((error: Error) => {
        signal.throwIfAborted();
        throw error instanceof SlipwayFailure ? error : fail(filesNotPut(spec.name, error.message), error);
      });
    },
    get: async () => {
      const packed = `${folder}.out.tgz`;
      await head.copy(`cd ${out} && touch ${NOW_FILE} && tar -czf - .`, { to: packed }, signal);
      return unpackResults(packed, join(folder, 'out'));
    },
  };
}
