import type { ServerResponse } from 'node:http';
import { JSON_PAGE } from '../../../doubles/python-index.js';

export const page = (response: ServerResponse, body: string | Uint8Array, type = JSON_PAGE): void => {
  response.setHeader('content-type', type);
  response.end(body);
};
/** Answers that are no page of an index, each with the reason that planning gives. */
export const WRONG: readonly (readonly [string, (response: ServerResponse) => void, string])[] = [
  ['500', (response) => void response.writeHead(500).end(), 'it answers HTTP 500'],
  ['403', (response) => void response.writeHead(403).end(), 'it answers HTTP 403'],
  ["a proxy's HTML", (response) => page(response, '<html>Log in</html>', 'text/html'), 'lists no files'],
  ['HTML that is called JSON', (response) => page(response, '<html>Log in</html>'), 'is no JSON'],
  ['a PDF', (response) => page(response, '%PDF', 'application/pdf'), 'is no page of an index'],
  ['JSON without files', (response) => page(response, '[]'), 'has no list of files'],
  ['JSON that nests too deeply', (response) => page(response, '['.repeat(100_000)), 'cannot be read (RecursionError)'],
  [
    'HTML that no parser takes',
    (response) => page(response, '<![canoe[<a href="six-1.17.0.tar.gz">six</a>', 'text/html'),
    'cannot be read (AssertionError)',
  ],
  ["another project's page", (response) => page(response, '{"name":"seven","files":[]}'), 'of another project, seven'],
  [
    "a page with another project's files only",
    (response) => page(response, `<a href="seven-1.0.tar.gz">seven-1.0.tar.gz</a>`, 'text/html'),
    'lists only files of other projects',
  ],
  [
    'a page of more than 50 MB',
    (response) => page(response, Buffer.alloc(51 * 2 ** 20, 32)),
    'the page is larger than 50 MB',
  ],
  [
    'a cut body',
    (response) => {
      response.writeHead(200, { 'content-type': JSON_PAGE, 'content-length': '500' });
      response.write('{"name":"six","files":[]}', () => response.destroy());
    },
    'the connection broke',
  ],
];
