import type { Problem } from '../model/failure.js';
import type { StepId } from '../model/ids.js';
import { isBesides, onlyOf } from '../model/only.js';
import type { Given } from '../model/plan.js';
import { RETRIED_SECTIONS } from '../model/schema/run-retries.js';
import { entriesOf } from './entries.js';
import { problems } from './errors.js';
import { placeText } from './expanded.js';
import type { ReadFile } from './read/release-file.js';

/** Sections whose entries may be left out. What is published is the point of a release. */
const SECTIONS: readonly string[] = RETRIED_SECTIONS.filter((section) => section !== 'publish');

/** Returns the file with the reasons of entries that `--skip`, `--only` and `when` leave out. They stay in its content: others
 * keep their axes and their order. Adds every problem to `found`. */
export function withLeftOut(file: ReadFile, given: Given, found: Problem[]): ReadFile {
  const { skip = [] } = given;
  const only = onlyOf(given);
  const all = SECTIONS.flatMap((section) =>
    Object.entries(entriesOf(file.content, section)).map(([name, entry]) => ({
      when: entry.when,
      id: `${section}/${name}`,
    })),
  );
  const known = all.map(({ id }) => id);
  for (const [option, ids] of [
    ['--skip', skip],
    ['--only', only],
  ] as const)
    found.push(...ids.flatMap((id) => (known.includes(id) ? [] : fault(option, id, known, file))));
  const skipped = new Set(skip);
  const assumed = all.flatMap(({ id, when }): [StepId, string][] => {
    if (skipped.has(id)) return [[id, '--skip names it']];
    if (isBesides(only, id)) return [[id, '--only does not name it']];
    const because = when === undefined ? null : whyNot(when, id, file, found);
    return because === null ? [] : [[id, because]];
  });
  return assumed.length === 0 ? file : { ...file, assumed: Object.fromEntries(assumed) };
}

function fault(option: string, id: string, known: readonly string[], { content }: ReadFile): Problem {
  const [section = '', name = ''] = id.split('/');
  const isThere = Object.hasOwn(entriesOf(content, section), name) && !SECTIONS.includes(section);
  return isThere ? problems.notLeftOut({}, option, id, SECTIONS) : problems.unknownEntry({}, option, id, known);
}

/** Why `when: PATH` leaves an entry out. Null: it does not, or the value is a problem. */
function whyNot(path: string, id: string, { settings, at }: ReadFile, found: Problem[]): string | null {
  const spot = at([...id.split('/'), 'when']);
  if (settings === undefined) {
    found.push(problems.whenWithoutSettings(spot, path));
    return null;
  }
  const said = settings.value(path);
  if ('code' in said) {
    found.push({ ...said, class: 'config', ...spot });
    return null;
  }
  const { value, from } = said;
  const word = `${settings.word}.${path}`;
  if (value === false || value === null) return `${word} is ${value} (${placeText(from)})`;
  if (value !== true) found.push(problems.whenNotBoolean(spot, word, value, placeText(from)));
  return null;
}
