/** Path at which every build sees its own folders, on every machine and in every container. The Filesystem Hierarchy
 * Standard requires it, root owns it, and no build needs its content. */
export const BUILD_ROOT = '/usr/local/src';

/** A folder of this machine and the path at which a program sees it. */
export interface Bind {
  readonly folder: string;
  readonly name: string;
}
