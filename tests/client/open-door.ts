import { readFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { keepDoorCertificates } from '../../src/services/certificates.js';

const VARIABLES = {
  TEMPORAL_TLS_SERVER_CA_CERT: 'ca.pem',
  TEMPORAL_TLS_CLIENT_CERT: 'client.pem',
  TEMPORAL_TLS_CLIENT_KEY: 'client.key',
} as const;

export interface Door {
  readonly address: string;
  /** Variables with the text of each file that a caller needs, and with its path. */
  readonly texts: Readonly<Record<string, string>>;
  readonly paths: Readonly<Record<string, string>>;
  close(): void;
}

/** Opens a door with certificates before a server: it takes only callers that have one of the same authority. */
export async function openDoor(address: string, folder: string): Promise<Door> {
  keepDoorCertificates(folder);
  const [ca, cert, key] = ['ca.pem', 'server.pem', 'server.key'].map((name) => readFileSync(join(folder, name)));
  const [host = '', port = ''] = address.split(':');
  const door = createServer({ ca, cert, key, requestCert: true, ALPNProtocols: ['h2'] }, (caller) => {
    const server = connect(Number(port), host);
    for (const [one, other] of [[caller, server], [server, caller]] as const)
      one.on('error', () => other.destroy()).pipe(other);
  }); // prettier-ignore
  await new Promise<void>((listening) => door.listen(0, '127.0.0.1', listening));
  const files = Object.entries(VARIABLES).map(([name, file]) => [name, join(folder, file)] as const);
  return {
    address: `127.0.0.1:${(door.address() as AddressInfo).port}`,
    texts: Object.fromEntries(files.map(([name, path]) => [`${name}_DATA`, readFileSync(path, 'utf8')])),
    paths: Object.fromEntries(files.map(([name, path]) => [`${name}_PATH`, path])),
    close: () => void door.close(),
  };
}
