import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Hooks } from '../../pure/comments/hooks.js';

export const hooksFile = (home: string): string => join(home, 'hooks.yaml');

export const readHooks = async (home: string): Promise<Hooks> => parse(await readFile(hooksFile(home), 'utf8')) as Hooks;
