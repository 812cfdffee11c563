import { LANGUAGES } from './concrete.js';
import type { Bootstrap } from './definitions.js';
import type { Lock, LockedSpec } from './lock.js';
import { packageOf } from './spec/relate.js';

/** A list of `bootstrap` with its own lock. */
export interface Phase extends Bootstrap {
  readonly lock: Lock;
}

/** Returns one lock of all phases, in their order. Of a hash that several have, the first counts. A spec of a lock before format 6 needs
 * the compiler that it names, if a phase before it builds that for the same system. */
export function phased(main: Lock, phases: readonly Phase[]): Lock {
  if (phases.length === 0) return main;
  const specs = new Map<string, LockedSpec>();
  const compilers: LockedSpec[] = [];
  for (const { name, isAgnostic, lock } of phases) {
    add(lock, (spec) => ({ ...(isAgnostic ? withoutCompiler(spec, lock) : spec), phase: name }));
    compilers.push(...lock.roots.map(({ hash }) => specs.get(hash)!));
  }
  add(main, (spec) => spec);
  return { ...main, roots: [...phases.flatMap(({ lock }) => lock.roots), ...main.roots], specs };

  function add({ specs: some }: Lock, change: (spec: LockedSpec) => LockedSpec): void {
    const before = [...compilers];
    for (const [hash, spec] of some) if (!specs.has(hash)) specs.set(hash, withCompiler(change(spec), before));
  }
}

function withCompiler(spec: LockedSpec, compilers: readonly LockedSpec[]): LockedSpec {
  const { compiler, arch } = spec.node;
  if (compiler === undefined) return spec;
  const found = compilers
    .filter(({ name, version }) => name === packageOf(compiler.name) && version === compiler.version)
    .filter(({ node }) => node.arch?.platform_os === arch?.platform_os);
  if (found.length === 0) return spec;
  return { ...spec, dependencies: [...new Set([...spec.dependencies, ...found.map(({ hash }) => hash)])] };
}

/** A spec without its compiler, as patterns and jobs see it. Its hash still has the compiler. */
function withoutCompiler(spec: LockedSpec, { specs }: Lock): LockedSpec {
  const { compiler: _, dependencies, ...node } = spec.node;
  const provides = ({ virtuals = [] }: { readonly virtuals?: readonly string[] }): boolean =>
    virtuals.some((one) => LANGUAGES.includes(one));
  const compilers = dependencies.filter(({ parameters }) => provides(parameters ?? {})).map(({ hash }) => hash);
  const stripped = compilers.filter((hash) => specs.get(hash)?.external !== null);
  return {
    ...spec,
    dependencies: spec.dependencies.filter((hash) => !stripped.includes(hash)),
    node: { ...node, dependencies: dependencies.filter(({ hash }) => !compilers.includes(hash)) },
  };
}

/** Returns the lock with an edge from each spec that begins a phase to those that end the phase before it: no job starts before all
 * jobs of the phase before are done. */
export function barred(lock: Lock): Lock {
  const built = [...lock.specs.values()].filter(({ external }) => external === null);
  const phases = [...new Set(built.map(({ phase }) => phase))];
  if (phases.length < 2) return lock;
  const phaseOf = new Map(built.map(({ hash, phase }) => [hash, phase]));
  const inner = ({ dependencies, phase }: LockedSpec): readonly string[] =>
    dependencies.filter((one) => phaseOf.has(one) && phaseOf.get(one) === phase);
  const needed = new Set(built.flatMap(inner));
  const ends = phases.map((phase) =>
    built.filter((spec) => spec.phase === phase && !needed.has(spec.hash)).map(({ hash }) => hash),
  );
  const specs = [...lock.specs].map(([hash, spec]) => {
    const before = ends[phases.indexOf(spec.phase) - 1];
    if (before === undefined || spec.external !== null || inner(spec).length > 0) return [hash, spec] as const;
    return [hash, { ...spec, dependencies: [...new Set([...spec.dependencies, ...before])] }] as const;
  });
  return { ...lock, specs: new Map(specs) };
}
