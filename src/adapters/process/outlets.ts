import { mkdtempSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HEADER_BYTES, headerOf } from './protocol.js';

/** Where programs write: each stream is a connection of its own, so that a slow taker of one holds up no other.
 * @param arrived told of each connection, which reads from behind its header
 * @returns path of the socket; only this user reaches it, and the runner clears it away */
export function listen(arrived: (id: string, stream: string, socket: Socket) => void): Promise<string> {
  const path = join(mkdtempSync(join(tmpdir(), 'slipway-')), 'output');
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    socket.on('error', () => socket.destroy());
    const begin = (): void => {
      const bytes = socket.read(HEADER_BYTES) as Buffer | null;
      if (bytes === null) return void socket.once('readable', begin);
      const { id, stream } = headerOf(bytes.toString('utf8'));
      arrived(id, stream, socket);
    };
    begin();
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    // What listens for programs does not keep a process that runs none.
    server.listen(path, () => resolve(path)).unref();
  });
}
