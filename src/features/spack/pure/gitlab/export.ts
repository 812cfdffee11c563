import type { Complain } from '../../../../importers/file-problem.js';
import type { Finding } from '../../../../model/finding.js';
import type { Environment } from '../environment.js';
import { problems } from '../errors.js';
import type { EnvironmentImport } from '../../schemas/environment.js';
import { mapped } from '../jobs.js';
import type { Lock } from '../lock.js';
import { barred } from '../phases.js';
import { exportFindings } from './findings.js';
import { type Generation, gitlabPipeline } from './pipeline.js';
import { pipelineText } from './yaml.js';

export interface Exported {
  /** Text of a `.gitlab-ci.yml`. */
  readonly text: string;
  readonly findings: readonly Finding[];
}

/** Returns a pipeline of GitLab. Complains of an environment without rules, of a pattern that is not understood, and of a job that no
 * mapping fits; then it is null. Jobs of a phase of `bootstrap` wait for all of the phase before. */
export function gitlabExport(
  { file, unmapped }: Pick<EnvironmentImport, 'file' | 'unmapped'>,
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
  const whole = unmapped === 'drop' ? mapped(lock, rules).lock : lock;
  const pipeline = rules && gitlabPipeline(environment, barred(whole), rules, generation, refuse);
  if (!isWhole || pipeline === null) return null;
  return { text: pipelineText(pipeline), findings: exportFindings(file, environment, rules!) };
}
