import type { JsonObject } from '../../../../model/json.js';
import type { Node } from '../../schemas/lock.js';
import { FLAGS } from '../concrete.js';
import type { LockedSpec } from '../lock.js';
import { quoted } from '../spec/print.js';

type Specs = ReadonlyMap<string, LockedSpec>;

/** Variables by which the job of a spec knows it. */
export function specVariables({ hash, name, version, node }: LockedSpec, specs: Specs): JsonObject {
  const compiler = compilerOf(node, specs);
  return {
    SPACK_JOB_SPEC_DAG_HASH: hash,
    SPACK_JOB_SPEC_PKG_NAME: name,
    SPACK_JOB_SPEC_PKG_VERSION: version,
    SPACK_JOB_SPEC_COMPILER_NAME: compiler?.name ?? 'none',
    SPACK_JOB_SPEC_COMPILER_VERSION: compiler?.version ?? 'none',
    SPACK_JOB_SPEC_ARCH: archOf(node),
    SPACK_JOB_SPEC_VARIANTS: variantsOf(node),
  };
}

/** The spec that provides a compiler, of the first language that has one. Before lock 6 it is no spec. */
function compilerOf({ compiler, dependencies }: Node, specs: Specs): Pick<LockedSpec, 'name' | 'version'> | undefined {
  const provider = ['c', 'cxx', 'fortran']
    .map((language) => dependencies.find(({ parameters }) => parameters?.virtuals?.includes(language)))
    .find((one) => one !== undefined);
  return compiler ?? (provider && specs.get(provider.hash));
}

function archOf({ arch }: Node): string {
  const target = typeof arch?.target === 'string' ? arch.target : arch?.target.name;
  return [arch?.platform, arch?.platform_os, target].join('-');
}

/** `+termlib abi=none patches:=7a351bc`: first those that are true or false, then the others, each group by name. */
function variantsOf({ parameters = {}, propagate }: Node): string {
  const handedOn = Array.isArray(propagate) ? propagate : [];
  const variants = Object.entries(parameters)
    .filter(([key]) => !FLAGS.includes(key))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const booleans = variants
    .filter(([, value]) => typeof value === 'boolean')
    .map(([key, value]) => (value === true ? '+' : '~').repeat(handedOn.includes(key) ? 2 : 1) + key);
  const others = variants
    .filter(([, value]) => typeof value !== 'boolean')
    .map(
      ([key, value]) =>
        `${key}${Array.isArray(value) ? ':' : ''}${handedOn.includes(key) ? '==' : '='}${valueOf(key, value)}`,
    );
  return [booleans.join(''), ...others].filter(Boolean).join(' ');
}

/** Spack shortens the digests of patches. */
const PATCH_DIGITS = 7;

function valueOf(key: string, value: unknown): string {
  const values = (Array.isArray(value) ? value.map(String) : [String(value)]).sort();
  return quoted(values.map((one) => (key === 'patches' ? one.slice(0, PATCH_DIGITS) : one)).join(',') || '*');
}
