import type { Change } from './changes.js';
import { duration } from './duration.js';
import { plain } from './paint.js';

/** `2026-11-21T11:05:37Z done     wheels/skiff/cp312/linux-x86_64  12.3 s  manylinux_2_34, 61 files`. */
export function plainLine(change: Change): string {
  const parts = [
    change.step ?? 'run',
    change.attempt === undefined ? '' : `attempt ${change.attempt}`,
    change.ms === undefined ? '' : duration(change.ms),
    change.code === undefined ? '' : `${change.code}: ${change.message ?? ''}`,
    change.firstError === undefined ? '' : `first error: ${change.firstError}`,
    change.note ?? '',
  ];
  const time = change.at.replace(/\.\d+Z$/, 'Z');
  return plain(`${time} ${change.state.padEnd(11)} ${parts.filter((part) => part !== '').join('  ')}`);
}
