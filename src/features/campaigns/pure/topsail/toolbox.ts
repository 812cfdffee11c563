import type { CommitAsk, ImportFacts } from '../../../../importers/asks.js';
import type { Complain } from '../../../../importers/file-problem.js';
import { readDoc } from '../../../../importers/pyyaml/read.js';
import { EMPTY, isDict, type Dict, type Tree } from '../../../../importers/pyyaml/tree.js';
import type { Problem, SourceLocation } from '../../../../model/failure.js';
import { problems } from './errors.js';
import { keyOf, render, type Rendered } from './template/render.js';
import { valueOf } from './template/values.js';

/** Arguments of each command, by `[prefix/]group command[/suffix]`. */
export interface Toolbox extends Pick<Rendered, 'references'> {
  readonly file: string;
  readonly commands: Dict;
  /** Returns the place in the template of a position in the rendered text. */
  place(at: number): SourceLocation;
}

/** A template of arguments at the commit. Null: there is none. */
export type Template = { readonly file: string; readonly text: string } | null;

/** Returns the template beside a file of configuration, or questions about the commit. Two templates are a problem. */
export function templateBeside(
  file: string,
  facts: Pick<ImportFacts, 'text'>,
  complain: Complain,
): { readonly asks: readonly CommitAsk[] } | { readonly paths: readonly string[]; readonly found: Template } {
  const folder = file.slice(0, file.lastIndexOf('/') + 1);
  const paths = ['yml', 'yaml'].map((ending) => `${folder}command_args.${ending}.j2`);
  const unknown = paths.filter((path) => facts.text[path] === undefined);
  if (unknown.length > 0) return { asks: unknown.map((path) => ({ ask: 'text', path })) };
  const found = paths.flatMap((path) => {
    const text = facts.text[path] ?? null;
    return text === null ? [] : [{ file: path, text }];
  });
  if (found.length > 1) complain(problems.twoTemplates({ file: paths[1]! }, paths));
  return { paths, found: found[0] ?? null };
}

/** Renders a template with each configuration. Returns the problems of each; one of the first is not repeated. */
export function lintTemplate(template: NonNullable<Template>, trees: readonly Tree[]): readonly (readonly Problem[])[] {
  const known = new Set<string>();
  return trees.map((tree, index) => {
    const found: Problem[] = [];
    openToolbox(template, tree, (one) => found.push(one));
    const own = found.filter((one) => !known.has(keyOf(one)));
    if (index === 0) for (const one of own) known.add(keyOf(one));
    return own;
  });
}

/** Renders a template with a configuration and reads the result as PyYAML does. Null: it has problems. */
export function openToolbox(template: NonNullable<Template>, document: Tree, complain: Complain): Toolbox | null {
  const { text, problems: found, placeOf, references } = render(template.text, template.file, valueOf(document));
  found.forEach(complain);
  if (text === null) return null;
  const inTemplate = ({ line = 1 }: SourceLocation): SourceLocation => placeOf(line);
  const doc = readDoc(text, template.file, (one) =>
    complain({ ...one, ...(one.place && { place: inTemplate(one.place) }) }),
  );
  if (doc === null) return null;
  const place = (at: number): SourceLocation => inTemplate(doc.place(at));
  const isEmpty = doc.tree.kind === 'scalar' && doc.tree.type === 'null';
  if (!isEmpty && !isDict(doc.tree)) complain(problems.noMap(place(doc.tree.at), template.file));
  return { file: template.file, commands: isDict(doc.tree) ? doc.tree : EMPTY, place, references };
}
