import { counted } from '../../../model/counted.js';
import type { Finding } from '../../../model/finding.js';
import { tally } from '../../../model/grouped.js';
import { isMap } from './attributes.js';
import type { Environment } from './environment.js';
import type { Lock } from './lock.js';

/** Targets that name a level, and no machine. */
const LEVEL = /^(x86_64(_v[2-4])?|aarch64|arm|ppc64|ppc64le|riscv64)$/;

/** Targets of the specs to build, if nothing requires one: then Spack took that of the machine that wrote the lock, for build tools too. */
export function hostTarget(subject: string, environment: Environment, { specs }: Lock): readonly Finding[] {
  const packages = environment.section('packages');
  if (isMap(packages) && JSON.stringify(packages['all'] ?? {}).includes('target')) return [];
  const built = [...specs.values()].filter(({ external }) => external === null);
  const targets = tally(built.map(({ node: { arch } }) => Object(arch?.target).name ?? String(arch?.target)));
  if (targets.size <= 1 && [...targets.keys()].every((one) => LEVEL.test(one))) return [];
  const counts = [...targets].map(([name, count]) => `${name} (${counted(count, 'spec')})`).sort();
  const why = `\`packages: all\` requires no target, and specs of the lock are for ${counts.join(', ')}`;
  const next =
    'Write `packages: { all: { require: target=NAME } }` with a target of all workers, and `slipway env lock`.';
  return [{ level: 'note', code: 'TARGET_OF_HOST', subject, why, next }];
}
