import type fc from 'fast-check';

/** Laws that hold in every world that can be drawn. */
export interface Law {
  /** `outages/none-held`: its name in found.jsonl. Never reused for another law. */
  readonly id: string;
  readonly says: string;
  /** Worlds that `npm test` draws. */
  readonly runs: number;
  /** How much more time `npm run laws` gives it than a law of weight 1, the default. */
  readonly weight?: number;
  /** Plain JSON, so that a found world can be kept as data. */
  readonly worlds: fc.Arbitrary<unknown>;
  /** Throws where the law is broken. Pure: the same world gives the same answer. */
  holds(world: unknown): void;
}

/** A law with the type of its worlds checked. `holds` may assume that `worlds` knows the shape. */
export function law<World>(about: {
  readonly id: string;
  readonly says: string;
  readonly runs: number;
  readonly weight?: number;
  readonly worlds: fc.Arbitrary<World>;
  readonly holds: (world: World) => void;
}): Law {
  return { ...about, holds: (world) => about.holds(world as World) };
}
