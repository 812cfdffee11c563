import type { Problem } from '../../model/failure.js';

export const certificateUnreadable = (variable: string, path: string, why: string): Problem => ({
  code: 'CERTIFICATE_UNREADABLE',
  class: 'config',
  message: `${variable} names ${path}, which cannot be read: ${why}`,
  next: 'Correct the path, or take the variable out of the environment.',
});

export const doorCertificateUnusable = (fault: string): Problem => ({
  code: 'DOOR_CERTIFICATE_UNUSABLE',
  class: 'config',
  message: `cannot authenticate to Temporal: ${fault}`,
  next: 'Type `slipway up`: it makes new certificates. `slipway doctor` shows whether the door takes them.',
});

export const indexWriterSilent = (workflowId: string, why: string): Problem => ({
  code: 'INDEX_WRITER_SILENT',
  class: 'infra',
  message: `the writer ${workflowId} took no request to list wheels: ${why}`,
  next: 'The step tries again by itself. `slipway doctor` shows whether a workflow worker is there.',
});
