import type { FeatureCli } from '../../cli/feature.js';
import { requireClient } from '../../cli/find-run.js';
import type { Scanned } from './pure/scan.js';

export const sample: FeatureCli = {
  commands: [
    {
      after: 'ledger',
      spec: {
        name: 'scans',
        summary: 'tell which licence a scan found in a file',
        arguments: [{ name: '<file>', help: 'a file of any release' }],
        async run({ args: { file = '' } }, io, ports) {
          const digest = await (await ports.evidence()).digest(file);
          const client = await requireClient(ports);
          const found = await client.carryOut<Scanned | null>('findScan', `scans/${digest}`, [digest]);
          await client.close();
          io.out(`${file}: ${found === null ? 'no scan had it' : (found.licence ?? 'no licence')}`);
          return found === null ? 1 : 0;
        },
      },
    },
  ],
  planned: {
    title: 'Licences that are allowed',
    rows: (step) => (step.kind === 'scanFiles' ? [[step.id, step.params.allow.join(', ')]] : []),
  },
};
