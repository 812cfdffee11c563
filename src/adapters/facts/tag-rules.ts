import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TagRules } from '../../model/schema/tags.js';
import { readChecked, type ReadFile } from '../../plan/read/release-file.js';
import { packageRoot } from '../home.js';

/** Reads the tag rules that images name, beside the release file or else from Slipway's config/tags. */
export async function readTagRules({ content }: ReadFile, folder: string): Promise<Readonly<Record<string, TagRules>>> {
  const named = Object.values(content.images).flatMap(({ tags }) =>
    typeof tags === 'string' ? [tags] : 'rules' in tags ? [tags.rules] : [],
  );
  const read = [...new Set(named)].map(async (file) => [file, await rulesOf(file, folder)] as const);
  return Object.fromEntries((await Promise.all(read)).flatMap(([file, rules]) => (rules ? [[file, rules]] : [])));
}

async function rulesOf(file: string, folder: string): Promise<TagRules | null> {
  const own = await textOf(join(folder, file));
  const text = own ?? (file.startsWith('config/tags/') ? await textOf(join(packageRoot(), file)) : null);
  return text === null ? null : readChecked(text, file, TagRules).content;
}

const textOf = (path: string): Promise<string | null> => readFile(path, 'utf8').catch(() => null);
