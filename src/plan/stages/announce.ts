import { CONTROL } from '../../model/ids.js';
import type { Context } from '../context.js';
import { plannedStep } from '../planned-step.js';
import { outletOf } from '../listeners.js';
import type { Made, Stage, PlannedStep } from '../stage.js';

/** Stages whose results an announcement reads. Verifications and pointers come before it. */
const TOLD: readonly string[] = ['seal', 'publish'];
const SETTLED: readonly string[] = ['verify', 'point'];

/** Announces a release after everything is published. A skipped target keeps it from running. */
export const announce: Stage = {
  id: 'announce',
  title: 'announcing',
  steps: (context, made) => {
    const names = Object.keys(context.release.announce).sort();
    const published = idsOf(made, ['publish']);
    if (names.length > 0 && published.length === 0 && !context.failed)
      context.needsThat(
        ['announce'],
        'nothing is published that could be announced',
        'Name what is published under `publish`, or take `announce` out.',
      );
    return names.map((name) => make(name, context, made));
  },
};

function make(name: string, context: Context, made: Made): PlannedStep {
  const { timeout, retry, ...entry } = context.release.announce[name]!;
  const { outlet, files } = outletOf(entry, ['announce', name], context);
  return plannedStep('announceRelease', {
    ...{ id: `announce/${name}`, on: CONTROL, params: { outlet }, files, timeout, retry },
    needs: idsOf(made, TOLD),
    wants: idsOf(made, SETTLED),
  });
}

const idsOf = ({ drafts }: Made, stages: readonly string[]): readonly string[] =>
  drafts.filter(({ step }) => stages.includes(step.stage)).map(({ step }) => step.id);
