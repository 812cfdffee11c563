// Compares the spec language with answers of a real Spack: `node bench/spack/compare.mjs FOLDER`. FOLDER has spec-pairs.json, a list of
// {a, b, satisfies, intersects, merged}. Prints each pair that differs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isUnderstood, parseSpec } from '../../dist/features/spack/pure/spec/parse.js';
import { printSpec } from '../../dist/features/spack/pure/spec/print.js';
import { intersects, merged, satisfies } from '../../dist/features/spack/pure/spec/relate.js';

const pairs = JSON.parse(readFileSync(join(process.argv[2], 'spec-pairs.json'), 'utf8'));

/** The words of a spec, whatever their order. */
const words = (text) =>
  text
    .replaceAll(/([+~]+)(?=\w)/g, ' $1')
    .split(/\s+/)
    .filter(Boolean)
    .sort()
    .join(' ');

function differences({ a, b, ...real }) {
  const [one, other] = [parseSpec(a), parseSpec(b)];
  if (!isUnderstood(one) || !isUnderstood(other)) return [`not understood: ${one.why ?? other.why}`];
  const both = merged(one, other);
  const ours = {
    satisfies: satisfies(one, other),
    intersects: intersects(one, other),
    ...(both !== null && { merged: printSpec(both) }),
  };
  return ['satisfies', 'intersects', 'merged']
    .filter((key) => (key === 'merged' ? words(ours[key] ?? '') !== words(real[key] ?? '') : ours[key] !== real[key]))
    .map((key) => `${key}: ${ours[key] ?? 'nothing'}, Spack: ${real[key] ?? 'nothing'}`);
}

const found = pairs.map((pair) => [pair, differences(pair)]).filter(([, said]) => said.length > 0);
for (const [{ a, b }, said] of found) console.log(`${a}\n${b}\n  ${said.join('\n  ')}\n`);
console.log(`${pairs.length} pairs, ${found.length} differ`);
process.exitCode = found.length > 10 ? 1 : 0;
