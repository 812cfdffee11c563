import { z } from 'zod';
import { text, texts } from '../../model/schema/command.js';
import type { FeatureSchemas } from '../../model/schema/feature-schemas.js';
import { frame } from '../../model/schema/frame.js';
import { InnerPath, Name } from '../../model/schema/scalars.js';

const Scan = z.strictObject({
  ...frame,
  allow: z.array(z.string()).min(1).describe('Licences that its files may name, as SPDX writes them.'),
});
const Scans = z.record(Name, Scan).default({});
const ScanFiles = z.strictObject({ allow: texts, report: text });

export const sample = {
  sections: {
    scans: Scans.describe('Licences of files, before the seal.'),
  },
  params: { scanFiles: ScanFiles },
  publishes: { scanFiles: ({ report }: z.infer<typeof ScanFiles>) => [report] },
  targets: {
    shelf: {
      entry: { shelf: InnerPath.optional().describe('shelf: folder below its address.') },
      profile: {},
      extra: z.strictObject({ kind: z.literal('shelf'), shelf: text }),
      plan: (_: string, { shelf = '.' }: { readonly shelf?: string | undefined }) => ({ kind: 'shelf', shelf }),
    },
  },
} as const satisfies FeatureSchemas;
