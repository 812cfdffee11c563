import type Docker from 'dockerode';
import type { Exit } from '../../activities/ports.js';
import { identityOf } from '../process/identity.js';
import type { Engines } from './connection.js';
import { demux } from './demux.js';
import { follow } from './follow.js';
import { asking } from './images.js';

export interface ContainerSpec {
  /** `repository@sha256:…` or `repository:tag`; pulled where the engine has it not. */
  readonly image: string;
  readonly argv: readonly string[];
  readonly cwd: string | null;
  /** Laid over the image's own environment. */
  readonly env: Readonly<Record<string, string>>;
  /** `host path:container path[:ro]` */
  readonly mounts: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly auth?: { readonly username: string; readonly password: string } | null;
  /** `uid:gid`; default: the image's own. */
  readonly user?: string;
  readonly limitMs: number;
  readonly signal: AbortSignal;
  readonly onOutput: (text: string, stream: 'stdout' | 'stderr') => void | Promise<void>;
}

/** Label of every container of ours: who watches over it. `sweepContainers` removes those whose worker is dead. */
export const WORKER_LABEL = 'slipway.worker';

export function workerLabel(): Record<string, string> {
  const { pid, start } = identityOf(process.pid);
  return { [WORKER_LABEL]: `${pid}@${start}` };
}

/** Runs a container to its end and removes it, whatever happens. A time-out is answered, an abort is thrown. */
export async function runContainer(engines: Engines, spec: ContainerSpec): Promise<Exit> {
  return asking(`running ${spec.image}`, spec.signal, async () => {
    const container = await create(engines, spec);
    try {
      return await runToEnd(container, spec);
    } finally {
      await container.remove({ force: true, v: true }).catch(() => undefined);
    }
  });
}

async function create(engines: Engines, spec: ContainerSpec): Promise<Docker.Container> {
  const options: Docker.ContainerCreateOptions = {
    Image: spec.image,
    Entrypoint: [spec.argv[0]!],
    Cmd: spec.argv.slice(1),
    Env: Object.entries(spec.env).map(([name, value]) => `${name}=${value}`),
    Labels: { ...spec.labels, ...workerLabel() },
    Tty: false,
    ...(spec.cwd !== null ? { WorkingDir: spec.cwd } : {}),
    ...(spec.user !== undefined ? { User: spec.user } : {}),
    // The registries and indexes of this machine answer on 127.0.0.1 only.
    HostConfig: { NetworkMode: 'host', Binds: [...spec.mounts] },
  };
  try {
    return await engines().createContainer(options);
  } catch (error) {
    if ((error as { statusCode?: number }).statusCode !== 404) throw error;
    await pullImage(engines, spec);
    return engines().createContainer(options);
  }
}

export async function pullImage(
  engines: Engines,
  { image, auth, signal, onOutput }: Pick<ContainerSpec, 'image' | 'auth' | 'signal' | 'onOutput'>,
): Promise<void> {
  const options = {
    abortSignal: signal,
    ...(auth ? { authconfig: { ...auth, serveraddress: image.split('/')[0]! } } : {}),
  };
  const talk = { log: (text: string) => onOutput(text, 'stderr'), signal };
  const { error } = await follow(await engines().pull(image, options), talk);
  if (error !== null) throw Object.assign(new Error(error), { statusCode: 200 });
}

async function runToEnd(container: Docker.Container, spec: ContainerSpec): Promise<Exit> {
  const output = await container.attach({ stream: true, stdout: true, stderr: true });
  let timedOut = false;
  const kill = (): void => void container.kill().catch(() => undefined);
  const timer = setTimeout(() => {
    timedOut = true;
    kill();
  }, spec.limitMs);
  spec.signal.addEventListener('abort', kill, { once: true });
  try {
    await container.start();
    if (spec.signal.aborted) kill();
    const passed = demux(output as unknown as AsyncIterable<Buffer>, spec.onOutput);
    const [ended] = await Promise.all([container.wait() as Promise<{ StatusCode: number }>, passed]);
    spec.signal.throwIfAborted();
    return { code: ended.StatusCode, timedOut };
  } finally {
    clearTimeout(timer);
    spec.signal.removeEventListener('abort', kill);
  }
}
