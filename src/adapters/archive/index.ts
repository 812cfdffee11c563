import type { Archives } from '../../activities/source/ports.js';
import { pack } from './pack.js';
import { unpack } from './unpack.js';
import { normaliseZip } from './zip-normalise.js';

/** Tar and zip files by streams; no program is asked except bzip2 and xz. */
export const createArchives = (): Archives => ({ unpack, pack, normaliseZip });
