import { counted } from '../../../model/counted.js';
import { placed } from '../../../model/failure.js';
import type { Finding } from '../../../model/finding.js';
import type { Environment } from './environment.js';
import type { ChosenQueue } from './queues.js';

type Queues = ReadonlyMap<string, ChosenQueue>;

/** Notices of an environment for people.
 * @param file path of spack.yaml
 * @param queues absent: its rules choose none */
export const noticesOf = (file: string, environment: Environment, queues?: Queues): readonly Finding[] => [
  ...environment.ignored.map((key) => keyIgnored(file, key, queues !== undefined)),
  ...('roots' in environment.roots ? [] : [notCompared(file, environment.roots.why)]),
  ...shadowedRules(queues ?? new Map()),
];

/** Keys with rules for jobs. */
const RULES = ['ci', 'gitlab-ci'];

const keyIgnored = (file: string, key: string, hasQueues: boolean): Finding => ({
  ...({ level: 'note', code: 'ENVIRONMENT_KEY_IGNORED', subject: `${file}: ${key}` } as const),
  why: hasQueues && RULES.includes(key) ? 'only its tags are read' : 'no run reads this key of spack.yaml',
  next: 'docs/environments.md lists the keys that count.',
});

const notCompared = (file: string, why: string): Finding => ({
  ...({ level: 'warning', code: 'ENVIRONMENT_NOT_COMPARED', subject: file } as const),
  why: `nothing compares its specs with the lock: ${why}`,
  next: 'Concretize the environment after each change of it.',
});

function shadowedRules(queues: Queues): readonly Finding[] {
  const counts = new Map<string, number>();
  for (const { shadowed } of queues.values())
    for (const place of shadowed) counts.set(placed(place), (counts.get(placed(place)) ?? 0) + 1);
  return [...counts].sort().map(([subject, count]) => ({
    ...({ level: 'note', code: 'MAPPING_SHADOWED', subject } as const),
    why: `it fits ${counted(count, 'spec')} with tags of a rule that is tried before it`,
    next: 'Of `mappings` the first entry from the top counts, of a `submapping` the first one from the bottom.',
  }));
}
