import { fileURLToPath } from 'node:url';

const ADDRESS = /^(https?:\/\/|ssh:\/\/|git:\/\/|[\w.-]+@[\w.-]+:|[\w-]+\.[\w.-]+:)/;

/** Whether a text names a repository of another machine. Otherwise it is a path. */
export const isAddress = (text: string): boolean => ADDRESS.test(text);

export const pathIn = (text: string): string => (text.startsWith('file://') ? fileURLToPath(text) : text);

/** Whether an address carries a password or a token. A user alone is none: git@host. */
export function hasPassword(address: string): boolean {
  if (!/^https?:\/\//.test(address) || !URL.canParse(address)) return false;
  const { username, password } = new URL(address);
  return username !== '' || password !== '';
}
