import { lookup } from 'node:dns/promises';
import type { Hosts } from '../../activities/policy/ports.js';

/** Hosts by the resolver of this machine: /etc/hosts first where it says so. */
export const createHosts = (): Hosts => ({
  lookUp: async (name) => (await lookup(name, { all: true })).map(({ address }) => address),
});
