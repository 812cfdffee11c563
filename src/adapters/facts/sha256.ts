import { createHash } from 'node:crypto';
import type { Hash } from '../../model/digest.js';

export const sha256: Hash = (text) => `sha256:${createHash('sha256').update(text).digest('hex')}`;
