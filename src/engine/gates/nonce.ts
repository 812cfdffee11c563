/** Returns the nonce of a gate's opening: 128 random bits in hex.
 * @param random uniform in [0, 1) */
export const drawNonce = (random: () => number): string => [0, 1, 2, 3].map(() => word(random())).join('');

const word = (random: number): string =>
  Math.floor(random * 2 ** 32)
    .toString(16)
    .padStart(8, '0');
