import { placed, type Problem } from '../model/failure.js';
import type { StepId } from '../model/ids.js';
import { isBesides, onlyOf } from '../model/only.js';
import type { Given } from '../model/plan.js';
import { keysOf, type When } from './changed/whens.js';
import { entriesOf, type Entry, MADE_SECTIONS } from './entries.js';
import { problems } from './errors.js';
import type { ReadFile } from './read/release-file.js';

/** Returns the file with the reasons of entries that `--skip`, `--only` and `when` leave out. They stay in its content: others
 * keep their axes and their order. Adds every problem to `found`. */
export function withLeftOut(file: ReadFile, given: Given, found: Problem[]): ReadFile {
  const { skip = [] } = given;
  const only = onlyOf(given);
  const all = MADE_SECTIONS.flatMap((section) =>
    Object.entries(entriesOf(file.content, section)).map(([name, entry]) => ({ id: `${section}/${name}`, entry })),
  );
  found.push(...unknownIn(file, given));
  const assumed = all.flatMap(({ id, entry }): [StepId, string][] => {
    const { when } = entry;
    if (skip.includes(id)) return [[id, '--skip names it']];
    if (isBesides(only, id)) return [[id, '--only does not name it']];
    if (typeof when === 'object') {
      const because = only.includes(id) ? null : whyUntouched(entry, when.changed, file);
      return because === null ? [] : [[id, because]];
    }
    const because = when === undefined ? null : whyNot(when, id, file, found);
    if (because !== null && only.includes(id)) found.push(onlyLeftOut(id, because));
    return because === null ? [] : [[id, because]];
  });
  return assumed.length === 0 ? file : { ...file, assumed: Object.fromEntries(assumed) };
}

function whyUntouched(
  entry: Entry,
  changed: When['changed'],
  { content, unchanged = new Map() }: ReadFile,
): string | null {
  const known = keysOf(entry, changed, content).find((key) => unchanged.has(key));
  return unchanged.get(known ?? '') ?? null;
}

/** Returns a problem for each id of `--skip` and `--only` that no entry has. */
export function unknownIn(file: ReadFile, given: Given): readonly Problem[] {
  const known = MADE_SECTIONS.flatMap((section) =>
    Object.keys(entriesOf(file.content, section)).map((name) => `${section}/${name}`),
  );
  return Object.entries({ '--skip': given.skip ?? [], '--only': onlyOf(given) }).flatMap(([option, ids]) =>
    ids.filter((id) => !known.includes(id)).map((id) => fault(option, id, known, file)),
  );
}

const onlyLeftOut = (id: string, because: string): Problem => ({
  code: 'ONLY_LEFT_OUT',
  class: 'config',
  message: `--only names ${id}, which its \`when\` leaves out: ${because}`,
  next: 'Choose a preset or a `--set` that makes this value true, or take the id out of --only.',
});

function fault(option: string, id: string, known: readonly string[], { content }: ReadFile): Problem {
  const [section = '', name = ''] = id.split('/');
  const isThere = Object.hasOwn(entriesOf(content, section), name) && !MADE_SECTIONS.includes(section);
  return isThere ? problems.notLeftOut({}, option, id, MADE_SECTIONS) : problems.unknownEntry({}, option, id, known);
}

/** Why `when: PATH` leaves an entry out. Null: it does not, or the value is a problem. */
function whyNot(path: string, id: string, { settings, at }: ReadFile, found: Problem[]): string | null {
  const spot = at([...id.split('/'), 'when']);
  const said = settings?.value(path) ?? problems.withoutSettings({}, `when: ${path}`);
  if ('code' in said) {
    found.push({ ...said, class: 'config', ...spot });
    return null;
  }
  const { value, from } = said;
  const word = `${settings!.word}.${path}`;
  if (value === false || value === null) return `${word} is ${value} (${placed(from)})`;
  if (value !== true) found.push(problems.whenNotBoolean(spot, word, value, placed(from)));
  return null;
}
