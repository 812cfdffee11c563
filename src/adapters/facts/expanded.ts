import type { Past } from '../../activities/plan/ports.js';
import { makesOf } from '../../model/id-prefixes.js';
import type { Given } from '../../model/plan.js';
import { expandedText } from '../../plan/expanded.js';
import type { SourceFacts } from './imports.js';
import { gatherFacts } from './index.js';
import { readReleaseText } from './release-text.js';

/** The text of a release file with imported entries in place of their imports. */
export async function expanded(
  file: string,
  profile: string,
  given: Given | undefined,
  before: SourceFacts | null,
  past?: Past,
): Promise<string> {
  const { text } = await readReleaseText(file, process.cwd());
  const { imported, file: whole } = await gatherFacts(file, profile, process.cwd(), given, past, before);
  const only = given?.tests?.only;
  const isWanted = (id: string): boolean => only === undefined || makesOf(id) !== 'tests' || only.includes(id);
  const wanted = Object.entries(imported).map(([id, entries]) => {
    const [section] = id.split('/');
    return [id, entries.filter(({ name }) => isWanted(`${section}/${name}`))] as const;
  });
  return expandedText(text, Object.fromEntries(wanted), whole.content.bases);
}
