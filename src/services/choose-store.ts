import { mkdirSync } from 'node:fs';
import { readChoice, writeChoice } from '../adapters/store/choice.js';
import { fail } from '../model/failure.js';
import { down } from './down.js';
import { storeKindUnknown } from './errors.js';
import { supervisor } from './lock.js';

/** Sets the store of this home. Stops everything first, because running workers keep their store. */
export async function chooseStore(home: string, kind: string, onLine: (line: string) => void): Promise<void> {
  if (kind !== 's3' && kind !== 'directory') throw fail(storeKindUnknown(kind));
  if (readChoice(home).kind === kind) return;
  mkdirSync(home, { recursive: true });
  if (supervisor(home) !== null) {
    onLine(`the store is to be ${kind}: starting again`);
    await down(home, onLine);
  }
  writeChoice(home, { kind });
}
