import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Reached } from '#slipway/model/drill.js';

/** Called when an attempt pauses at a point; the attempt continues when the promise resolves. `gone` aborts if its
 * worker dies meanwhile. */
export type AtPoint = (reached: Reached, gone: AbortSignal) => Promise<void>;

/** The server to which workers connect when they pause at a point. */
export class Gate {
  #atPoint: AtPoint = async () => undefined;
  readonly #sockets = new Set<Socket>();
  readonly #server: Server = createServer((socket) => this.#arrive(socket));

  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  ask(atPoint: AtPoint): void {
    this.#atPoint = atPoint;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #arrive(socket: Socket): void {
    const gone = new AbortController();
    let text = '';
    this.#sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => (this.#sockets.delete(socket), gone.abort()));
    socket.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
      const end = text.indexOf('\n');
      if (end < 0) return;
      const reached = JSON.parse(text.slice(0, end)) as Reached;
      text = text.slice(end + 1);
      void this.#atPoint(reached, gone.signal).finally(() => socket.end());
    });
  }
}
