import { startWheelHost, type WheelHost } from './wheel-host.js';
import type { IncomingMessage, ServerResponse } from 'node:http';

export const JSON_PAGE = 'application/vnd.pypi.simple.v1+json';

/** A file of a page, in the words of PEP 691. */
export type PageFile = Readonly<Record<string, unknown>> & { readonly filename: string };

export interface PythonIndex {
  /** Address for pip's settings. */
  readonly address: string;
  /** Names of projects that were asked for, in order. */
  readonly asked: readonly string[];
  readonly requests: readonly IncomingMessage[];
  readonly isOpen: boolean;
  /** Serves a page with an entity tag. */
  project(name: string, files: readonly PageFile[]): void;
  /** Answers for a project by a function of the test. */
  answer(name: string, by: (request: IncomingMessage, response: ServerResponse) => void): void;
  /** Answers for a file, at `../../files/NAME` of each page. */
  file(name: string, by: (request: IncomingMessage, response: ServerResponse) => void): void;
  /** Answers for another path. */
  elsewhere(path: string, by: (request: IncomingMessage, response: ServerResponse) => void): void;
  /** Forgets projects, files, answers and requests. The address stays. */
  clear(): void;
  stop(): Promise<void>;
}

/** A Python index as PEP 691 has it. Projects that were not put are answered by 404. */
export async function startPythonIndex(): Promise<PythonIndex> {
  const host: WheelHost = await startWheelHost();
  const requests: IncomingMessage[] = [];
  const answer: PythonIndex['answer'] = (name, by) =>
    host.answer(`/simple/${name}/`, (request, response) => {
      requests.push(request);
      by(request, response);
    });
  return {
    address: `${host.address}/simple/`,
    requests,
    get asked() {
      return host.asked.map((line) => line.split('/').at(-2)!);
    },
    get isOpen() {
      return host.isOpen;
    },
    answer,
    project(name, files) {
      const body = JSON.stringify({ meta: { 'api-version': '1.1' }, name, files });
      const tag = `"${name}-${body.length}"`;
      answer(name, (request, response) => {
        response.setHeader('etag', tag);
        if (request.headers['if-none-match'] === tag) return void response.writeHead(304).end();
        response.setHeader('content-type', JSON_PAGE);
        response.end(body);
      });
    },
    file: (name, by) => host.answer(`/files/${name}`, by),
    elsewhere: (path, by) => host.answer(path, by),
    clear: () => {
      host.clear();
      requests.length = 0;
    },
    stop: () => host.stop(),
  };
}
