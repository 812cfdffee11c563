import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What goes wrong between us and a real server. */
export const FAULTS = {
  'stores it and answers 500': storesThen500,
  'answers 200 and stores nothing': (asked: IncomingMessage, answer: ServerResponse) =>
    swallow(asked, () => answer.writeHead(200).end()),
  'answers 429 with Retry-After': (asked: IncomingMessage, answer: ServerResponse) =>
    swallow(asked, () => answer.writeHead(429, { 'retry-after': '1' }).end('slow down')),
  'answers a page for people': (asked: IncomingMessage, answer: ServerResponse) =>
    swallow(asked, () =>
      answer.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>Back in an hour</body></html>'),
    ),
  'sends us elsewhere': (asked: IncomingMessage, answer: ServerResponse, { elsewhere }: Way) =>
    swallow(asked, () => answer.writeHead(302, { location: elsewhere }).end()),
  'stores it and cuts the answer': cutsTheAnswer,
  'answers a byte now and then': (asked: IncomingMessage, answer: ServerResponse) => swallow(asked, () => drip(answer)),
  'is down': (asked: IncomingMessage) => void asked.socket.destroy(),
} as const satisfies Record<string, Fault>;
export type FaultName = keyof typeof FAULTS;

type Fault = (asked: IncomingMessage, answer: ServerResponse, way: Way) => void;
interface Way {
  /** Address of the real server. */
  readonly to: string;
  /** An address of another origin, where nobody may hear our credential. */
  readonly elsewhere: string;
}

/** A door in front of a real server. While `fault` is set, requests that `hits` meet it; all others pass. */
export interface FaultProxy {
  readonly address: string;
  fault: FaultName | null;
  hits: (asked: { readonly method: string; readonly path: string }) => boolean;
  /** Requests that met the fault, and what of them arrived at the other origin. */
  readonly met: { count: number; readonly elsewhere: (string | undefined)[] };
  stop(): Promise<void>;
}

export async function startFaultProxy(to: string): Promise<FaultProxy> {
  const met: FaultProxy['met'] = { count: 0, elsewhere: [] };
  const other = createServer((asked, answer) => {
    met.elsewhere.push(asked.headers.authorization);
    answer.writeHead(404).end();
  });
  const way: Way = { to, elsewhere: await listen(other, 'localhost') };
  const server = createServer((asked, answer) => {
    const hit = proxy.fault !== null && proxy.hits({ method: asked.method ?? '', path: asked.url ?? '' });
    if (!hit) return forward(asked, way, (response) => relay(response, answer));
    met.count += 1;
    FAULTS[proxy.fault!](asked, answer, way);
  });
  const address = await listen(server, '127.0.0.1');
  const stop = async (): Promise<void> => {
    for (const one of [server, other]) {
      one.closeAllConnections();
      one.close();
      await once(one, 'close');
    }
  };
  const proxy: FaultProxy = { address, fault: null, hits: () => true, met, stop };
  return proxy;
}

async function listen(server: ReturnType<typeof createServer>, name: string): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://${name}:${(server.address() as AddressInfo).port}/`;
}

function forward(asked: IncomingMessage, { to }: Way, then: (response: IncomingMessage) => void): void {
  const { method, headers } = asked;
  const passed = request(new URL(asked.url ?? '/', to), { method, headers, agent: false });
  // A server may close its side once it has answered: that is no error of the exchange.
  passed.once('error', () => asked.socket.destroy());
  passed.once('response', (response) => {
    passed.removeAllListeners('error').on('error', () => undefined);
    then(response);
  });
  asked.pipe(passed);
}

function relay(response: IncomingMessage, answer: ServerResponse): void {
  answer.writeHead(response.statusCode ?? 502, response.headers);
  response.pipe(answer);
}

function swallow(asked: IncomingMessage, then: () => void): void {
  asked.resume().on('end', then);
}

function storesThen500(asked: IncomingMessage, answer: ServerResponse, way: Way): void {
  forward(asked, way, (response) => response.resume().on('end', () => answer.writeHead(500).end('out of luck')));
}

/** The head and half of the body, then silence. */
function cutsTheAnswer(asked: IncomingMessage, answer: ServerResponse, way: Way): void {
  forward(asked, way, (response) => {
    const pieces: Buffer[] = [];
    response
      .on('data', (piece: Buffer) => pieces.push(piece))
      .on('end', () => {
        const body = Buffer.concat([...pieces, Buffer.from('    ')]);
        answer.writeHead(response.statusCode ?? 502, { ...response.headers, 'content-length': String(body.length) });
        answer.write(body.subarray(0, body.length / 2), () => asked.socket.destroy());
      });
  });
}

function drip(answer: ServerResponse): void {
  answer.writeHead(200, { 'content-type': 'application/octet-stream' });
  const timer = setInterval(() => answer.write('.'), 50);
  answer.on('close', () => clearInterval(timer));
}
