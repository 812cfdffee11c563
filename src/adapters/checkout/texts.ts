import type { Checkout } from '../../model/checkout.js';
import type { Repository } from '../git/index.js';
import { parsedToml } from '../toml.js';

/** Longer files are not read. */
export const LONGEST_BYTES = 256 * 1024;

type Texts = Pick<Checkout, 'texts' | 'toml' | 'broken'>;

/** Reads files of a commit that are not too long, by two runs of git. Absent ones are left out.
 * @param tree `COMMIT:` or `COMMIT:folder/` */
export async function textsOf(repository: Repository, tree: string, paths: readonly string[]): Promise<Texts> {
  const files = await repository.files(tree, new Map(paths.map((path) => [path, LONGEST_BYTES])));
  return withToml(Object.fromEntries([...files].flatMap(([path, { text }]) => (text === null ? [] : [[path, text]]))));
}

/** Parses the TOML files among texts. */
export function withToml(texts: Checkout['texts']): Texts {
  const parsed = Object.entries(texts)
    .filter(([path]) => path.endsWith('.toml'))
    .map(([path, text]) => [path, parsedToml(path, text)] as const);
  return {
    texts,
    toml: Object.fromEntries(parsed.flatMap(([path, { data }]) => (data ? [[path, data]] : []))),
    broken: parsed.flatMap(([, { broken }]) => (broken ? [broken] : [])),
  };
}
