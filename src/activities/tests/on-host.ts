import { fail } from '../../model/failure.js';
import type { Programs } from '../ports.js';
import type { Work } from '../work.js';
import { testCancelled } from './errors.js';
import type { Place } from './place.js';

/** The worker's own host with a scrubbed environment; the working folder is empty and is also $OUT. */
export function onHost(
  work: Work<'runTest'>,
  programs: Programs,
  out: string,
  extra: Readonly<Record<string, string>> = {},
): Place {
  return {
    files: work.files,
    out,
    run: async (line, env, onOutput) => {
      const { signal, step } = work;
      const exit = await programs.run({
        argv: line,
        cwd: out,
        env: work.env({ ...extra, ...env }),
        limitMs: step.limitMs,
        signal,
        onOutput: (text) => onOutput(text),
      });
      if (signal.aborted) throw fail(testCancelled(step.id));
      return exit;
    },
  };
}
