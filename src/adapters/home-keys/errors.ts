import type { Problem } from '../../model/failure.js';

export const keyTooOpen = (path: string, mode: number): Problem => ({
  code: 'HOME_KEY_TOO_OPEN',
  class: 'config',
  message: `other users may read or replace the key ${path}: its mode is ${(mode & 0o777).toString(8)}`,
  next: `Type \`chmod 600 ${path}\`. Remove the key and its .pub file instead if another user may have read it; \`slipway up\` makes new ones.`,
});

export const keyNotOurs = (path: string): Problem => ({
  code: 'HOME_KEY_NOT_OURS',
  class: 'config',
  message: `the key ${path} belongs to another user`,
  next: "Copy the keys into a folder of this user's own and name it in SLIPWAY_KEYS.",
});

export const keyUnreadable = (path: string, why: string): Problem => ({
  code: 'HOME_KEY_UNREADABLE',
  class: 'config',
  message: `${path} is no Ed25519 key in PEM: ${why}`,
  next: 'Copy it again from the home that made it, or remove the key and its .pub file: `slipway up` makes new ones.',
});
