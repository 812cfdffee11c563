import { lookup } from 'node:dns/promises';
import type { Hosts } from '../../activities/policy/ports.js';

export const createHosts = (): Hosts => ({
  lookUp: async (name) => (await lookup(name, { all: true })).map(({ address }) => address),
});
