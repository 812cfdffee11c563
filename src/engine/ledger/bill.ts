import type { JsonObject } from '../../model/json.js';
import type { Plan } from '../../model/plan.js';
import { normalName } from '../../model/python/file-name.js';

export interface Lock {
  readonly name: string;
  readonly text: string;
}
interface Pin {
  readonly name: string;
  readonly version: string;
}

/** Writes CycloneDX 1.6: every package that a lock of the release pins, with its locks. It has no time and no serial
 * number, so that the same locks have the same bill. */
export function billOfMaterials({ release }: Pick<Plan, 'release'>, locks: readonly Lock[]): JsonObject {
  const found = new Map<string, { readonly pin: Pin; readonly locks: Set<string> }>();
  for (const { name, text } of locks)
    for (const pin of pinsIn(text)) {
      const one = found.get(purl(pin)) ?? { pin, locks: new Set() };
      found.set(purl(pin), one);
      one.locks.add(name);
    }
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': 'release', ...release } },
    components: [...found.keys()].sort().map((ref) => component(ref, found.get(ref)!)),
  };
}

const component = (
  ref: string,
  { pin, locks }: { readonly pin: Pin; readonly locks: ReadonlySet<string> },
): JsonObject => ({
  type: 'library',
  'bom-ref': ref,
  ...pin,
  purl: ref,
  properties: [...locks].sort().map((value) => ({ name: 'slipway:lock', value })),
});

const purl = ({ name, version }: Pin): string => `pkg:pypi/${normalName(name)}@${encodeURIComponent(version)}`;

/** Parses `name[extra]==version ; marker \`. A package pinned to an address has no version to look up. */
const pinsIn = (text: string): readonly Pin[] =>
  [...text.matchAll(/^([A-Za-z0-9][A-Za-z0-9._-]*)(?:\[[^\]\n]*\])?==([^\s;\\]+)/gm)].map(([, name, version]) => ({
    name: name!,
    version: version!,
  }));
