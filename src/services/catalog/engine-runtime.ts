import { join } from 'node:path';
import { writeAtomically } from '../files.js';

/** The engine finds it as `runc`. It removes CAP_NET_RAW from what the real one is about to start. */
const RUNC = [
  '#!/bin/sh',
  'file= last=',
  'for word in "$@"; do',
  '  case $last in --bundle) file=$word/config.json ;; --process) file=$word ;; esac',
  '  last=$word',
  'done',
  `[ -z "$file" ] || sed -i -E ':next; s/("capabilities":\\{[^}]*)("CAP_NET_RAW",|,?"CAP_NET_RAW")/\\1/; t next' "$file"`,
  'PATH=${PATH#*:}',
  'exec runc "$@"',
  '',
].join('\n');

/** On the machine's network a raw socket would read the secrets that others send on loopback, and no option of a build
 * forbids one. */
export const writeRuntime = (folder: string): void => writeAtomically(join(folder, 'runc'), RUNC, 0o700);

/** Starts a program that can give nobody CAP_NET_RAW: a runtime that is not ours fails then. */
export const WITHOUT_RAW_SOCKETS = ['setpriv', '--bounding-set', '-net_raw'] as const;
