import type { Targets } from './targets.js';
import type { VersionRange } from './versions.js';

/** A spec as Spack reads it. Absent parts say nothing. */
export interface Spec {
  readonly name: string | null;
  readonly namespace: string | null;
  /** Sorted and disjoint. Null: any version. */
  readonly versions: readonly VersionRange[] | null;
  readonly variants: ReadonlyMap<string, Variant>;
  /** Compiler flags by their type: `cflags`. */
  readonly flags: ReadonlyMap<string, readonly Flag[]>;
  readonly platform: string | null;
  readonly os: string | null;
  readonly targets: Targets | null;
  /** First digits of a DAG hash. */
  readonly hash: string | null;
  readonly edges: readonly Edge[];
}

export interface Variant {
  /** A boolean variant has one value, `true` or `false`. Sorted. */
  readonly values: readonly string[];
  readonly isBool: boolean;
  /** True: it has these values and no other. */
  readonly isExact: boolean;
  /** True: dependencies take it over (`++debug`). */
  readonly propagates: boolean;
}

/** Types of compiler flags. */
export const FLAGS = ['cflags', 'cxxflags', 'fflags', 'cppflags', 'ldflags', 'ldlibs'];

export interface Flag {
  readonly text: string;
  readonly propagates: boolean;
}

/** `^libelf@0.8`, `%gcc`, `%c,cxx=gcc`. */
export interface Edge {
  /** True for `%`: a dependency of the node itself. False for `^`: anywhere below the root. */
  readonly isDirect: boolean;
  /** True for `%%`. */
  readonly propagates: boolean;
  /** Virtual packages that it provides. */
  readonly virtuals: readonly string[];
  readonly spec: Spec;
}

export const ANY: Spec = {
  ...{ name: null, namespace: null, versions: null, platform: null, os: null, targets: null, hash: null },
  ...{ variants: new Map(), flags: new Map(), edges: [] },
};
