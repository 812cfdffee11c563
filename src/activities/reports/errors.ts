import type { Problem } from '../../model/failure.js';

export const labelDropped = (report: string, issue: number, label: string): Problem => ({
  code: 'ISSUE_LABEL_DROPPED',
  class: 'denied',
  message: `${report}: GitHub made issue ${issue} without the label ${label}: the token may not set labels, so the issue cannot be found again`,
  next: 'Give the token write access to issues, and set the label by hand. Then type `slipway retry STEP`.',
});
