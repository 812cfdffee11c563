import type { JsonObject } from '../../../../model/json.js';
import type { Node } from '../../schemas/lock.js';
import { LANGUAGES } from '../concrete.js';
import type { Lock, LockedSpec } from '../lock.js';
import { printVariants } from '../spec/print.js';
import type { Spec } from '../spec/spec.js';
import { printTargets } from '../spec/targets.js';

/** Variables by which the job of a spec knows it.
 * @param own the same spec, as patterns are compared with it */
export function specVariables({ hash, name, version, node }: LockedSpec, own: Spec, specs: Lock['specs']): JsonObject {
  const compiler = compilerOf(node, specs);
  return {
    ...{ SPACK_JOB_SPEC_DAG_HASH: hash, SPACK_JOB_SPEC_PKG_NAME: name, SPACK_JOB_SPEC_PKG_VERSION: version },
    SPACK_JOB_SPEC_COMPILER_NAME: compiler?.name ?? 'none',
    SPACK_JOB_SPEC_COMPILER_VERSION: compiler?.version ?? 'none',
    SPACK_JOB_SPEC_ARCH: [own.platform, own.os, own.targets && printTargets(own.targets)].join('-'),
    SPACK_JOB_SPEC_VARIANTS: variantsOf(node, own),
  };
}

/** The spec that provides a compiler, of the first language that has one. Before lock 6 it is no spec. */
function compilerOf({ compiler, dependencies }: Node, specs: Lock['specs']) {
  const providerOf = (one: string) => dependencies.find(({ parameters }) => parameters?.virtuals?.includes(one));
  const [provider] = LANGUAGES.flatMap((language) => providerOf(language) ?? []);
  return compiler ?? (provider && specs.get(provider.hash));
}

/** `+termlib abi=none patches:=7a351bc`: Spack shortens the digests of patches. */
function variantsOf({ parameters = {}, propagate }: Node, { variants }: Spec): string {
  const handedOn = Array.isArray(propagate) ? propagate : [];
  const printed = [...variants].map(([key, one]) => {
    const values = key === 'patches' ? one.values.map((digest) => digest.slice(0, 7)) : one.values;
    const own = { ...one, values, isExact: Array.isArray(parameters[key]), propagates: handedOn.includes(key) };
    return [key, own] as const;
  });
  return printVariants(new Map(printed)).filter(Boolean).join(' ');
}
