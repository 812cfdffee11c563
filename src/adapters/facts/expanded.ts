import type { Past } from '../../activities/plan/ports.js';
import { isBesides, onlyOf } from '../../model/only.js';
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
  const only = onlyOf(given ?? {});
  const wanted = Object.entries(imported).map(([id, entries]) => {
    const [section] = id.split('/');
    return [id, entries.filter(({ name }) => !isBesides(only, `${section}/${name}`))] as const;
  });
  return expandedText(text, Object.fromEntries(wanted), whole.content.bases);
}
