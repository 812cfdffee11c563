import { lookup } from 'node:dns/promises';
import type { Hosts, WorkerPolicy } from '../../activities/policy/ports.js';
import { policyPath, readPolicy } from './read-policy.js';
import { createRefsOf } from './refs-of.js';

export const createWorkerPolicy = (env: Readonly<Record<string, string | undefined>>, home: string): WorkerPolicy => ({
  path: policyPath(env, home),
  read: () => readPolicy(env, home),
  refsOf: createRefsOf(),
});

export const createHosts = (): Hosts => ({
  lookUp: async (name) => (await lookup(name, { all: true })).map(({ address }) => address),
});
