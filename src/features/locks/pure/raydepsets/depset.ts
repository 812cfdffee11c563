import type { SourceLocation } from '../../../../model/failure.js';

export const OPERATIONS = ['compile', 'subset', 'expand', 'relax'] as const;
export type Operation = (typeof OPERATIONS)[number];

/** One set of locked requirements, its variables filled in. */
export interface Depset {
  readonly name: string;
  readonly operation: Operation;
  /** Path of its lock from the top of the source. */
  readonly output: string;
  readonly requirements: readonly string[];
  readonly constraints: readonly string[];
  readonly packages: readonly string[];
  /** Source depset; only subset and relax have one. */
  readonly source: string | null;
  /** Depsets that expand joins. */
  readonly depsets: readonly string[];
  readonly append: readonly string[];
  readonly override: readonly string[];
  readonly hooks: readonly string[];
  readonly setuptools: boolean;
  /** Path of its file. */
  readonly config: string;
  /** Place of a key of the depset, or of the depset itself. */
  readonly at: (key?: string) => SourceLocation;
}

/** Depsets that it is made from. */
export const edgesOf = ({ operation, source, depsets }: Depset): readonly string[] =>
  operation === 'expand' ? depsets : operation === 'compile' || source === null ? [] : [source];
