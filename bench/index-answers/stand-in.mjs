import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';

/** A page has this many files in the mean: 0.5 MB. */
const FILES = 725;
const LATE_MS = 40;

/** A Python index on loopback: `projects` pages of JSON, 0.5 MB in the mean, each 40 ms late, with entity tags.
 * `counted()` returns the requests and bytes since it was called last.
 * @param page makes the page of a project, if not one of 0.5 MB */
export async function startIndex(projects, page = pageOf) {
  const names = Array.from({ length: projects }, (_, at) => `p${at}`);
  let count = { requests: 0, bytes: 0 };
  const server = createServer((request, response) => {
    count.requests += 1;
    setTimeout(() => answer(request.url.split('/').at(-2), request, response), LATE_MS);
  });
  const answer = (name, request, response) => {
    response.setHeader('etag', `"${name}"`);
    if (request.headers['if-none-match'] === `"${name}"`) return response.writeHead(304).end();
    const body = Buffer.from(JSON.stringify(page(name, projects)));
    count.bytes += body.length;
    response.setHeader('content-type', 'application/vnd.pypi.simple.v1+json');
    response.setHeader('content-length', body.length);
    return response.end(body);
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    names,
    address: `http://127.0.0.1:${server.address().port}/simple/`,
    counted() {
      const before = count;
      count = { requests: 0, bytes: 0 };
      return before;
    },
    stop: () => server.close(),
  };
}

/** Sizes differ by a stride over all projects: from a few files to twice the mean. */
function pageOf(name, projects) {
  const size = 20 + Math.round((2 * FILES * ((Number(name.slice(1)) * 7919) % projects)) / projects);
  const files = Array.from({ length: size }, (_, at) => {
    const version = `1.${Math.floor(at / 20)}.0`;
    const wheel = `${name}-${version}-cp3${at % 14}-cp3${at % 14}-manylinux_2_${17 + (at % 3)}_x86_64.whl`;
    const filename = at % 20 === 0 ? `${name}-${version}.tar.gz` : wheel;
    const sha256 = createHash('sha256').update(filename).digest('hex');
    return {
      ...{ filename, url: `../../files/${sha256}/${filename}`, hashes: { sha256 }, size: 123_456, yanked: false },
      ...{ 'requires-python': '>=3.9', 'upload-time': '2026-01-02T03:04:05.000000Z' },
      ...{ 'core-metadata': { sha256 }, 'data-dist-info-metadata': { sha256 } },
    };
  });
  return { meta: { 'api-version': '1.1' }, name, files };
}
