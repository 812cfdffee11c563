import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type Docker from 'dockerode';
import type { Exit } from '../../activities/ports.js';
import type { Mount } from '../../activities/tests/ports.js';
import type { Engines } from './connection.js';
import { GRACE_MS } from '../grace.js';
import { demux } from './demux.js';
import { gently, terminate } from './gently.js';
import { asking, pullImage } from './images.js';
import { mountOptions } from './mounts.js';
import { markOurs, removeForgotten } from './ours.js';
import { watched } from './watched.js';

/** 128 + SIGKILL. */
const KILLED = 137;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface ContainerSpec {
  /** `repository@sha256:…` or `repository:tag`; pulled if the engine lacks it. */
  readonly image: string;
  /** OCI platform. Null: the engine's own. */
  readonly platform: string | null;
  readonly argv: readonly string[];
  readonly cwd: string | null;
  /** Overrides the image's environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly mounts: readonly Mount[];
  /** True: the host's network. False: only the container's loopback. A text: the network of that name. */
  readonly network: boolean | string;
  /** Limits of memory; default: none, and the engine's own for /dev/shm. */
  readonly memory?: { readonly limitBytes: number | null; readonly sharedBytes: number };
  readonly labels: Readonly<Record<string, string>>;
  readonly auth?: { readonly username: string; readonly password: string } | null;
  /** `uid:gid`; default: the image's user. */
  readonly user?: string;
  readonly limitMs: number;
  readonly signal: AbortSignal;
  readonly onOutput: (text: string, stream: 'stdout' | 'stderr') => void | Promise<void>;
}

/** Runs a container to its end and always removes it. Returns `timedOut` after the limit, which covers the pull;
 * throws on abort. Both send SIGTERM first and allow a grace period. */
export async function runContainer(engines: Engines, spec: ContainerSpec): Promise<Exit> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), Math.min(spec.limitMs, LONGEST_TIMER_MS));
  const own = markOurs();
  const stop = gently(AbortSignal.any([spec.signal, limit.signal]), GRACE_MS);
  const timedOut = (): boolean => limit.signal.aborted && !spec.signal.aborted;
  try {
    const exit = await asking(`running ${spec.image}`, spec.signal, () =>
      watched(engines, stop.force, async (signal) => {
        await removeForgotten(engines);
        const container = await create(engines, { ...spec, signal, labels: { ...spec.labels, ...own.labels } });
        stop.ask(() => terminate(container));
        return runToEnd(container, { ...spec, signal });
      }),
    );
    spec.signal.throwIfAborted();
    return timedOut() ? { code: KILLED, timedOut: true } : exit;
  } catch (error) {
    if (timedOut()) return { code: KILLED, timedOut: true };
    throw error;
  } finally {
    clearTimeout(timer);
    stop.over();
    await own.remove(engines);
  }
}

async function create(engines: Engines, spec: ContainerSpec): Promise<Docker.Container> {
  const options: Docker.ContainerCreateOptions = {
    Image: spec.image,
    ...(spec.platform !== null && { platform: spec.platform }),
    Entrypoint: [spec.argv[0]!],
    Cmd: spec.argv.slice(1),
    Env: Object.entries(spec.env).map(([name, value]) => `${name}=${value}`),
    Labels: { ...spec.labels },
    Tty: false,
    ...(spec.cwd !== null ? { WorkingDir: spec.cwd } : {}),
    ...(spec.user !== undefined ? { User: spec.user } : {}),
    // The machine's registries and indexes listen on 127.0.0.1 only.
    HostConfig: {
      // On the machine's network a raw socket would read the secrets that others send on loopback.
      CapDrop: ['NET_RAW'],
      NetworkMode: typeof spec.network === 'string' ? spec.network : spec.network ? 'host' : 'none',
      ...(spec.memory && { ShmSize: spec.memory.sharedBytes }),
      ...(spec.memory?.limitBytes && { Memory: spec.memory.limitBytes }),
      LogConfig: { Type: 'none', Config: {} }, // the engine's own copy is neither redacted nor limited
      ...mountOptions(spec.mounts),
    },
  };
  const make = (): Promise<Docker.Container> => engines().createContainer({ ...options, abortSignal: spec.signal });
  try {
    return await make();
  } catch (error) {
    if ((error as { statusCode?: number }).statusCode !== 404) throw error;
    await pullImage(engines, spec);
    return make();
  }
}

async function runToEnd(container: Docker.Container, { signal, onOutput }: ContainerSpec): Promise<Exit> {
  const output = await container.attach({ stream: true, stdout: true, stderr: true, abortSignal: signal });
  const passed = demux(output as unknown as AsyncIterable<Buffer>, onOutput);
  // Promise.all reports the first failure and also handles the other rejection.
  const ended = container.start({ abortSignal: signal }).then(() => exitCode(container, signal));
  const [code] = await Promise.all([ended, passed]);
  return { code, timedOut: false };
}

/** Waits for the exit status. dockerode's `wait` hangs if the engine dies meanwhile, so the answer is read as a
 * stream. The output cannot replace it: it ends the same way if the engine dies. */
async function exitCode(container: Docker.Container, abortSignal: AbortSignal): Promise<number> {
  const call = { path: `/containers/${container.id}/wait?`, method: 'POST', isStream: true, options: {}, abortSignal };
  const statusCodes = { 200: true, 404: 'no such container', 500: 'server error' };
  const answer = await new Promise<Readable>((resolve, reject) => {
    container.modem.dial({ ...call, statusCodes }, (error: Error | null, stream: Readable) =>
      error ? reject(error) : resolve(stream),
    );
  });
  const said = await text(answer);
  if (!said.trim()) throw Object.assign(new Error('its answer was cut off'), { code: 'ECONNRESET' });
  return (JSON.parse(said) as { StatusCode: number }).StatusCode;
}
