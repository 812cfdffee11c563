import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A Maven repository in memory, on this machine's loopback. */
export interface FakeMaven {
  readonly port: number;
  /** Files by path. */
  readonly files: ReadonlyMap<string, string>;
  /** Requests in order: `PUT /a.jar`. */
  readonly asked: readonly string[];
  stop(): void;
}

export async function fakeMaven(): Promise<FakeMaven> {
  const files = new Map<string, string>();
  const asked: string[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '' } = request;
    asked.push(`${method} ${url}`);
    if (method === 'PUT') {
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece as Buffer);
      files.set(url, Buffer.concat(pieces).toString('latin1'));
      return void response.writeHead(201).end();
    }
    const held = files.get(url);
    response.writeHead(held === undefined ? 404 : 200).end(held === undefined ? '' : Buffer.from(held, 'latin1'));
  };
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    ...{ port: (server.address() as AddressInfo).port, files, asked },
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
