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

/** Counted in one pass: this is drawn anew after each change of a run. */
function table(steps: readonly StepStatus[]): string {
  const counts = new Map<string, number>();
  const add = (key: string): unknown => counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const { stage, state } of steps) [`${stage}`, state, `${stage}/${state}`].forEach(add);
  const columns = COLUMNS.filter((state) => counts.has(state));
  const stages = STAGE_IDS.filter((stage) => counts.has(stage));
  return [
    row(['stage', ...columns]),
    row(['---', ...columns.map(() => '--:')]),
    ...stages.map((stage) => row([stage, ...columns.map((state) => String(counts.get(`${stage}/${state}`) ?? ''))])),
  ].join('\n');
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

function failure({ id, problems }: StepStatus): string {
  const first = problems?.[0];
  const lines = first?.evidence?.slice(-LINES_TOLD) ?? [];
  const told = first ? `\`${first.code}\` ${first.message}\n${first.next}` : 'no reason known';
  return `\n**${id}** ${told}${lines.length > 0 ? `\n\`\`\`\n${lines.join('\n')}\n\`\`\`` : ''}`;
}
