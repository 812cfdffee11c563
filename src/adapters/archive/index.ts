import type { Archives } from '../../activities/source/ports.js';
import { pack } from './pack.js';
import { unpack } from './unpack.js';
import { normaliseZip } from './zip-normalise.js';

export const createArchives = (): Archives => ({ unpack, pack, normaliseZip });
