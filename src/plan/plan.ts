import { planTooLarge } from '../model/errors.js';
import { CONTROL } from '../model/ids.js';
import { fail, type Problem } from '../model/failure.js';
import { isAfterOnly, type Plan, type Step } from '../model/plan.js';
import { MOST_STEPS, sharesOf } from '../model/plan-size.js';
import { STAGE_IDS } from '../model/stages.js';
import { assumedIn, behindAssumed, withAssumed } from './assumed.js';
import { filesRead } from './bundle.js';
import { withKept } from './changed/kept.js';
import { carriesCode } from './carries-code.js';
import { createContext, type Context } from './context.js';
import { effectsOf } from './effects.js';
import { problems, type Path } from './errors.js';
import { listenersOf } from './listeners.js';
import { plannedHead } from './head.js';
import { withOnFailure, withParallel, withEpochs } from './step-settings.js';
import { checkPlatformBases } from './platform-bases.js';
import { checkPrune } from './prune.js';
import { inReach } from './reach.js';
import { judgeAddresses } from './addresses.js';
import { expandAll } from './expand.js';
import type { Facts } from './facts.js';
import { assertHandedIn } from './feature.js';
import { inOrder } from './in-order.js';
import { withLeftOut } from './left-out.js';
import type { ReadFile } from './read/release-file.js';
import type { Made, PlanEntry, PlannedStep } from './stage.js';
import { stagesWith } from './stages.js';
import { checkPackages, withoutIdleBases } from './stages/bases.js';
import { prove } from './stages/prove.js';
import { idleReports } from './stages/reports.js';
import { checkSettingPlaces } from './setting-words.js';
import { withSameAs } from './same-as.js';
import { planSource, withoutIdleSources } from './stages/source.js';
import { withoutIdleWheels } from './stages/taken-wheels.js';
import { notRun } from './suites/suites.js';
import { tooMany } from './too-many.js';
import { withTools } from './tools/with-tools.js';
import { answered } from './unserved.js';
import { checkBranch } from './version.js';

/** Plans a release: the whole graph of steps from its file and facts. Pure: the same inputs give the same digest on any
 * machine. Throws every problem at once. */
export function plan(read: ReadFile, facts: Facts): Plan {
  const found: Problem[] = [];
  const left = withLeftOut(read, facts.given ?? {}, found);
  const { name, version, ...head } = plannedHead(left, facts, found);
  const file = withKept(left, () => {
    const trial = createContext({ file: left, facts, name, version, found: [] });
    return [itemsIn(trial), trial];
  });
  checkBranch(file, facts, found);
  const context = createContext({ file, facts, name, version, found });
  checkPlatforms(context, facts.platforms);
  checkPlatformBases(context);
  checkPrune(context);
  checkSettingPlaces(file, context.complain);
  assertHandedIn(context.release, facts.features);
  for (const feature of Object.values(facts.features)) feature.check?.(context);
  const steps = composed(context);
  const notify = listenersOf(context);
  const profile = { name: facts.profile.name, rehearsal: facts.profile.content.rehearsal };
  judgeAddresses({ profile, steps: steps.steps, ...(notify !== null && { notify }) }, context);
  const all = withParallel(withOnFailure(withEpochs(steps.steps, context), context), context);
  const effects = context.failed ? [] : effectsOf(steps.steps, context);
  if (found.length > 0) throw fail(inOrder(found));
  const notices = notRun(facts.git?.suites ?? {}, file.content);
  return {
    slipway: 1,
    release: { name, version },
    ...head,
    ...(context.release.isolation !== undefined && { isolation: context.release.isolation }),
    source: planSource(context),
    profile,
    ...(file.content.retry?.total !== undefined && { retries: file.content.retry.total }),
    bundle: filesRead(facts.bundle, [...all, ...(notify?.listeners ?? [])]),
    ...(facts.given && Object.keys(facts.given).length > 0 && { given: facts.given }),
    ...(notices.length > 0 && { notices }),
    ...(file.imports && { imports: file.imports }),
    ...(file.settings && { settings: file.settings.digest }),
    steps: all,
    dropped: steps.dropped,
    ...(steps.assumed && { assumed: steps.assumed }),
    ...(file.kept && { kept: file.kept }),
    effects,
    ...(notify !== null && { notify }),
  };
}

