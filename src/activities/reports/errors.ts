import { problem } from '../../model/problem.js';

export const labelDropped = problem.denied((report: string, issue: number, label: string) => [
  'ISSUE_LABEL_DROPPED',
  `${report}: GitHub made issue ${issue} without the label ${label}: the token may not set labels, so the issue cannot be found again`,
  'Give the token write access to issues, and set the label by hand. Then type `slipway retry STEP`.',
]);
