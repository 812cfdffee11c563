import { entryOf } from '../model/ids.js';
import type { KindWith } from '../model/kinds.js';
import type { PointerWhen } from '../model/params.js';
import type { Effect, Step, StepOf } from '../model/plan.js';
import { fileStem } from '../model/python/file-name.js';
import { answer, isAnswered, PUBLISHES } from '../model/schema/kind-answers.js';
import type { Context } from './context.js';
import { problems } from './errors.js';
import { ownWheel } from './own-wheels.js';
import { topological } from './skeleton.js';
import { undoOf } from './targets.js';

/** Returns the plan's outside changes, in order. Names that only a build knows are patterns. */
export function effectsOf(steps: readonly Step[], context: Context): readonly Effect[] {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const effects = inOrderOfEdges(steps).flatMap((step): readonly Effect[] => {
    if (step.kind === 'movePointer') return [pointer(step, context)];
    if (step.kind !== 'publishArtifacts') return [];
    const { target, of, tags } = step.params;
    const undo = undoOf(target.name, context.release.publish[target.name]!, context);
    const { extra } = target;
    const bare = of.flatMap((id) => names(byId.get(id)!, target.repository, context));
    const named = target.kind === 'simple' ? tags.flatMap((at) => bare.map((name) => `${at}/${name}`)) : bare;
    return (extra?.kind === 'git-tag' ? [extra.tag] : named).map((name) => ({
      step: step.id,
      target: target.name,
      kind: target.kind,
      name,
      what: 'publish',
      undo,
    }));
  });
  complainOfTwins(effects, context);
  return effects;
}

function pointer(step: Step & { readonly kind: 'movePointer' }, context: Context): Effect {
  const { target, name } = step.params;
  const before = `move it back to the version before${MOVES[step.params.when]}`;
  return {
    step: step.id,
    target: target.name,
    kind: target.kind,
    name: `${target.repository ?? context.name}:${name}`,
    what: 'move pointer',
    undo: before,
  };
}

const MOVES: Readonly<Record<PointerWhen, string>> = {
  always: '',
  'newest stable': '; only the newest stable version moves it',
  'newest commit': '; only a newer commit moves it',
};

function names(step: Step, repository: string | null, context: Context): readonly string[] {
  if (isAnswered(PUBLISHES, step)) return answer(PUBLISHES, step, context);
  switch (step.kind) {
    case 'buildWheel': {
      const { project, version, python, everywhere, for: platform } = step.params;
      if (isOpen(step, context)) return [openName(step.params)];
      const tag = everywhere ? 'any' : platform.wheel;
      // One wheel for all Pythons may also be one for all platforms: only the build knows.
      const tags = python === null ? (everywhere ? 'py3-none-any' : `*-(any|${tag})`) : `${python}-${python}-${tag}`;
      return [`${fileStem(project, version ?? '*')}-${tags}.whl`];
    }
    case 'buildSdist':
    case 'takeSdist':
      return [`${fileStem(step.params.project, step.params.version ?? context.version)}.tar.gz`];
    case 'runCommand':
      return step.params.outputs;
    case 'buildNative':
      return [step.params.place.slice(step.params.place.lastIndexOf('/') + 1)];
    case 'signFiles':
      return [`${step.id} (.asc of each file)`];
    case 'buildJar':
      return [`${step.id} (coordinates from its POM)`];
    case 'buildImage':
    case 'assembleIndex':
    case 'promoteImage':
      return step.params.tags.map((tag) => `${repository}:${tag}`);
    default:
      return nothing(step.kind);
  }
}
const nothing = (_: KindWith<'ships', null | 'source'>): readonly string[] => [];

/** Whether a wheel may serve variants besides its own: its tags, and how its file spells the project, come from the build. */
const isOpen = ({ id }: Step, { release }: Context): boolean =>
  ownWheel(release, entryOf(id).slice('wheels/'.length))?.sameAs !== undefined;

function openName({ project, version, python }: StepOf<'buildWheel'>['params']): string {
  const wheel = version === null ? project : `${project}==${version}`;
  return `${wheel}${python === null ? '' : ` for ${python}`} (file name from its build)`;
}

function complainOfTwins(effects: readonly Effect[], context: Context): void {
  const seen = new Set<string>();
  for (const { target, name, what } of effects) {
    const key = `${target} ${name}`;
    if (what === 'publish' && seen.has(key))
      context.complain(problems.duplicateName(context.at(['publish', target], 'key'), target, name));
    seen.add(key);
  }
}

/** Publishing steps in the order of their edges: more reversible targets first, pointers last. */
function inOrderOfEdges(steps: readonly Step[]): readonly Step[] {
  return topological(steps).filter((step) => step.stage === 'publish' || step.stage === 'point');
}
