import { once } from 'node:events';
import { constants, lstatSync, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { AgentGone, ClusterFault } from './fault.js';

/** A program that an agent starts. */
export interface AgentProgram {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** True: SIGTERM goes to the first process alone, because a group of Ray takes half a minute to end. */
  readonly leader?: boolean;
  readonly signal: AbortSignal;
  readonly onOutput: (text: string) => void | Promise<void>;
}

/** The agent of one machine of a cluster. */
export interface Agent {
  /** Returns the exit status. Throws if the agent went away, or if the program cannot be started. An abort ends its group. */
  run(program: AgentProgram): Promise<number>;
  /** A connection to a port as the machine sees it. */
  connect(host: string, port: number): Promise<Socket>;
  /** Ends all programs and the agent. Resolves when it has ended, or does not answer. */
  end(): Promise<void>;
}

type Answer = { readonly out: string } | { readonly exit: number } | { readonly failed: string };

interface AgentSocket {
  readonly path: string;
  /** The socket when its agent was ready, before a test began. */
  readonly seen: Stats | undefined;
}

/** The first process of a machine. */
export interface StartedAgent {
  readonly agent: Promise<Agent>;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
}

/** Starts an agent, and waits until it says that it is ready.
 * @param path of its socket @param what a text for its end before that: `its first process` */
export function startAgent(
  path: string,
  what: string,
  run: (onOutput: AgentProgram['onOutput']) => Promise<unknown>,
): StartedAgent {
  let said = '';
  let isReady!: () => void;
  const ready = new Promise<void>((resolve) => (isReady = resolve));
  const ended = run((text) => {
    said = (said + text).slice(-4000);
    if (said.includes('ready\n')) isReady();
  }).then(
    () => undefined,
    (error: Error) => void (said += error.message),
  );
  const early = ended.then(() => Promise.reject(new ClusterFault(`${what} ended: ${said}`)));
  const agent = Promise.race([ready, early]).then(() => createAgent(path));
  agent.catch(() => undefined);
  return { agent, ended };
}

/** @param path of the socket of an agent that is ready */
export const createAgent = (path: string): Agent => agentAt({ path, seen: lstatSync(path, { throwIfNoEntry: false }) });

const agentAt = (at: AgentSocket): Agent => ({
  run: async ({ argv, cwd, env, leader, signal, onOutput }) => {
    signal.throwIfAborted();
    const socket = await ordered(at, { do: 'run', argv, cwd, env, ...(leader && { leader }) });
    const end = (): void => void socket.destroy();
    limitLines(socket);
    signal.addEventListener('abort', end, { once: true });
    const lines = createInterface({ input: socket, crlfDelay: Infinity });
    // A destroyed socket has no end, for which the lines would wait.
    socket.once('close', () => lines.close());
    try {
      for await (const line of lines) {
        const answer = JSON.parse(line) as Answer;
        if ('exit' in answer) return answer.exit;
        if ('failed' in answer) throw new ClusterFault(`${argv[0]} could not be started: ${answer.failed}`);
        await onOutput(answer.out);
      }
    } finally {
      signal.removeEventListener('abort', end);
      socket.destroy();
    }
    signal.throwIfAborted();
    throw new AgentGone();
  },
  connect: (host, port) => ordered(at, { do: 'connect', host, port }),
  end: async () => {
    const socket = await ordered(at, { do: 'end' }).catch(() => null);
    if (socket !== null) await once(socket.resume(), 'close');
  },
});

/** An agent sends 64 kB at once, and JSON makes six bytes of one. */
const LONGEST_LINE_BYTES = 1024 * 1024;

/** Ends a connection that sends a longer line: a program beside the agent can listen in its place. */
function limitLines(socket: Socket): void {
  let size = 0;
  socket.on('data', (piece: Buffer) => {
    const end = piece.lastIndexOf('\n');
    size = end < 0 ? size + piece.length : piece.length - end - 1;
    if (size > LONGEST_LINE_BYTES) socket.destroy();
  });
}

async function ordered(at: AgentSocket, order: object): Promise<Socket> {
  const socket = await dial(at);
  socket.write(`${JSON.stringify(order)}\n`);
  return socket;
}

/** Opens a file without a use of its content (`open(2)`). Node has no name for it. */
const O_PATH = 0o10_000_000;

/** Connects by a descriptor of the socket: a test may lay a link in its place, and the address of a socket has at most
 * 107 bytes. */
async function dial({ path, seen }: AgentSocket): Promise<Socket> {
  await using file = await open(path, O_PATH | constants.O_NOFOLLOW).catch(() => null);
  if (file === null) throw new AgentGone();
  const found = await file.stat();
  if (!found.isSocket() || found.ino !== seen?.ino || found.dev !== seen.dev) throw new AgentGone();
  const socket = connect(`/proc/self/fd/${file.fd}`);
  // Readers see the end of a broken connection; its error says no more.
  socket.on('error', () => undefined);
  await once(socket, 'connect').catch(() => Promise.reject(new AgentGone()));
  return socket;
}
