import { placeOf } from '../../src/model/policy/place.js';
import { Policy } from '../../src/model/schema/policy.js';
import { covers } from '../../src/plan/policy/address.js';
import { aTarget } from '../activities/publish/release.js';
import { fc } from '../support/fixed-seed.js';

/** Parts of which addresses are put together that one program reads as loopback and another does not. */
const PARTS = [
  ...[
    'http://',
    'HTTP://',
    'https://',
    'http:',
    '//',
    '127.0.0.1',
    '127.1',
    '0177.0.0.1',
    '[::1]',
    'localhost',
    '0.0.0.0',
  ],
  ...['evil.example', 'a.example', '@', '\\', '/', '..', '.', '%2e', '%2f', '%00', ':80', ':443', ':', '#', '?', ' '],
  ...['\t', '\n', '\0', 'user', '。', '①', 'x', ';', '&', '|'],
];
const address = fc.array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 9 }).map((parts) => parts.join(''));
const addresses = fc.oneof(
  address,
  address.map((rest) => `http://127.0.0.1${rest}`),
  address.map((rest) => `https://a.example/x${rest}`),
);

const hostOf = (text: string): string | null => (URL.canParse(text) ? new URL(text).hostname : null);

test('[H5] given any address, when it counts as this machine, then a browser resolves it to loopback, without user or fragment', () => {
  let here = 0;
  fc.assert(
    fc.property(addresses, (text) => {
      if (!placeOf(aTarget({ kind: 'maven', address: text })).here) return;
      here++;
      expect(hostOf(text)).toMatch(/^(127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/);
      expect(text).not.toMatch(/[@\\#?\s]|[^ -~]/);
    }),
    { numRuns: 20_000 },
  );
  expect(here).toBeGreaterThan(100);
});

test('[H5] given any address, when a row covers it, then a browser finds its origin there and its path below', () => {
  const row = Policy.parse({ policy: 1, publish: [{ kind: 'maven', address: 'https://a.example/x' }] }).publish[0]!;
  let covered = 0;
  fc.assert(
    fc.property(addresses, (text) => {
      if (covers(row, aTarget({ kind: 'maven', address: text })) === 0) return;
      covered++;
      const { origin, pathname, username } = new URL(text);
      expect([origin, username]).toEqual(['https://a.example', '']);
      expect(`${decodeURIComponent(pathname)}/`).toMatch(/^\/x\//);
    }),
    { numRuns: 20_000 },
  );
  expect(covered).toBeGreaterThan(100);
});
