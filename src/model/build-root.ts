/** Where every build sees its own folders, on every machine and in every container. It exists on Linux by the file system
 * hierarchy standard, root owns it, and no build needs what is in it. */
export const BUILD_ROOT = '/usr/local/src';

/** A folder of this machine, and the name under which a program sees it. */
export interface Bind {
  readonly folder: string;
  readonly name: string;
}
