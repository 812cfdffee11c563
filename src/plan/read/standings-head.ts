import { readYaml } from './document.js';

/** Name of a file's pipeline or release, and the branch of its standings, read without schemas: those take longer to load than all the
 * rest of `slipway tests`. Null for a file that does not have both in their form; the schema then says what is wrong. */
export function standingsHead(text: string, file: string): { readonly name: string; readonly branch: string } | null {
  const source = readYaml(text, file);
  if (!('value' in source)) return null;
  const content = mapIn(source.value);
  const { name } = mapIn(content['pipeline'] ?? content['release']);
  const { branch } = mapIn(content['standings']);
  return isText(name) && NAME.test(name) && isText(branch) ? { name, branch } : null;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

const mapIn = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= 120;
