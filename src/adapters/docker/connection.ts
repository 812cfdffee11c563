import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Docker from 'dockerode';
import type { ServicesState } from '../../services/state.js';
import { home } from '../home.js';

const DEFAULT_SOCKET = 'unix:///var/run/docker.sock';

/** Where the engine answers: what `slipway up` recorded, else DOCKER_HOST, else the usual socket. */
export function engineAddress(env: NodeJS.ProcessEnv = process.env): string {
  try {
    const state = JSON.parse(readFileSync(join(home(env), 'services.json'), 'utf8')) as ServicesState;
    const recorded = state.services['docker']?.address;
    if (recorded) return recorded;
  } catch {
    // No services of ours on this machine: an engine may answer all the same.
  }
  return env['DOCKER_HOST'] ?? DEFAULT_SOCKET;
}

/** A client for `unix:///path` or `tcp://host:port`. Nothing is sent before the first request. */
export function connect(address: string): Docker {
  if (address.startsWith('unix://')) return new Docker({ socketPath: address.slice('unix://'.length) });
  const url = new URL(address.replace(/^tcp:/, 'http:'));
  return new Docker({ host: url.hostname, port: url.port, protocol: url.protocol === 'https:' ? 'https' : 'http' });
}

/** The engine may move while a worker lives: its address is read each time it is needed. */
export type Engines = () => Docker;
