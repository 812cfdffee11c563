import { createServer, type AddressInfo, type Server } from 'node:net';
import { portsFile } from './folders.js';
import { readJson, writeJson } from './files.js';
import { until } from './poll.js';

/** Preferred ports. nginx listens at `index`, `maven`, `wheels`, `registry`, `staging` and `ui`. The page's own server is at
 * `page`, in the namespace of Temporal if there is one. */
export const WISHES = {
  temporal: 7233,
  ui: 8233,
  page: 8234,
  index: 3141,
  maven: 8081,
  wheels: 8082,
  registry: 5000,
  staging: 5001,
  s3: 7070,
} as const;
export type Ports = Readonly<Record<keyof typeof WISHES, number>>;

/** Chooses last time's port if free, else the preferred one, else any. Records the choice, so that addresses stay
 * the same. */
export async function choosePorts(home: string): Promise<Ports> {
  const last = lastPorts(home);
  const chosen: Partial<Record<keyof Ports, number>> = {};
  const end = performance.now() + LEAVE_MS;
  for (const name of Object.keys(WISHES) as (keyof Ports)[]) {
    const taken = new Set(Object.values(chosen));
    const isLast = async (): Promise<boolean> => (await listen(last[name]!)) === last[name];
    const again = last[name] !== undefined && !taken.has(last[name]) && (await until(isLast, end - performance.now()));
    chosen[name] = again ? last[name] : await firstFree(WISHES[name], taken);
  }
  writeJson(portsFile(home), chosen);
  return chosen as Ports;
}

/** Returns a line for each port that changed: users and scripts may have noted the old one. */
export const movedPorts = (last: Partial<Ports>, now: Ports): readonly string[] =>
  (Object.keys(WISHES) as (keyof Ports)[])
    .filter((name) => last[name] !== undefined && last[name] !== now[name])
    .map((name) => `port ${last[name]} of ${name} is taken by another program: it is ${now[name]} from now on`);

/** Time in which processes of a namespace that has just been killed give up their ports. */
export const LEAVE_MS = 2_000;

/** Ports below the ephemeral range, without any of the preferred ones. */
const [FIRST_QUIET, QUIET] = [10_000, 2_000];

/** Records free ports that no other program prefers, so that they stay free between two processes. */
export async function takeQuietPorts(home: string): Promise<void> {
  const chosen = new Map<string, number>();
  for (const name of Object.keys(WISHES)) {
    let port: number;
    do port = FIRST_QUIET + Math.floor(Math.random() * QUIET);
    while ([...chosen.values()].includes(port) || (await listen(port)) === null);
    chosen.set(name, port);
  }
  writeJson(portsFile(home), Object.fromEntries(chosen));
}

export const lastPorts = (home: string): Partial<Ports> => readJson<Partial<Ports>>(portsFile(home)) ?? {};

async function firstFree(wish: number, taken: ReadonlySet<number>): Promise<number> {
  if (!taken.has(wish) && (await listen(wish)) === wish) return wish;
  for (;;) {
    const any = await listen(0);
    if (any !== null && !taken.has(any)) return any;
  }
}

async function listen(port: number): Promise<number | null> {
  const server = await openServer(port);
  if (server === null) return null;
  const { port: got } = server.address() as AddressInfo;
  return new Promise((resolve) => server.close(() => resolve(got)));
}

/** Null if the port is taken. */
const openServer = (port: number): Promise<Server | null> =>
  new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', () => resolve(null));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
