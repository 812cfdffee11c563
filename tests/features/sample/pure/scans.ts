import { frameItem } from '../../../plan/entry.js';
import { plannedStep } from '../../../plan/planned-step.js';
import type { PlanEntry, Stage } from '../../../plan/stage.js';

export const scans: Stage = {
  id: 'scans',
  title: 'scanning files',
  items: (context) =>
    Object.entries(context.release.scans).flatMap(([name, scan]) => {
      if ('import' in scan) return [];
      const path = ['scans', name];
      const make: PlanEntry['make'] = ({ id, axes, needs }) =>
        plannedStep('scanFiles', {
          ...{ id, axes, on: context.queueOf(axes, scan.on, path), needs: needs.map((need) => need.id) },
          params: { allow: scan.allow, report: `${id.slice('scans/'.length).replaceAll('/', '.')}.licences.json` },
          ...{ timeout: scan.timeout, retry: scan.retry },
        });
      return { ...frameItem(`scans/${name}`, scan, path, context), make };
    }),
};
