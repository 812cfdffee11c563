import type { Outlet } from '../model/listener.js';
import type { Plan } from '../model/plan.js';
import { type Announce, type Notify, Remind } from '../model/schema/sections/notify.js';
import { readFiles } from './bundle.js';
import type { Context } from './context.js';
import { withVars } from './entry.js';
import type { Path } from './errors.js';

/** Returns the listeners of a release. Null if the file names none. */
export function listenersOf(context: Context): NonNullable<Plan['notify']> | null {
  const { notify, remind } = context.release;
  const listeners = Object.keys(notify)
    .sort()
    .map((name) => {
      const { on, rehearsal, ...entry } = notify[name]!;
      return { name, on: [...new Set(on)].sort(), rehearsal, ...outletOf(entry, ['notify', name], context) };
    });
  complainOfReminders(listeners, context);
  if (listeners.length === 0) return null;
  return { listeners, remind: { afterMs: remind.after, everyMs: remind.every } };
}

/** Complains about `remind` without a listener for reminders. */
function complainOfReminders(listeners: readonly Pick<Notify, 'on'>[], context: Context): void {
  const isSaid = JSON.stringify(context.release.remind) !== JSON.stringify(Remind.parse({}));
  if (!isSaid || listeners.some(({ on }) => on.includes('reminder'))) return;
  context.needsThat(
    ['remind'],
    'no entry of "notify" is told of reminders',
    'Name `reminder` in `on` of an entry of `notify`, or take `remind` away.',
  );
}

type Entry = Pick<Announce | Notify, 'webhook' | 'command' | 'headers' | 'secrets'>;

/** Returns the outlet of a listener and its bundle files. */
export function outletOf(
  { webhook, command, headers, secrets }: Entry,
  path: Path,
  context: Context,
): { readonly outlet: Outlet; readonly files: readonly string[] } {
  const strangers = webhook === undefined ? { headers } : { secrets };
  for (const [key, value] of Object.entries(strangers))
    if (Object.keys(value).length > 0)
      context.needsThat(
        [...path, key],
        `"${key}" is for a ${webhook === undefined ? 'webhook' : 'command'}, and this is a ${webhook === undefined ? 'command' : 'webhook'}`,
        'Take it away.',
      );
  if (webhook !== undefined) return { outlet: { by: 'webhook', url: webhook, headers }, files: [] };
  const { line, vars } = context.line(command ?? '', {}, [...path, 'command'], ['files']);
  return {
    outlet: { by: 'command', line, ...withVars(vars), secrets },
    files: readFiles(undefined, [command], path, context),
  };
}
