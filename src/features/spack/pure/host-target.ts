import { counted } from '../../../model/counted.js';
import type { Finding } from '../../../model/finding.js';
import { grouped } from '../../../model/grouped.js';
import { isMap } from './attributes.js';
import type { Environment } from './environment.js';
import type { Lock } from './lock.js';

/** Targets that name a level, and no machine. */
const LEVEL = /^(x86_64(_v[2-4])?|aarch64|arm|ppc64|ppc64le|riscv64)$/;

/** A finding about specs for the CPU of the machine that wrote the lock: Spack takes its target for each spec whose target nothing
 * names, and so for build tools. */
export function hostTarget(file: string, environment: Environment, { specs }: Lock): readonly Finding[] {
  const packages = environment.section('packages');
  const isChosen = isMap(packages) && JSON.stringify(packages['all'] ?? {}).includes('target');
  const nodes = [...specs.values()].flatMap(({ external, node }) =>
    external === null ? [node.arch?.target ?? []] : [],
  );
  const targets = grouped(nodes.flat(), (one) => (typeof one === 'string' ? one : one.name));
  if (isChosen || (targets.size <= 1 && [...targets.keys()].every((one) => LEVEL.test(one)))) return [];
  const counts = [...targets].map(([name, all]) => `${name} (${counted(all.length, 'spec')})`).sort();
  return [
    {
      ...({ level: 'note', code: 'TARGET_OF_HOST', subject: file } as const),
      why: `\`packages: all\` requires no target, and specs of the lock are for ${counts.join(', ')}: where nothing names one, Spack takes that of its machine`,
      next: 'Add `packages: { all: { require: target=x86_64_v3 } }` to spack.yaml, with a target that all workers have, and type `slipway env lock`.',
    },
  ];
}
