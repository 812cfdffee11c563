/** Where in our code a verdict was thrown helps nobody who reads it in the Temporal UI. */
export function withoutStack<T extends Error>(error: T): T {
  error.stack = '';
  return error;
}
