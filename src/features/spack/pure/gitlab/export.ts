import type { Complain } from '../../../../importers/file-problem.js';
import type { Finding } from '../../../../model/finding.js';
import { concreteSpecs } from '../concrete.js';
import type { Environment } from '../environment.js';
import { problems } from '../errors.js';
import type { Lock } from '../lock.js';
import { rootsOf } from '../queues.js';
import { tagsOf, type Rules } from '../rules.js';
import { exportFindings } from './findings.js';
import { type Generation, gitlabPipeline } from './pipeline.js';
import { pipelineText } from './yaml.js';

export interface Exported {
  /** Text of a `.gitlab-ci.yml`. */
  readonly text: string;
  readonly findings: readonly Finding[];
}

/** Returns a pipeline of GitLab. Complains of an environment without rules, of a pattern that is not understood, and of a job that no
 * mapping fits; then it is null.
 * @param file path of spack.yaml */
export function gitlabExport(
  file: string,
  environment: Environment,
  lock: Lock,
  generation: Generation,
  complain: Complain,
): Exported | null {
  let isWhole = true;
  const refuse: Complain = (problem) => {
    isWhole = false;
    complain(problem);
  };
  const rules = environment.rules(refuse);
  if (rules === null) refuse(problems.noRules({ file }));
  else unmapped(lock, rules).forEach((name) => refuse(problems.jobUnmapped({ file }, name)));
  if (!isWhole || rules === null) return null;
  return {
    text: pipelineText(gitlabPipeline(environment, lock, rules, generation)),
    findings: exportFindings(file, environment, rules),
  };
}

/** Names of specs whose root no mapping fits. */
function unmapped(lock: Lock, rules: Rules): readonly string[] {
  if (rules.asks === 'own') return [];
  const [specs, roots] = [concreteSpecs(lock), rootsOf(lock)];
  return [...lock.specs.values()]
    .filter(({ external }) => external === null)
    .filter(({ hash }) => tagsOf(rules, specs.get(hash)!, specs.get(roots.get(hash) ?? hash)!).place === null)
    .map(({ name }) => name);
}
