import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';

/** A server that passes everything on, but answers some PUTs itself. @param lie status to answer, with an error where there
 * is a code; nothing is stored but what `instead` stores */
export async function aLiar(
  endpoint: string,
  lie: { status: number; code: string; times: number; instead?: (path: string) => void },
): Promise<{ endpoint: string; lies: () => number; close: () => void }> {
  let lies = 0;
  const listener = createServer((asked, answer) => {
    if (asked.method === 'PUT' && lies < lie.times) {
      lies += 1;
      asked.resume();
      asked.on('end', () => {
        lie.instead?.(new URL(asked.url!, endpoint).pathname);
        const body = lie.code === '' ? '' : `<Error><Code>${lie.code}</Code></Error>`;
        answer.writeHead(lie.status, { etag: '"0"' }).end(body);
      });
      return;
    }
    const { pathname, search } = new URL(asked.url!, endpoint);
    const passed = request(
      endpoint + pathname + search,
      { method: asked.method!, headers: asked.headers },
      (answered) => {
        answer.writeHead(answered.statusCode!, answered.headers);
        answered.pipe(answer);
      },
    );
    asked.pipe(passed);
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    lies: () => lies,
    close: () => {
      listener.closeAllConnections();
      listener.close();
    },
  };
}
