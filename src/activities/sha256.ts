import { createHash } from 'node:crypto';
import type { Digest } from '../model/digest.js';

export const sha256 = (text: string): Digest => `sha256:${createHash('sha256').update(text).digest('hex')}`;
