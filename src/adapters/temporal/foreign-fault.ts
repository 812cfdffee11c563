import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { ServerSettings, Tls } from './settings.js';

const LIMIT_MS = 2_000;
/** Alert by which a server refuses the caller's certificate. */
const ALERT = /ALERT/i;

/** Returns why what listens at the address is not the server of this authority. Null if it is, or if nothing listens. */
export function foreignFault({ address, tls }: Pick<ServerSettings, 'address' | 'tls'>): Promise<string | null> {
  const { serverRootCACertificate: ca, serverNameOverride } = (tls ?? {}) as Tls;
  if (ca === undefined) return Promise.resolve(null);
  // The SDK takes an address without a port too.
  const [, host = address, port = '7233'] = /^\[?(.+?)\]?:(\d+)$/.exec(address) ?? [];
  const servername = serverNameOverride ?? (isIP(host) === 0 ? host : '');
  return new Promise((resolve) => {
    let listens = false;
    const socket = connect({ host, port: Number(port), ca, servername, ALPNProtocols: ['h2'], timeout: LIMIT_MS });
    const told = (fault: string | null): void => {
      socket.destroy();
      resolve(fault);
    };
    socket.once('connect', () => (listens = true)).once('secureConnect', () => told(null));
    socket.once('timeout', () => told(listens ? 'it answers without TLS' : null));
    socket.once('error', ({ message }) => told(listens && !ALERT.test(message) ? message : null));
  });
}
