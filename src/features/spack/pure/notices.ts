import { counted } from '../../../model/counted.js';
import { placed } from '../../../model/failure.js';
import type { Finding } from '../../../model/finding.js';
import { tally } from '../../../model/grouped.js';
import { isMap } from './attributes.js';
import type { LeftOut } from './chosen.js';
import type { Kept } from './environment-files.js';
import type { Environment } from './environment.js';
import { findings } from './findings.js';
import type { Jobs } from './jobs.js';
import type { Rules } from './rules.js';

/** Choices of the rules of an environment, with their notices. */
export interface Chosen {
  readonly rules: Rules | null;
  readonly jobs: Jobs;
}

/** Keys with rules for jobs. */
const RULES = ['ci', 'gitlab-ci'];

/** Notices of an environment for people.
 * @param file path of spack.yaml
 * @param left specs that are not built
 * @param chosen absent: its rules choose nothing */
export const noticesOf = (
  file: string,
  environment: Environment,
  { notCompared, idle }: Pick<Kept, 'notCompared' | 'idle'>,
  left: LeftOut,
  chosen?: Chosen,
): readonly Finding[] => [
  ...environment.ignored.map((key) => findings.keyIgnored(`${file}: ${key}`, !!chosen && RULES.includes(key))),
  ...environment.unknown.map((subject) => findings.keyUnknown(subject)),
  ...(notCompared === null ? [] : [findings.rootsNotCompared(file, notCompared)]),
  ...idle.map((name) => findings.phaseIdle(`${file}: bootstrap: ${name}`)),
  ...tallied(left.map(({ because }) => because)).map(([because, count]) => findings.leftOut(file, because, count)),
  ...(chosen === undefined ? [] : ofRules(file, chosen)),
];

const ofRules = (file: string, { rules, jobs }: Chosen): readonly Finding[] => [
  ...(rules === null ? [findings.noRules(file)] : variablesAsText(rules, 'Write the value itself.')),
  ...(rules?.dynamic ?? []).map((place) =>
    findings.attributeIgnored(`${placed(place)}: dynamic-mapping`, 'no server is asked for attributes of jobs'),
  ),
  ...tallied([...jobs.values()].flatMap(({ ignored }) => ignored)).map(([key, count]) =>
    findings.attributeIgnored(`${file}: ${key}`, `no run reads it; ${counted(count, 'spec')} would have it`),
  ),
  ...tallied([...jobs.values()].flatMap(({ shadowed }) => shadowed.map(placed))).map(([place, count]) =>
    findings.ruleShadowed(place, count),
  ),
];

/** Returns how often each text is there, sorted. */
const tallied = (texts: readonly string[]) => [...tally(texts)].sort();

/** Notices about what a pipeline of GitLab lacks, and about texts that Slipway leaves to GitLab.
 * @param mirror address that its jobs push to */
export const exportNotices = (
  file: string,
  { ignored }: Environment,
  rules: Rules,
  mirror: string | null,
): readonly Finding[] => [
  ...(mirror === null ? [findings.exportNoMirror(file)] : []),
  ...(ignored.includes('cdash')
    ? [findings.exportLeftOut(`${file}: cdash`, 'jobs have no variables of CDash, and no group in their names')]
    : []),
  ...rules.dynamic.map((place) => findings.exportLeftOut(placed(place), 'no server is asked for attributes of jobs')),
  ...variablesAsText(
    rules,
    'GitLab looks it up when the job runs. Write the value itself, if each pipeline is to have the same.',
  ),
];

/** A note for each rule with variables whose values refer to others. */
const variablesAsText = ({ groups }: Rules, next: string): readonly Finding[] =>
  groups
    .flatMap(({ rules }) => rules)
    .flatMap(({ set, place }) => {
      const variables = set['variables'] ?? set['variables:'];
      const entries = Object.entries(isMap(variables) ? variables : {});
      const names = entries.flatMap(([name, value]) => (String(value).includes('$') ? [name] : []));
      return names.length === 0 ? [] : [findings.asText(placed(place), names, next)];
    });
