import type { RerunPreview } from '../../model/actions.js';

/** Reused results are many, and of little interest: the first are named. */
const REUSED_TOLD = 10;

/** Returns the preview of `retry --from`. */
export function rerunLines(preview: Extract<RerunPreview, { ok: true }>): readonly string[] {
  const { from, reused, again, stopped, invalidated } = preview;
  const behind = again.filter((step) => step !== from);
  return [
    'run again:',
    `  ${from}  whatever is known of it`,
    ...behind.map((step) => `  ${step}  unless what it uses comes out the same`),
    ...section('stopped first:', stopped),
    ...section(
      'invalidated:',
      invalidated.map(({ step, why }) => `${step}  ${why}`),
    ),
    ...section('reused:', firstOf(reused)),
  ];
}

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)];

const firstOf = (steps: readonly string[]): readonly string[] =>
  steps.length > REUSED_TOLD ? [...steps.slice(0, REUSED_TOLD), `and ${steps.length - REUSED_TOLD} more`] : steps;
