import { normalName, parseWheelName } from '../../model/python/file-name.js';
import type { Item } from '../publish/ports.js';

export interface ListedWheel {
  readonly project: string;
  readonly version: string;
  readonly item: Item;
}

/** Returns wheels in rounds. No round has a project twice: an environment holds one version of it. */
export function roundsOf(items: readonly Item[]): readonly (readonly ListedWheel[])[] {
  const rounds: ListedWheel[][] = [];
  const turns = new Map<string, number>();
  for (const item of items) {
    const { project, version } = parseWheelName(item.name.split('/').at(-1)!)!;
    const turn = turns.get(normalName(project)) ?? 0;
    turns.set(normalName(project), turn + 1);
    (rounds[turn] ??= []).push({ project, version, item });
  }
  return rounds;
}

/** Requirements that only these bytes satisfy. */
export const pinned = (wheels: readonly ListedWheel[]): string =>
  wheels
    .map(({ project, version, item }) => `${project}==${version} --hash=${item.artifact.digest}\n`)
    .sort()
    .join('');

/** Imports the top modules of each project. A module of another project that is absent is no failure: nothing but the
 * wheels themselves is installed. Nor is a private module that itself raises ModuleNotFoundError: `_yaml` of PyYAML
 * does so in a wheel without libyaml. */
export const IMPORT = `
import importlib, importlib.metadata as metadata, sys
def chain(error):
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
def tops(dist):
    said = (dist.read_text('top_level.txt') or '').split()
    names = set()
    for file in dist.files or []:
        parts = file.parts
        if len(parts) == 2 and parts[1] == '__init__.py': names.add(parts[0])
        if len(parts) == 1 and file.suffix in ('.py', '.so'): names.add(parts[0].split('.')[0])
    return sorted(name for name in names if name.isidentifier() and (not said or name in said))
failed = []
for project in sys.argv[1:]:
    names = tops(metadata.distribution(project))
    for name in names:
        print('importing', name, 'of', project, flush=True)
        try:
            importlib.import_module(name)
        except BaseException as error:
            lacks = [one.name.split('.')[0] for one in chain(error) if isinstance(one, ModuleNotFoundError) and one.name]
            if lacks and all(one not in names for one in lacks): print(name, 'needs', ', '.join(lacks))
            elif isinstance(error, ModuleNotFoundError) and error.name is None and name.startswith('_'): print(name, 'says that it is absent:', error)
            else: failed.append(f'{project}: import {name}: {type(error).__name__}: {error}')
print('\\n'.join(failed))
sys.exit(1 if failed else 0)
`;
