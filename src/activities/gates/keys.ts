import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { fail } from '../../model/failure.js';
import type { GateRules, Signer } from '../../model/gate.js';
import type { Plan } from '../../model/plan.js';
import type { Store } from '../ports.js';
import { readText } from '../read-text.js';
import { keyUnreadable } from './errors.js';

export interface ListedKey extends Signer {
  /** A line of type, key, comment. */
  readonly line: string;
}

/** Reads the approvers' public keys from the plan's bundle. Throws APPROVER_KEY_UNREADABLE. */
export async function keysOf(rules: GateRules, plan: Plan, store: Store): Promise<readonly ListedKey[]> {
  return Promise.all(
    rules.approvers.map(async ({ group, key }) => {
      const file = plan.bundle.find(({ path }) => path === key);
      return readKey(file ? await readText(store, file.digest) : '', group, key);
    }),
  );
}

const TYPES = /^(ssh-|ecdsa-sha2-|sk-)[A-Za-z0-9@.-]+$/;

export function readKey(text: string, group: string, key: string): ListedKey {
  const line =
    text
      .split('\n')
      .find((one) => one.trim() !== '' && !one.startsWith('#'))
      ?.trim() ?? '';
  const [type, blob, ...comment] = line.split(/\s+/);
  if (!TYPES.test(type ?? '') || !/^[A-Za-z0-9+/]+=*$/.test(blob ?? '')) throw fail(keyUnreadable(key));
  const digest = createHash('sha256').update(Buffer.from(blob!, 'base64')).digest('base64').replaceAll('=', '');
  const names = [comment.join(' '), basename(key).replace(/\.pub$/, '')].filter((name) => name !== '');
  return { line: `${type} ${blob}`, group, key, fingerprint: `SHA256:${digest}`, names };
}
