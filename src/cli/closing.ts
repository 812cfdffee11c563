/** Lets `await using` close what was opened. */
export const closing = <O extends { close(): Promise<void> }>(open: O): O & AsyncDisposable =>
  Object.assign(open, { [Symbol.asyncDispose]: () => open.close() });
