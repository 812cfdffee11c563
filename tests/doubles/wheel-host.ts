import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Held {
  readonly bytes: Uint8Array;
  /** It is there from this ask on. */
  readonly from: number;
}

/** A web server of wheels, as object stores and nginx serve them: files, folders as listings, entity tags. */
export interface WheelHost {
  readonly address: string;
  /** Method and path of each request, in order. */
  readonly asked: readonly string[];
  readonly isOpen: boolean;
  /** @param from the ask of this path from which on it is there */
  put(path: string, bytes: Uint8Array, from?: number): void;
  /** Answers a path by a function of the test. */
  answer(path: string, by: (request: IncomingMessage, response: ServerResponse) => void): void;
  /** Forgets files, answers and requests, and ends connections. */
  clear(): void;
  stop(): Promise<void>;
}

export async function startWheelHost(): Promise<WheelHost> {
  const files = new Map<string, Held>();
  const own = new Map<string, (request: IncomingMessage, response: ServerResponse) => void>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url!);
    asked.push(`${request.method} ${path}`);
    const by = own.get(path);
    if (by) return by(request, response);
    return path.endsWith('/') ? list(path, response) : serve(path, request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    get isOpen() {
      return server.listening;
    },
    put: (path, bytes, from = 1) => files.set(path, { bytes, from }),
    answer: (path, by) => own.set(path, by),
    clear: () => {
      for (const map of [files, own]) map.clear();
      asked.length = 0;
      server.closeAllConnections();
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };

  function list(path: string, response: ServerResponse): void {
    const names = [...files.keys()].filter((file) => file.startsWith(path)).map((file) => file.slice(path.length));
    const shown = names.filter((name) => !name.includes('/') && isThere(path, files.get(path + name)!));
    if (shown.length === 0) return void response.writeHead(404).end();
    const links = shown.map((name) => `<a href="${encodeURIComponent(name)}">${name}</a>`).join('\n');
    response.setHeader('content-type', 'text/html');
    response.end(`<html><head><title>Index of ${path}</title></head><body>${links}</body></html>`);
  }

  function serve(path: string, request: IncomingMessage, response: ServerResponse): void {
    const held = files.get(path);
    if (held === undefined || !isThere(path, held)) return void response.writeHead(404).end();
    const etag = `"${createHash('sha256').update(held.bytes).digest('hex').slice(0, 16)}"`;
    response.setHeader('etag', etag);
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end();
    response.setHeader('content-length', held.bytes.length);
    response.end(request.method === 'HEAD' ? undefined : held.bytes);
  }

  function isThere(path: string, { from }: Held): boolean {
    return asked.filter((one) => one.endsWith(` ${path}`)).length >= from;
  }
}
