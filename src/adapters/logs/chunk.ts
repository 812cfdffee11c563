/** Record `<log>/<number>`: a piece of one attempt's output, and whether it is the last. */
export interface Chunk {
  readonly text: string;
  readonly last?: true;
  /** Begin and end of our own lines in the text; absent: none. */
  readonly own?: readonly (readonly [number, number])[];
}

/** Numbers count from 1. */
export const chunkName = (prefix: string, number: number): string => `${prefix}/${String(number).padStart(6, '0')}`;
