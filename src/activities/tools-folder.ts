import type { Env } from '../model/params.js';

/** Folder of Slipway's own programs (uv, auditwheel, their Python), first on every step's PATH. */
export const toolsFolder = (env: Env): string => (env['PATH'] ?? '').split(':')[0] ?? '';
