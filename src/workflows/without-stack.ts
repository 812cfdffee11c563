/** Removes the stack. Readers of a verdict in the Temporal UI have no use for it. */
export function withoutStack<T extends Error>(error: T): T {
  error.stack = '';
  return error;
}
