import type { Complain } from '../../../../importers/file-problem.js';
import type { Finding } from '../../../../model/finding.js';
import type { Environment } from '../environment.js';
import { problems } from '../errors.js';
import type { Lock } from '../lock.js';
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
  const pipeline = rules && gitlabPipeline(environment, lock, rules, generation, refuse);
  if (!isWhole || pipeline === null) return null;
  return { text: pipelineText(pipeline), findings: exportFindings(file, environment, rules!) };
}
