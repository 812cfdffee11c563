import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A line to a server that can be cut and mended, at one address. */
export class BadLine {
  readonly #sockets = new Set<Socket>();
  #server: Server | null = null;
  #port = 0;

  constructor(private readonly target: string) {}

  get address(): string {
    return `127.0.0.1:${this.#port}`;
  }

  async mend(): Promise<void> {
    const [host, port] = this.target.split(':');
    const server = (this.#server = createServer((near) => {
      const far = connect(Number(port), host);
      for (const socket of [near, far]) {
        this.#sockets.add(socket);
        socket.on('error', () => socket.destroy()).on('close', () => (near.destroy(), far.destroy()));
      }
      near.pipe(far).pipe(near);
    }));
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (server.address() as AddressInfo).port;
  }

  async cut(): Promise<void> {
    const closed = new Promise((resolve) => this.#server?.close(resolve));
    this.#sockets.forEach((socket) => socket.destroy());
    this.#sockets.clear();
    await closed;
  }
}
