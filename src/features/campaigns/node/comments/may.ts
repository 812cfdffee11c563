import type { TrackerConnection } from '../../../../activities/reports/ports.js';
import type { Problem } from '../../../../model/failure.js';
import { type Comment, lastPushOf, permissionOf, type Pull } from '../github/comments.js';
import type { Hooks } from '../../pure/comments/hooks.js';
import { problems } from './errors.js';

const RANKS = ['none', 'read', 'triage', 'write', 'maintain', 'admin'];

/** Why this person may not start runs. Null: may. */
export async function whyNot(to: TrackerConnection, { allow }: Hooks, user: string): Promise<Problem | null> {
  if ('users' in allow) {
    const isListed = allow.users.some((one) => one.toLowerCase() === user.toLowerCase());
    return isListed ? null : problems.stranger(user, 'not listed', 'a place in `allow`');
  }
  const has = await permissionOf(to, user);
  return RANKS.indexOf(has) >= RANKS.indexOf(allow.permission) ? null : problems.stranger(user, has, allow.permission);
}

/** Why the head of a pull request is not run for a comment. Null: it is. */
export async function whyNotHead(to: TrackerConnection, hooks: Hooks, pull: Pull, comment: Comment): Promise<Problem | null> {
  if (!pull.open) return problems.closed(pull.number);
  const isFork = pull.from?.repository.toLowerCase() !== hooks.repository.toLowerCase();
  if (isFork && hooks.forks === 'refuse') return problems.fork(pull.from?.repository ?? 'a repository that was deleted');
  const wasPushed = pull.from === null || (pull.from.pushed > comment.created && (await isPushed(to, pull.from, comment)));
  return wasPushed ? problems.pushed(pull.head) : null;
}

/** Something was pushed to the repository of the head. True unless it is known to be another branch. */
async function isPushed(to: TrackerConnection, from: NonNullable<Pull['from']>, { created }: Comment): Promise<boolean> {
  const last = await lastPushOf(to, from);
  return last === null || last > created;
}
