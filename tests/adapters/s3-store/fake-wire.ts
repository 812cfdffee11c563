import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';

/** A wire to a server that is cut after so many bytes of one connection, so many times.
 * @param alter one byte is changed instead */
export async function aWire(
  endpoint: string,
  {
    afterBytes,
    direction,
    times,
    alter = false,
  }: { afterBytes: number; direction: 'up' | 'down'; times: number; alter?: boolean },
): Promise<{ endpoint: string; cuts: () => number; close: () => void }> {
  let cuts = 0;
  const open = new Set<Socket>();
  const listener = createServer((near) => {
    const far = connect(Number(new URL(endpoint).port), '127.0.0.1');
    let bytes = 0;
    const watched = direction === 'up' ? near : far;
    watched.on('data', (piece: Buffer) => {
      bytes += piece.length;
      if (bytes < afterBytes || cuts >= times) return;
      cuts += 1;
      if (alter) {
        bytes = Number.NEGATIVE_INFINITY;
        piece[piece.length - 1]! ^= 1;
        return;
      }
      near.destroy();
      far.destroy();
    });
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => open.delete(socket));
    }
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    cuts: () => cuts,
    close: () => {
      listener.close();
      for (const socket of open) socket.destroy();
    },
  };
}
