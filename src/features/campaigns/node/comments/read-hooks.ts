import { join } from 'node:path';
import { utf8 } from '../../../../adapters/facts/release-text.js';
import { readHooks } from '../../pure/comments/hooks.js';
import type { Hooks } from '../../schemas/hooks.js';

export const hooksFile = (home: string): string => join(home, 'hooks.yaml');

/** Reads `hooks.yaml` of a home. Throws all its problems. */
export const hooksOf = async (home: string): Promise<Hooks> =>
  readHooks(await utf8(hooksFile(home), hooksFile(home)), hooksFile(home)).content;
