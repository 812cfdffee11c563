/** Record `<log>/<number>`: one piece of an attempt's output. */
export interface Chunk {
  readonly text: string;
  readonly last?: true;
  /** Begin and end offsets of Slipway's own lines. Absent: none. */
  readonly own?: readonly (readonly [number, number])[];
}

/** @param number from 1 */
export const chunkName = (prefix: string, number: number): string => `${prefix}/${String(number).padStart(6, '0')}`;
