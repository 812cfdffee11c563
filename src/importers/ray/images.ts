import type { Complain } from '../file-problem.js';
import type { Hash } from '../../model/digest.js';
import type { JsonObject } from '../../model/json.js';
import type { ImportedEntry } from '../../model/imported-entry.js';
import type { At } from '../importer.js';
import { asked } from './asked-errors.js';
import type { RayImport } from './asked.js';
import { byodImage } from './byod.js';
import type { Chosen } from './choose.js';
import { literally } from './names.js';
import { byodFile } from './paths.js';
import { DEFAULT_PYTHON, type Form, textIn } from './test.js';

type Wanted = Chosen & { readonly form: Form & { readonly byod: NonNullable<Form['byod']> } };

/** Name of the image that a test needs. Null if it needs none, or none is built. */
export const imageName = ({ byod, keys }: Form, say: RayImport, hash: Hash): string | null =>
  byod === null || say.byod === undefined ? null : byodImage(byod, pythonOf(keys), hash);

/** Custom images as entries of `images:`, each once. */
export function imagesOf(
  chosen: readonly Chosen[],
  say: RayImport,
  { hash, at }: { readonly hash: Hash; readonly at: At },
  complain: Complain,
): readonly ImportedEntry[] {
  const wanting = new Map<string, Wanted>();
  for (const one of chosen) {
    const name = imageName(one.form, say, hash);
    if (name !== null && !wanting.has(name)) wanting.set(name, one as Wanted);
  }
  tellVersions([...wanting.values()], say, at, complain);
  return [...wanting].map(([name, one]) => ({
    section: 'images',
    name,
    entry: entryOf(one, say),
    origin: one.form.places['cluster/byod'] ?? one.form.places['cluster/ray_version'] ?? one.test.origin,
    places: {},
    because: null,
  }));
}

function entryOf({ form: { keys, byod } }: Wanted, { byod: how, needs }: RayImport): JsonObject {
  const { base, versions, dockerfile, network } = how!;
  const python = pythonOf(keys);
  const files = ['post_build_script', 'python_depset'].flatMap((key) => {
    const path = byodFile(textIn(keys, `cluster/byod/${key}`) ?? '');
    return key in byod.contents && path !== null ? [[key.toUpperCase(), literally(path)] as const] : [];
  });
  return {
    base: byod.rayVersion !== null && Object.hasOwn(versions, byod.rayVersion) ? versions[byod.rayVersion]! : base,
    needs: [...needs],
    pythons: [`cp${python.replace('.', '')}`],
    context: 'source',
    dockerfile: literally(dockerfile),
    args: {
      ...{ PYTHON: python, TYPE: byod.type, COMMIT: '{commit}', ...Object.fromEntries(files) },
      ...(byod.rayVersion !== null && { RAY_VERSION: literally(byod.rayVersion) }),
    },
    ...(network && { network }),
  };
}

/** Returns the image that two imports need. Null if they build it in different ways. */
export const mergedImage = (first: ImportedEntry, second: ImportedEntry): ImportedEntry | null =>
  first.section === 'images' && JSON.stringify(first.entry) === JSON.stringify(second.entry) ? first : null;

const pythonOf = (keys: JsonObject): string => textIn(keys, 'python') ?? DEFAULT_PYTHON;

function tellVersions(wanting: readonly Wanted[], { byod }: RayImport, at: At, complain: Complain): void {
  const missing = new Map<string, string[]>();
  for (const { test, form } of wanting) {
    const version = form.byod.rayVersion;
    if (version === null || Object.hasOwn(byod!.versions, version)) continue;
    missing.set(version, [...(missing.get(version) ?? []), test.name]);
  }
  for (const [version, tests] of missing) complain(asked.noVersionBase(at(['byod']), version, tests));
}