function checkPlatforms(context: Context, table: Facts['platforms']): void {
  const { platforms = [] } = context.release;
  const complain = (path: Path, name: string, known: readonly string[], what: 'key' | 'value'): void =>
    known.includes(name) ? undefined : context.complain(problems.unknownPlatform(context.at(path, what), name, known));
  if (Array.isArray(platforms)) {
    for (const [index, name] of platforms.entries())
      complain(['platforms', index], name, Object.keys(context.facts.platforms), 'key');
    return;
  }
  // `like` may not name another platform of the file, because then the order of a map would matter.
  for (const [name, { like }] of Object.entries(platforms))
    if (like === undefined) complain(['platforms', name], name, Object.keys(context.facts.platforms), 'key');
    else complain(['platforms', name, 'like'], like, Object.keys(table), 'value');
}

const itemsIn = (context: Context): ReadonlyMap<string, PlanEntry> =>
  new Map(
    stagesWith(context.facts.features)
      .flatMap((stage) => stage.items?.(context) ?? [])
      .map((item) => [item.id, item]),
  );

/** Expands entries to variants and steps, stage by stage. `prove` is last, because it collects the tools of the other
 * steps. */
function composed(context: Context): Pick<Plan, 'steps' | 'dropped' | 'assumed'> {
  const stages = [...stagesWith(context.facts.features).filter((stage) => stage !== prove), prove];
  const { variants, sound } = expandAll(withAssumed(itemsIn(context), context), context);
  const every = [...variants.values()].flat().filter(({ item }) => item.assumed === undefined);
  const kept = withoutIdleWheels(
    every.filter((variant) => variant.because === null),
    context,
  );
  if (kept.length > MOST_STEPS) throw tooMany(kept.length, kept, context);
  const drafts = kept.map((variant) => variant.item.make(variant));
  const used = behindAssumed(withoutIdleSources(withoutIdleBases(drafts, context), context), kept);
  checkPackages(used, context);
  let made: Made = { variants, drafts: withTools(withSameAs(used, context), context).toSorted(byStage) };
  // Published items follow from the variants. Without sound variants, more problems would only repeat the first ones.
  for (const stage of sound ? stages : [])
    made = { variants, drafts: [...made.drafts, ...(stage.steps?.(context, made) ?? [])] };
  for (const { step } of made.drafts)
    if (step.on === CONTROL && carriesCode(step))
      context.complain(problems.onControl(context.at([...step.id.split('/').slice(0, 2), 'on'], 'key'), step.id));
  // Publishing steps and the like have no entry, so their problem refers to the whole file.
  if (made.drafts.length > MOST_STEPS)
    throw fail({
      ...planTooLarge(made.drafts.length, sharesOf(made.drafts.map(({ step }) => step.id))),
      ...context.at([]),
    });
  const assumed = assumedIn(kept, context);
  return {
    ...(assumed.length > 0 && { assumed }),
    steps: answered(underProof(inReach(made.drafts, context)), context).sort((a, b) =>
      byStage({ step: a }, { step: b }),
    ),
    dropped: every
      .flatMap(({ id, because }) => (because === null ? [] : [{ id, because }]))
      .concat(idleReports(context, made))
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
  };
}

type Staged = Pick<PlannedStep, 'step'>;
const PLACES: ReadonlyMap<string, number> = new Map(STAGE_IDS.map((stage, place) => [stage, place]));
const byStage = ({ step: a }: Staged, { step: b }: Staged): number =>
  PLACES.get(a.stage)! - PLACES.get(b.stage)! || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** Makes every step without needs wait for all proofs, so that nothing is built for a release that cannot end. */
function underProof(drafts: readonly PlannedStep[]): Step[] {
  const proofs = drafts.filter(({ step }) => step.stage === 'prove').map(({ step }) => step.id);
  return drafts.map(({ step }) => {
    if (isAfterOnly(step)) return { ...step, after: [...proofs, ...step.after] };
    if (step.stage === 'prove' || step.needs.length > 0) return step;
    return { ...step, wants: [...new Set([...proofs, ...step.wants])] };
  });
}
