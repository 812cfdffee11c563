import type { TrackerConnection } from '../../../../activities/reports/ports.js';
import { mayStart } from '../../pure/comments/hooks.js';
import type { Refusal } from '../../pure/comments/reply.js';
import type { Hooks } from '../../schemas/hooks.js';
import { type Comment, lastPushOf, permissionOf, type Pull } from '../github/comments.js';

/** Whether a person may start runs. */
export const may = async (to: TrackerConnection, hooks: Hooks, login: string): Promise<boolean> =>
  login !== '' && mayStart(hooks, login, Array.isArray(hooks.allow) ? null : await permissionOf(to, login));

/** Why the head of a pull request is not run for a comment. Null: it is. */
export async function whyNotHead(
  to: TrackerConnection,
  { repository, forks }: Hooks,
  { open, from }: Pull,
  { created }: Comment,
): Promise<Refusal | null> {
  if (!open) return 'closed';
  if (forks === 'refuse' && from?.repository.toLowerCase() !== repository.toLowerCase()) return 'fork';
  if (from === null) return 'pushed';
  if (from.pushed < created) return null;
  // Something was pushed since or in that second, perhaps to another branch.
  const last = await lastPushOf(to, from);
  return last === '' || last >= created ? 'pushed' : null;
}
