import type { IndexAnswer } from '../asks.js';
import { remembered } from '../remembered.js';
import { type File, isOfVersion, openFiles, type Pin } from './files.js';
import type { Listing, Page } from './verdict.js';

const ABSENT = { state: 'absent' } as const;

/** Returns the page of a project, whose file names are parsed once. A project that was not asked about is absent. */
export function openPages(index: Readonly<Record<string, IndexAnswer>>): (project: string) => Page {
  const filesOf = openFiles();
  return remembered((project): Page => {
    const answer = Object.hasOwn(index, project) ? index[project]! : ABSENT;
    return answer.state === 'files' ? listing(answer.newest, filesOf(project, answer.files)) : answer;
  });
}

/** Files of a version are sought once. */
function listing(newest: readonly string[], files: readonly File[]): Listing {
  const found = new Map<string, readonly File[]>();
  const pinned = (pin: Pin): readonly File[] => {
    const key = `${pin.isText} ${pin.text}`;
    const known = found.get(key) ?? files.filter((file) => isOfVersion(file, pin));
    found.set(key, known);
    return known;
  };
  return { state: 'files', newest, files, pinned };
}
