import type { Given } from '../../model/plan.js';
import { gitSourceOf } from '../../plan/git-source.js';
import { ownWheels } from '../../plan/own-wheels.js';
import type { ReadFile } from '../../plan/read/release-file.js';

interface Asked {
  readonly file: ReadFile;
  readonly given: Given;
}

/** Returns the file at the commit of a bisect, which also every taken wheel is of, or at the commit of a comment, which its source
 * alone is of. Such a run keeps no standings and reports nothing; that of a bisect tells nobody. Returns the same if no commit is
 * given. */
export function atCommit(file: ReadFile, given: Given): Asked {
  const { commit } = given;
  if (commit === undefined) return given.source === undefined ? { file, given } : atSource(file, given, given.source);
  const { standings: _, ...content } = file.content;
  const source = gitSourceOf(content);
  const taken = ownWheels(content).filter(([, { from }]) => from !== undefined);
  const isLed = source !== null && taken.some(([name]) => source.commit === `wheels/${name}`);
  return {
    file: {
      ...file,
      content: {
        ...{ ...content, notify: {}, reports: {} },
        source: source !== null && !isLed ? { ...source, commit } : content.source,
      },
    },
    given: taken.length === 0 ? given : { ...given, wheels: Object.fromEntries(taken.map(([name]) => [name, commit])) },
  };
}

function atSource(file: ReadFile, given: Given, commit: string): Asked {
  const { standings: _, ...content } = file.content;
  const source = gitSourceOf(content);
  if (source === null) return { file, given };
  return { file: { ...file, content: { ...content, reports: {}, source: { ...source, commit } } }, given };
}
