import type { Problem } from '../../model/failure.js';

export const logAbsent = (log: string): Problem => ({
  code: 'ACCESS_LOG_ABSENT',
  class: 'config',
  message: `there is no access log ${log}`,
  next: 'Name the log of the web server that serves the index: `slipway cache prune FILE --log PATH`. Its rotated parts are read too.',
});

export const logUnreadable = (path: string, why: string): Problem => ({
  code: 'ACCESS_LOG_UNREADABLE',
  class: 'config',
  message: `the access log ${path} cannot be read: ${why}`,
  next: 'Make it readable, or move a damaged part away: wheels that it may speak of then stay.',
});
