import Docker from 'dockerode';

const DEFAULT_SOCKET = 'unix:///var/run/docker.sock';

/** Returns the address of the engine: as `slipway up` recorded it, else DOCKER_HOST, else the usual socket. */
export const engineAddress = (recorded: string | null, env: Readonly<Record<string, string | undefined>>): string =>
  recorded ?? env['DOCKER_HOST'] ?? DEFAULT_SOCKET;

/** A client for `unix:///path` or `tcp://host:port`. Nothing is sent before the first request. */
export function connect(address: string): Docker {
  if (address.startsWith('unix://')) return new Docker({ socketPath: address.slice('unix://'.length) });
  const url = new URL(address.replace(/^tcp:/, 'http:'));
  return new Docker({ host: url.hostname, port: url.port, protocol: url.protocol === 'https:' ? 'https' : 'http' });
}

/** The engine may move while a worker lives: its address is read each time it is needed. */
export type Engines = () => Docker;
