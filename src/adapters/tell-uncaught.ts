import { SlipwayFailure } from '../model/failure.js';

/** Ends a program with exit code 1, and tells problems in two lines each, other errors with their stack. Programs import it before
 * all else, because tables refuse features while modules load. */
process.on('uncaughtException', (error: unknown) => {
  const told =
    error instanceof SlipwayFailure
      ? error.problems.map((one) => `  ${one.code} (${one.class}) ${one.message}\n  next: ${one.next}`).join('\n')
      : ((error as Error).stack ?? String(error));
  process.stderr.write(`${told}\n`);
  process.exit(1);
});
