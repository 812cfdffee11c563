import { insideSource } from '../inside-source.js';

/** Folder of upstream's test files; a `working_dir` is below it, `//x` below the top of the source. */
const ROOT = 'release';

export const workingFolder = (named: string): string | null =>
  insideSource(named.startsWith('//') ? named.replace(/^\/+/, '') : `${ROOT}/${named}`);

export const environmentFile = (env: string): string | null =>
  /^[\w.-]+$/.test(env) ? `${ROOT}/ray_release/environments/${env}.env` : null;

export const byodFile = (named: string): string | null => insideSource(`${ROOT}/ray_release/byod/${named}`);
