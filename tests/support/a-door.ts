import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A port in front of a server of this machine. While it is shut, connections are refused, and those that were open are broken. */
export interface Door {
  readonly port: number;
  shut(): void;
  open(): Promise<void>;
}

/** @param to port of the server */
export async function aDoor(to: number): Promise<Door> {
  const sockets = new Set<Socket>();
  const kept = (socket: Socket): Socket => {
    sockets.add(socket);
    // A broken connection is what the door is for.
    return socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  let server: Server;
  const listen = async (port: number): Promise<void> => {
    server = createServer((from) => {
      const through = kept(connect(to, '127.0.0.1'));
      kept(from)
        .on('close', () => through.destroy())
        .pipe(through)
        .on('close', () => from.destroy())
        .pipe(from);
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const { port } = server!.address() as AddressInfo;
  return {
    port,
    shut() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
    open: () => listen(port),
  };
}
