import { join } from 'node:path';
import type { Attack } from './ground.js';

const CONNECT = `import socket, sys
try:
    socket.socket(socket.AF_UNIX).connect(sys.argv[1])
    print("reached")
except OSError as error:
    print(error.strerror)`;

/** Asks a port whether PostgreSQL is there: it answers one letter to a request for TLS. */
const ASK = `import socket, struct, sys
peer = socket.create_connection(("127.0.0.1", int(sys.argv[1])), 3)
peer.settimeout(3)
peer.sendall(struct.pack("!ii", 8, 80877103))
try:
    print("postgres" if peer.recv(1) in (b"N", b"S") else "other")
except OSError:
    print("other")`;

export const database: readonly Attack[] = [
  {
    title: '[D6] connects to the socket of PostgreSQL: the home keeps them out',
    async run(ground) {
      const folder = ground.services.address('postgres');
      // A machine without PostgreSQL has no database.
      if (folder === null) return;
      const { text } = await ground.other(['python3', '-c', CONNECT, join(folder, '.s.PGSQL.5432')]);
      expect(text).toBe('Permission denied\n');
    },
  },
  {
    title: '[D6] asks each port where the home listens for PostgreSQL: none is',
    async run(ground) {
      for (const port of ground.ports()) {
        const { text } = await ground.other(['python3', '-c', ASK, String(port)]);
        expect({ port, text }).toEqual({ port, text: 'other\n' });
      }
    },
  },
];
