import type { Problem } from '../../model/failure.js';

export const certificateUnreadable = (variable: string, path: string, why: string): Problem => ({
  code: 'CERTIFICATE_UNREADABLE',
  class: 'config',
  message: `${variable} names ${path}, which cannot be read: ${why}`,
  next: 'Correct the path, or take the variable out of the environment.',
});
