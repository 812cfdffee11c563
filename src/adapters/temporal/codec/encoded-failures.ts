import { DefaultFailureConverter } from '@temporalio/common';

/** What failed and where goes through the codec, as arguments and results do. */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
