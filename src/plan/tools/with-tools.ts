import { CONTROL, entryOf, type Queue, type StepId } from '../../model/ids.js';
import { prefixOf } from '../../model/id-prefixes.js';
import { KINDS } from '../../model/kinds.js';
import type { Step } from '../../model/plan.js';
import { closest } from '../../model/suggest.js';
import type { Context } from '../context.js';
import { entriesOf, MADE_SECTIONS } from '../entries.js';
import type { Path } from '../errors.js';
import { plannedStep } from '../planned-step.js';
import type { PlannedStep } from '../stage.js';
import { problems } from './errors.js';
import { isReserved } from './reserved.js';
import { versionOf } from './version.js';

type Versions = Readonly<Record<string, string>>;

/** Adds a step that fetches each tool of `tools:` for each machine, and the needs of the steps that name it. A proof does not ask
 * workers for such a tool. */
export function withTools(drafts: readonly PlannedStep[], context: Context): readonly PlannedStep[] {
  const { tools } = context.release;
  checkNames(context);
  const versions = Object.fromEntries(
    Object.entries(tools).map(([name, tool]) => [name, versionOf(tool, ['tools', name], context)]),
  );
  const fetched = new Map<StepId, PlannedStep>();
  const all = drafts.map((draft) => {
    const named = draft.tools.filter((name) => Object.hasOwn(tools, name));
    if (named.length === 0) return draft;
    const steps = named.flatMap((name) => fetching(name, draft.step, versions, context));
    for (const one of steps) fetched.set(one.step.id, one);
    return needing(draft, named, steps);
  });
  return [...fetched.values(), ...all];
}

function checkNames(context: Context): void {
  const known = Object.keys(context.release.tools);
  for (const name of known.filter(isReserved))
    context.complain(problems.nameReserved(context.at(['tools', name], 'key'), name));
  for (const section of MADE_SECTIONS)
    for (const [entry, { tools = [], after = [] }] of Object.entries(entriesOf(context.release, section)))
      for (const [index, name] of tools.entries()) {
        const spot = context.at([section, entry, 'tools', index]);
        if (isMisspelt(name, known)) context.complain(problems.unknown(spot, name, known));
        // Its steps follow from other steps, so no draft of them is here.
        if (after.length > 0 && known.includes(name))
          context.complain(problems.notHere(spot, name, `${section}/${entry}`));
      }
}

/** Whether a name is so alike one of the file that it hardly means a program of the worker. `make` is not `cmake`. */
const isMisspelt = (name: string, known: readonly string[]): boolean =>
  !known.includes(name) && !isReserved(name) && closest(name, known)?.[0] === name[0];

/** Returns the step that fetches a tool for the machine of a step. None after a problem. */
function fetching(name: string, step: Step, versions: Versions, context: Context): readonly PlannedStep[] {
  const tool = context.release.tools[name]!;
  const machine = machineOf(step.on, context) ?? context.platformFacts(step.axes).name;
  const sha256 = tool.sha256[machine];
  const path = placeOf(name, step, context);
  if (!takesTools(step)) context.complain(problems.notHere(context.at(path), name, entryOf(step.id)));
  else if (sha256 === undefined)
    context.complain(
      problems.withoutDigest(
        context.at(['tools', name, 'sha256'], 'key'),
        name,
        machine,
        entryOf(step.id),
        Object.keys(tool.sha256),
      ),
    );
  const version = versions[name]!;
  return [
    plannedStep('fetchTool', {
      id: `tools/${name}/${machine}`,
      on: CONTROL,
      params: {
        tool: name,
        says: { version, file: typeof tool.version === 'string' ? null : tool.version.file },
        machine,
        at: context.text(tool.at, { version, platform: machine }, ['tools', name, 'at']),
        sha256: sha256 ?? '',
      },
    }),
  ];
}

/** Returns the machines of a queue, as config/platforms.yaml names them: of `gpu`, those of the first platform that it builds for. */
function machineOf(queue: Queue, { facts: { platforms } }: Context): string | null {
  if (Object.hasOwn(platforms, queue)) return queue;
  const row = Object.values(platforms).find((one) => one.queue === queue);
  return row === undefined ? null : `${row.os}-${row.arch}`;
}

/** Whether a step runs commands of its entry, all of them confined. A program of a step that holds keys might be replaced. */
function takesTools({ kind, params }: Step): boolean {
  const { cache, changes, runs } = KINDS[kind];
  const { in: place, builder } = params as { readonly in?: unknown; readonly builder?: unknown };
  return runs !== 'own' && cache === 'pure' && changes === 'folder' && place !== 'image' && builder !== 'cibuildwheel';
}

/** Returns where the entry of a step names a tool. */
function placeOf(name: string, { id }: Step, { release }: Context): Path {
  const [prefix = '', entry = ''] = id.split('/');
  const section = prefixOf(id)?.section ?? prefix;
  const index = entriesOf(release, section)[entry]?.tools?.indexOf(name) ?? -1;
  return [section, entry, ...(index < 0 ? [] : ['tools', index])];
}

function needing(draft: PlannedStep, named: readonly string[], steps: readonly PlannedStep[]): PlannedStep {
  const others = (all: readonly string[]): readonly string[] => all.filter((name) => !named.includes(name));
  const { needs, uses } = draft.step;
  const step = {
    ...draft.step,
    needs: [...needs, ...steps.map((one) => one.step.id)],
    ...(uses && { uses: { ...uses, tools: others(uses.tools) } }),
  };
  return { ...draft, step, tools: others(draft.tools) };
}
