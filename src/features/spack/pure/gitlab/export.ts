import type { Complain } from '../../../../importers/file-problem.js';
import type { Environment } from '../environment.js';
import { problems } from '../errors.js';
import type { EnvironmentImport } from '../../schemas/environment.js';
import { mapped } from '../jobs.js';
import type { Lock } from '../lock.js';
import { exportNotices } from '../notices.js';
import { barred } from '../phases.js';
import { type Generation, gitlabPipeline, mirrorOf } from './pipeline.js';
import { pipelineText } from './yaml.js';

/** Returns the text of a `.gitlab-ci.yml`, and findings. The pipeline is not whole if something is complained of: a pattern that is not understood, a job that no
 * mapping fits. Null: the environment has no rules. Jobs of a phase of `bootstrap` wait for all of the phase before. */
export function gitlabExport(
  { file, unmapped }: Pick<EnvironmentImport, 'file' | 'unmapped'>,
  environment: Environment,
  lock: Lock,
  generation: Generation,
  complain: Complain,
) {
  const rules = environment.rules(complain);
  if (rules === null) complain(problems.noRules({ file }));
  if (rules === null) return null;
  const whole = unmapped === 'drop' ? mapped(lock, rules).lock : lock;
  const pipeline = gitlabPipeline(environment, barred(whole), rules, generation, complain);
  return { text: pipelineText(pipeline), findings: exportNotices(file, environment, rules, mirrorOf(environment)) };
}
