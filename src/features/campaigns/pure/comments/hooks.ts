import type { Plan } from '../../../../model/plan.js';
import type { Problem } from '../../../../model/failure.js';
import { readChecked, type ReadFile } from '../../../../plan/read/release-file.js';
import { Hooks } from '../../schemas/hooks.js';

/** Parses `hooks.yaml`. Throws all problems at once, each with file, line and column.
 * @param path of the file, for messages */
export const readHooks = (text: string, path: string): ReadFile<Hooks> => readChecked(text, path, Hooks);

/** What GitHub answers about a user: `GET /repos/REPO/collaborators/LOGIN/permission`. Null: it knows no such user. */
export interface Permission {
  /** admin, write, read or none. */
  readonly permission: string;
  /** The role: maintain and triage too, or a name that the organisation made. */
  readonly role: string;
}

/** True if the rule is a permission: then GitHub is asked for each commenter. */
export declare function asksPermission(hooks: Hooks): boolean;
/** Whether a person may start runs. */
export declare function mayStart(hooks: Hooks, login: string, permission: Permission | null): boolean;
/** Where git fetches commits of pull requests. */
export declare function gitAddressOf(hooks: Hooks): string;
/** Why a comment may not start this plan: it is a release that is no rehearsal. Null if it may. */
export declare function notForComments(plan: Pick<Plan, 'pipeline' | 'profile'>, job: string): Problem | null;
