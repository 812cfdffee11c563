import { SIDECAR, STATEMENT } from '../../model/python/index-entry.js';
import type { Defect, WheelKey } from './check.js';

/** Actions of a repair of an index. */
export interface Repairs {
  /** Wheels whose sidecar or entry is derived. */
  readonly wheels: readonly WheelKey[];
  /** `PLATFORM/PROJECT` whose pages are drawn, sorted. */
  readonly names: readonly string[];
}

/** Returns what mends those defects that can be mended.
 * @param projects `PLATFORM/PROJECT` of all wheels of the index */
export function repairsOf(defects: readonly Defect[], projects: readonly string[]): Repairs {
  const mended = defects.filter(({ repair }) => repair !== null);
  const derived = mended.filter(({ repair }) => repair !== 'pages').map(({ subject }) => wheelAt(subject));
  const wheels = [...new Map(derived.map((one) => [`${one.platform}/${one.file}`, one])).values()];
  const pages = mended.filter(({ repair }) => repair === 'pages').flatMap(({ subject }) => drawnBy(subject, projects));
  const names = [...pages, ...wheels.map(({ platform, project }) => `${platform}/${project}`)];
  return { wheels, names: [...new Set(names)].sort() };
}

/** The wheel that a path is of: of its file, of one beside it, or of its entry. */
function wheelAt(path: string): WheelKey {
  const [platform = '', area = '', project = '', name = ''] = path.split('/');
  const ends = area === 'entries' ? ['.json'] : [SIDECAR, STATEMENT];
  const end = ends.find((one) => name.endsWith(one)) ?? '';
  return { platform, project, file: name.slice(0, name.length - end.length) };
}

/** A page of one project is drawn with it, and expired bytes leave with it. Root and roll-up are read anew with all projects. */
function drawnBy(path: string, projects: readonly string[]): readonly string[] {
  const [platform = '', area, project = '', page, marked] = path.split('/');
  if (area === 'due') return page === undefined || marked === undefined ? [] : [`${platform}/${page}`];
  return page === undefined ? projects.filter((name) => name.startsWith(`${platform}/`)) : [`${platform}/${project}`];
}
