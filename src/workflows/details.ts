import type { RunStatus, StepState, StepStatus } from '../model/messages.js';
import { STAGE_IDS } from '../model/stages.js';

const FAILED_TOLD = 10;
const LINES_TOLD = 15;
const COLUMNS: readonly StepState[] = [
  'done',
  'cached',
  'running',
  'waiting',
  'backing off',
  'failed',
  'skipped',
  'cancelled',
];

/** What the Temporal UI shows of a run: a table of stages, then the first error and last lines of each failed step. */
export function details(status: RunStatus): string {
  const { name, version, state, verdict, plan, problems, steps } = status;
  const failed = steps.filter((step) => step.state === 'failed');
  return [
    `**${name} ${version}**: ${verdict?.verdict ?? state}${plan ? `, plan \`${plan.slice(7, 19)}\`` : ''}`,
    ...(verdict?.reasons ?? []).slice(0, FAILED_TOLD).map((reason) => `- ${reason}`),
    ...problems.map((problem) => `- \`${problem.code}\` ${problem.message}\n  ${problem.next}`),
    steps.length > 0 ? `\n${table(steps)}` : '',
    ...failed.slice(0, FAILED_TOLD).map(failure),
    failed.length > FAILED_TOLD ? `\n… and ${failed.length - FAILED_TOLD} more failed steps` : '',
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function table(steps: readonly StepStatus[]): string {
  const columns = COLUMNS.filter((state) => steps.some((step) => step.state === state));
  const rows = STAGE_IDS.map((stage) => ({ stage, of: steps.filter((step) => step.stage === stage) }));
  return [
    row(['stage', ...columns]),
    row(['---', ...columns.map(() => '--:')]),
    ...rows
      .filter(({ of }) => of.length > 0)
      .map(({ stage, of }) => row([stage, ...columns.map((state) => count(of, state))])),
  ].join('\n');
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const count = (steps: readonly StepStatus[], state: StepState): string =>
  String(steps.filter((step) => step.state === state).length || '');

function failure({ id, problems }: StepStatus): string {
  const first = problems?.[0];
  const lines = first?.evidence?.slice(-LINES_TOLD) ?? [];
  const told = first ? `\`${first.code}\` ${first.message}\n${first.next}` : 'no reason known';
  return `\n**${id}** ${told}${lines.length > 0 ? `\n\`\`\`\n${lines.join('\n')}\n\`\`\`` : ''}`;
}
