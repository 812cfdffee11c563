/** Record `<log>/<number>`: a piece of one attempt's output, and whether it is the last. */
export interface Chunk {
  readonly text: string;
  readonly last?: true;
}

/** Numbers count from 1. */
export const chunkName = (prefix: string, number: number): string => `${prefix}/${String(number).padStart(6, '0')}`;
