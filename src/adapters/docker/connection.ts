import Docker from 'dockerode';
import type { StepContext } from '../../activities/step/ports.js';
import type { Credential } from '../../model/service-login.js';

const DEFAULT_SOCKET = 'unix:///var/run/docker.sock';

export const engineAddress = (recorded: string | null, env: Readonly<Record<string, string | undefined>>): string =>
  recorded ?? env['DOCKER_HOST'] ?? DEFAULT_SOCKET;

/** Client for `unix:///path` or `tcp://host:port`. Nothing is sent yet. */
export function connect(address: string): Docker {
  if (address.startsWith('unix://')) return new Docker({ socketPath: address.slice('unix://'.length) });
  const url = new URL(address.replace(/^tcp:/, 'http:'));
  return new Docker({ host: url.hostname, port: url.port, protocol: url.protocol === 'https:' ? 'https' : 'http' });
}

/** Reads the engine's address on each call: the engine may move while a worker lives. */
export type Engines = () => Docker;

/** Returns the credential for a reference or address of a registry. Null if the registry is not one of the home's. */
export type Logins = (reference: string) => Credential | null;

/** The staging registry's host alone gets its credential. */
export const stagingLogins =
  ({ service, login }: Pick<StepContext, 'service' | 'login'>): Logins =>
  (reference) =>
    reference.split('/')[0] === service('staging') ? (login?.('staging') ?? null) : null;
