import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What somebody was told. */
export interface Heard {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

/** A real server on this machine that takes messages; answers these statuses in turn, then 200. */
export class Listener {
  readonly heard: Heard[] = [];
  statuses: (number | 'hang up')[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      let body = '';
      request.on('data', (piece: Buffer) => (body += piece.toString()));
      request.on('end', () => {
        const { url = '', headers } = request;
        this.heard.push({ path: url, headers, body: JSON.parse(body) as Heard['body'] });
        const status = this.statuses.shift() ?? 200;
        if (status === 'hang up') return void request.socket.destroy();
        response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end(`said ${status}`);
      });
    });
  }

  static async start(): Promise<Listener> {
    const listener = new Listener();
    await new Promise<void>((resolve) => void listener.#server.listen(0, '127.0.0.1', resolve));
    return listener;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  forget(): void {
    this.heard.length = 0;
    this.statuses = [];
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
