import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/adapters/home.js';
import { wheelIndex } from '../../src/services/catalog/wheel-index.js';

const documented = /```nginx\n(.*?)```/s.exec(readFileSync(join(packageRoot(), 'docs', 'wheel-cache.md'), 'utf8'))![1]!;
const served = wheelIndex({ port: 8082, root: '/srv/wheels', accessLog: '/var/log/wheels.log' });

/** Headers that a configuration of nginx adds to pages, by the expression of their location. */
const headersIn = (config: string): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    [...config.matchAll(/location ~ (\/simple\/\S+) \{(.*?)(?=location|$)/gs)].map(([, page = '', rules = '']) => [
      page,
      [...rules.matchAll(/add_header (\S+ [^\s;]+)/g)].map(([, header = '']) => header),
    ]),
  );

// uv takes a page without Cache-Control from its cache for a tenth of the page's age.
test('given the documented nginx, then it adds to each page the headers that the server of `slipway up` adds', () => {
  expect(Object.keys(headersIn(documented))).toHaveLength(4);
  expect(headersIn(documented)).toEqual(headersIn(served));
});
