import { request, type RequestOptions } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly body: string;
}
export interface Question {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly limitMs?: number;
}

/** Largest answer of a local service; larger ones count as none. */
const MOST_CHARACTERS = 8 << 20;

/** Sends one request to a local service at `http://…` or `unix:///socket`. Null if there is no answer. */
export function ask(address: string, path: string, question: Question = {}): Promise<Answer | null> {
  return new Promise((resolve) => {
    const sent = request({ ...place(address, path), ...shape(question) }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (text: string) => {
        body += text;
        if (body.length > MOST_CHARACTERS) sent.destroy(new Error('too much'));
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
      response.on('error', () => resolve(null));
    });
    sent.on('error', () => resolve(null));
    sent.end(question.body);
  });
}

function place(address: string, path: string): RequestOptions {
  if (address.startsWith('unix://')) return { socketPath: address.slice('unix://'.length), path };
  const url = new URL(path, address.replace(/^tcp:/, 'http:'));
  return { host: url.hostname, port: url.port || 80, path: url.pathname + url.search };
}

const shape = ({ method = 'GET', headers = {}, body, limitMs = 5_000 }: Question): RequestOptions => ({
  method,
  agent: false,
  signal: AbortSignal.timeout(limitMs),
  headers: body === undefined ? headers : { ...headers, 'content-length': String(Buffer.byteLength(body)) },
});

export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
