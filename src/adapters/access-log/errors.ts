import { problem } from '../../model/problem.js';

export const logAbsent = problem.config((log: string) => [
  'ACCESS_LOG_ABSENT',
  `there is no access log ${log}`,
  'Name the log of the web server that serves the index: `slipway cache prune FILE --log PATH`. Its rotated parts are read too.',
]);
export const logUnreadable = problem.config((path: string, why: string) => [
  'ACCESS_LOG_UNREADABLE',
  `the access log ${path} cannot be read: ${why}`,
  'Make it readable, or move a damaged part away: wheels that it may speak of then stay.',
]);
