import { problem } from '../../model/problem.js';
import { entryOf } from '../../model/ids.js';
import type { Step } from '../../model/plan.js';

const ABOUT = { details: { about: 'input' } };

const ids = (steps: readonly { readonly id: string }[]): string =>
  `${steps
    .slice(0, 3)
    .map(({ id }) => id)
    .join(', ')}${steps.length > 3 ? ` and ${steps.length - 3} more` : ''}`;

export const problems = {
  noInput: problem.config(() => [
    'RELEASE_INPUT_EMPTY',
    'the workflow was started with neither "file" nor "plan"',
    `Start it with \`--input '{"file": "/path/to/slipway.yaml"}'\`.`,
    ABOUT,
  ]),
  relative: problem.config((file: string) => [
    'RELEASE_FILE_RELATIVE',
    `the worker that plans does not know your folder: ${JSON.stringify(file.slice(0, 200))} is not an absolute path`,
    `Start it with the whole path: \`--input '{"file": "/path/to/slipway.yaml"}'\`.`,
    ABOUT,
  ]),
  notAProfile: problem.config((value: unknown) => [
    'PROFILE_NOT_A_NAME',
    `${(JSON.stringify(value) ?? 'nothing').slice(0, 80)} is not the name of a profile`,
    `Name one: \`--input '{"file": "/path/to/slipway.yaml", "profile": "local"}'\`; without a profile it is local.`,
    ABOUT,
  ]),
  notAProbe: problem.config((value: unknown) => [
    'PROBE_MALFORMED',
    `${(JSON.stringify(value) ?? 'nothing').slice(0, 200)} names no test, commit and label`,
    'Type `slipway bisect TEST FILE`: only a bisect starts such a run.',
    ABOUT,
  ]),
  notGiven: problem.config((value: unknown) => [
    'SCHEDULE_MALFORMED',
    `"given" of the workflow's input holds more than tests, wheels and schedule: ${(JSON.stringify(value) ?? 'nothing').slice(0, 200)}`,
    'Type `slipway schedule FILE` again: it writes the whole input.',
    ABOUT,
  ]),
  notOrdered: problem.config((file: string) => [
    'SCHEDULE_NOT_SIGNED',
    `no key of this home signed the options for ${JSON.stringify(file.slice(0, 200))}: another program wrote them, or the home has other keys now`,
    'Type `slipway schedule FILE` again in this home, with the same options: it signs them.',
    ABOUT,
  ]),
  notABisect: problem.config((fault: string) => [
    'BISECT_INPUT_MALFORMED',
    `the input of the bisect ${fault}`,
    'Type `slipway bisect TEST FILE`: it starts the workflow with all that it needs.',
    ABOUT,
  ]),
  tooManyBisects: problem.config((most: number, day: string) => [
    'BISECT_LIMIT',
    `${most} bisects began on ${day} (UTC), and each starts many runs: no further one begins`,
    'Type the same command again tomorrow; `temporal workflow list --query "WorkflowType=\'bisect\'"` lists them.',
    ABOUT,
  ]),
  otherBisectId: problem.config((workflowId: string, wanted: string) => [
    'WORKFLOW_ID_MISMATCH',
    `the workflow is called ${JSON.stringify(workflowId)}, but the id of this bisect is ${JSON.stringify(wanted)}`,
    `Start it again with \`--workflow-id ${wanted}\`: one bisect, one id.`,
    ABOUT,
  ]),
  notADigest: problem.config((text: string) => [
    'PLAN_NOT_A_DIGEST',
    `${JSON.stringify(text.slice(0, 80))} is not the digest of a plan`,
    'A digest is sha256: and 64 hex digits; `slipway plan` prints it.',
    ABOUT,
  ]),
  notAPlan: problem.config((digest: string, why: string) => [
    'PLAN_NOT_A_PLAN',
    `${digest} is in the store, but it is no plan that this Slipway knows: ${why}`,
    'Name the digest that `slipway plan` prints; plan again where Slipway was updated.',
    ABOUT,
  ]),
  planTooDense: problem.config((widest: string, edges: number) => [
    'PLAN_TOO_DENSE',
    `the plan has ${edges} edges: it is too large for one payload of the run's history, also compressed`,
    `Put one step between that gathers, say \`collect: { run: 'true', needs: ['steps/a[*]'] }\`, and let others need that: n + m edges for n × m. Most stand at ${widest}.`,
    ABOUT,
  ]),
  otherWorkflowId: problem.config((workflowId: string, wanted: string) => [
    'WORKFLOW_ID_MISMATCH',
    `the workflow is called ${JSON.stringify(workflowId)}, but the id of this plan's run is ${JSON.stringify(wanted)}`,
    `Start it again with \`--workflow-id ${wanted}\`: one plan, one id.`,
    ABOUT,
  ]),
  queueUnserved: problem.config((queue: string, waiting: readonly Pick<Step, 'id' | 'stage'>[]) => [
    'QUEUE_UNSERVED',
    `nobody serves the queue ${queue}, and ${ids(waiting)} would wait for it for ever`,
    `Start a worker on a machine of that kind (\`slipway worker start --queues ${queue}\`), name another queue by \`on:\`, or write \`unserved: wait 4h\` or \`unserved: drop\`; then start the release again.`,
    { ...(waiting[0] && { path: `${entryOf(waiting[0].id).replace('/', '.')}.on` }) },
  ]),
} as const;
