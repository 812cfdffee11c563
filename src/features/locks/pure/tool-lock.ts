/** Name of the lock of a lock's tool. */
export const toolLockOf = (name: string): string => `${name}-tool`;
