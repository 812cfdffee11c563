import { CONTROL } from '../../model/ids.js';
import { secretName, type Use } from '../../model/secret.js';
import { plain } from '../render/paint.js';

const MOST_USERS = 3;

/** Rows of references that steps look up: the name, where, a remark, and who. */
export function useRows<U extends Use>(
  uses: readonly U[],
  remark?: (use: U) => string,
): readonly (readonly string[])[] {
  const rows = new Map<string, { readonly row: readonly string[]; readonly users: Set<string> }>();
  for (const use of uses) {
    const where = use.on === CONTROL ? 'on control' : 'on build workers';
    const row = [plain(secretName(use.reference)), where, ...(remark ? [remark(use)] : [])];
    const known = rows.get(row.join('\n')) ?? { row, users: new Set() };
    rows.set(row.join('\n'), known);
    known.users.add(use.user);
  }
  return [...rows.values()].map(({ row, users }) => [...row, some([...users])]);
}

const some = (users: readonly string[]): string =>
  `${users.slice(0, MOST_USERS).join(', ')}${users.length > MOST_USERS ? ` and ${users.length - MOST_USERS} more` : ''}`;
