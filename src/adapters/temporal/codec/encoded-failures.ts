import { DefaultFailureConverter } from '@temporalio/common';

/** Encodes messages and stacks of failures too. */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
