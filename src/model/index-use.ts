/** Time that access logs cover without a gap. ISO 8601 in UTC. */
export interface ReadSpan {
  readonly from: string;
  readonly to: string;
}

/** Fetches of wheels of an index, from access logs. Records of this form are merged, in any order. */
export interface IndexUse {
  readonly slipway: 1;
  /** Sorted, without overlap. */
  readonly read: readonly ReadSpan[];
  /** Last GET by `PLATFORM/FILE`, ISO 8601 in UTC. */
  readonly fetched: Readonly<Record<string, string>>;
}

export const NO_USE: IndexUse = { slipway: 1, read: [], fetched: {} };

export const useKey = (platform: string, file: string): string => `${platform}/${file}`;
