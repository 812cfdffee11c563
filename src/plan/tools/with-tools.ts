import { CONTROL, entryOf, type StepId } from '../../model/ids.js';
import { KINDS } from '../../model/kinds.js';
import type { Step } from '../../model/plan.js';
import { Version } from '../../model/schema/scalars.js';
import { closest } from '../../model/suggest.js';
import type { Context } from '../context.js';
import { entriesOf, MADE_SECTIONS } from '../entries.js';
import { plannedStep } from '../planned-step.js';
import type { PlannedStep } from '../stage.js';
import { problems } from './errors.js';
import { isReserved } from './reserved.js';

/** Adds a step that fetches each tool of `tools:` for each machine, and the needs of the steps that name it. A proof does not ask
 * workers for such a tool. */
export function withTools(drafts: readonly PlannedStep[], context: Context): readonly PlannedStep[] {
  const { tools } = context.release;
  checkNames(Object.keys(tools), context);
  const versions = Object.fromEntries(Object.keys(tools).map((name) => [name, versionOf(name, context)]));
  const fetched = new Map<StepId, PlannedStep>();
  const all = drafts.map((draft) => {
    const named = draft.tools.filter((name) => Object.hasOwn(tools, name));
    if (named.length === 0) return draft;
    const made = named.map((name) => fetching(name, versions[name]!, draft.step, context));
    for (const one of made) fetched.set(one.step.id, one);
    const others = (names: readonly string[]): readonly string[] => names.filter((name) => !named.includes(name));
    const { needs, uses } = draft.step;
    const used = uses && { uses: { ...uses, tools: others(uses.tools) } };
    const step = { ...draft.step, needs: [...needs, ...made.map((one) => one.step.id)], ...used };
    return { ...draft, step, tools: others(draft.tools) };
  });
  return [...fetched.values(), ...all];
}

function checkNames(known: readonly string[], context: Context): void {
  for (const name of known.filter(isReserved))
    context.complain(problems.nameReserved(context.at(['tools', name], 'key'), name));
  // A name that is hardly like one of the file is a program of the worker: `make` is not `cmake`.
  const isMisspelt = (name: string): boolean =>
    !known.includes(name) && !isReserved(name) && closest(name, known)?.[0] === name[0];
  for (const section of MADE_SECTIONS)
    for (const [entry, { tools = [], after = [] }] of Object.entries(entriesOf(context.release, section))) {
      for (const name of tools.filter(isMisspelt))
        context.complain(problems.unknown(context.at([section, entry, 'tools', tools.indexOf(name)]), name, known));
      // Its steps follow from other steps, so none of the drafts is one of them.
      for (const name of after.length === 0 ? [] : tools.filter((one) => known.includes(one)))
        context.complain(problems.notHere(context.at([section, entry, 'tools']), name, `${section}/${entry}`));
    }
}

/** Returns the version of a tool, as written or as the only line of a file of the commit. Complains about any other file. */
function versionOf(tool: string, { release, facts: { git }, at, complain }: Context): string {
  const { version } = release.tools[tool]!;
  if (typeof version === 'string') return version;
  const text = git?.files[version.file];
  const lines = text?.replace(/\r?\n$/, '').split('\n') ?? [];
  if (lines.length === 1 && Version.safeParse(lines[0]).success) return lines[0]!;
  const absent = git === null ? 'the source is an sdist' : `commit ${git.commit.slice(0, 12)} has no such file`;
  const wrong = lines.length > 1 ? `it has ${lines.length} lines` : `${JSON.stringify(lines[0]?.slice(0, 80))} is none`;
  const why = typeof text === 'string' ? wrong : absent;
  complain(problems.versionUnreadable(at(['tools', tool, 'version', 'file']), version.file, why));
  return '0';
}

/** Returns the step that fetches a tool for the machine of a step. Complains if it has no digest, or the step takes none. */
function fetching(tool: string, says: string, step: Step, context: Context): PlannedStep {
  const { version, at, sha256 } = context.release.tools[tool]!;
  const [machine, entry] = [machineOf(step, context), entryOf(step.id)];
  if (!takesTools(step)) context.complain(problems.notHere(context.at([...entry.split('/'), 'tools']), tool, entry));
  else if (!Object.hasOwn(sha256, machine))
    context.complain(
      problems.withoutDigest(context.at(['tools', tool, 'sha256']), tool, machine, entry, Object.keys(sha256)),
    );
  const filled = context.text(at, { version: says, platform: machine }, ['tools', tool, 'at']);
  const file = typeof version === 'string' ? null : version.file;
  const params = { tool, says, file, machine, at: filled, sha256: sha256[machine] ?? '' };
  return plannedStep('fetchTool', { id: `tools/${tool}/${machine}`, on: CONTROL, params });
}

/** Returns what the machines of a step's queue are, as config/platforms.yaml names it: of `gpu`, by the first platform built there. */
function machineOf({ on, axes }: Step, { facts: { platforms }, platformFacts }: Context): string {
  const row = Object.values(platforms).find(({ queue }) => queue === on);
  if (Object.hasOwn(platforms, on)) return on;
  return row === undefined ? platformFacts(axes).name : `${row.os}-${row.arch}`;
}

/** Whether a step runs commands of its entry, all of them confined. A step that holds keys calls programs by their names. */
function takesTools({ kind, params }: Step): boolean {
  const { cache, changes, runs } = KINDS[kind];
  const { in: place, builder } = params as { readonly in?: unknown; readonly builder?: unknown };
  return runs !== 'own' && cache === 'pure' && changes === 'folder' && place !== 'image' && builder !== 'cibuildwheel';
}
