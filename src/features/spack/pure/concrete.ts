import type { Node } from '../schemas/lock.js';
import type { Lock } from './lock.js';
import { ANY, type Edge, FLAGS, type Flag, type Spec, type Variant } from './spec/spec.js';
import { targetsOf } from './spec/targets.js';
import { rangesOf } from './spec/versions.js';

/** Virtual packages that compilers provide. */
export const LANGUAGES = ['c', 'cxx', 'fortran'];

/** Returns the specs of a lock as patterns are compared with them, by hash. Specs share those below them. */
export function concreteSpecs(lock: Lock): ReadonlyMap<string, Spec> {
  const made = new Map<string, Spec>();
  for (const [hash, { node, name, version, namespace }] of lock.specs) {
    const target = node.arch?.target;
    made.set(hash, {
      ...ANY,
      ...{ hash, name, namespace, versions: rangesOf(`=${version}`) },
      ...variantsOf(node.parameters ?? {}),
      platform: node.arch?.platform ?? null,
      os: node.arch?.platform_os ?? null,
      targets: target === undefined ? null : targetsOf(typeof target === 'string' ? target : target.name),
      edges: [
        ...compilerOf(node),
        ...node.dependencies.map((one) => edgeTo(made.get(one.hash)!, one.parameters?.virtuals)),
      ],
    });
  }
  return made;
}

const edgeTo = (spec: Spec, virtuals: readonly string[] = []): Edge => ({
  ...{ isDirect: true, propagates: false, virtuals, spec },
});

/** The compiler of a lock before format 6, where it is no spec. */
const compilerOf = ({ compiler }: Node): readonly Edge[] =>
  compiler ? [edgeTo({ ...ANY, name: compiler.name, versions: rangesOf(`=${compiler.version}`) }, LANGUAGES)] : [];

function variantsOf(parameters: Readonly<Record<string, unknown>>): Pick<Spec, 'variants' | 'flags'> {
  const variants = new Map<string, Variant>();
  const flags = new Map<string, readonly Flag[]>();
  for (const [key, value] of Object.entries(parameters)) {
    const [values, propagates] = [(Array.isArray(value) ? value : [value]).map(String), false];
    const some = values.map((text) => ({ text, propagates }));
    if (FLAGS.includes(key)) flags.set(key, some);
    else variants.set(key, { values: values.sort(), isBool: typeof value === 'boolean', isExact: true, propagates });
  }
  return { variants, flags };
}
