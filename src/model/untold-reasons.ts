import type { RunStatus } from './messages.js';

/** Returns the reasons of the verdict that do not end with the message of a problem: problems are told below, each with its next step.
 * There may be thousands of both. */
export function untoldReasons({ verdict, problems, steps }: RunStatus): readonly string[] {
  const told = new Set([...problems, ...steps.flatMap((step) => step.problems ?? [])].map(({ message }) => message));
  const lengths = [...new Set([...told].map(({ length }) => length))];
  const ends = (reason: string, length: number): boolean =>
    length <= reason.length && told.has(reason.slice(reason.length - length));
  return (verdict?.reasons ?? []).filter((reason) => !lengths.some((length) => ends(reason, length)));
}
