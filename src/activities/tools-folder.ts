import type { Env } from '../model/params.js';

/** Where our own programs stand (uv, auditwheel, their Python): first on the PATH of every step. */
export const toolsFolder = (env: Env): string => (env['PATH'] ?? '').split(':')[0] ?? '';
