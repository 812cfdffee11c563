import { CONTROL } from '../../model/ids.js';
import type { SourceRef } from '../../model/params.js';
import type { Context } from '../context.js';
import { plannedStep } from '../planned-step.js';
import { BARE } from '../plan-entry.js';
import type { Stage } from '../stage.js';

export function sourceRef(context: Context): SourceRef {
  const { source } = context.release;
  if ('git' in source) {
    const { folder } = source;
    return { kind: 'git', commit: context.commit ?? '', ...(folder !== undefined && { folder }) };
  }
  const [name, version] = source.sdist.split('==') as [string, string];
  return { kind: 'sdist', name, version, sha256: source.sha256 };
}

export const source: Stage = {
  id: 'source',
  title: 'fetching source',
  items: (context) => [
    {
      ...BARE,
      id: context.sourceStep,
      path: ['source'],
      needs: [],
      make: (variant) => {
        const ref = sourceRef(context);
        return plannedStep('fetchSource', {
          id: variant.id,
          on: CONTROL,
          params: { source: ref },
          tools: ref.kind === 'sdist' ? ['python'] : [],
        });
      },
    },
  ],
};
