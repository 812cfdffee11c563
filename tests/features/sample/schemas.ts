import { z } from 'zod';
import { text, texts } from '../../model/schema/command.js';
import type { FeatureSchemas } from '../../model/schema/feature-schemas.js';
import { frame } from '../../model/schema/frame.js';
import { InnerPath, Name } from '../../model/schema/scalars.js';

/** Its steps read no file of the bundle. */
const { files: _, ...ownFrame } = frame;
export const Scan = z.strictObject({
  ...ownFrame,
  allow: z.array(z.string()).min(1).describe('Licences that its files may name, as SPDX writes them.'),
});
const LicencesImport = z.strictObject({
  import: z.literal('licences').describe('What the file is: a step in each line.'),
  file: InnerPath.describe('A file of the source.'),
});
export type LicencesImport = z.infer<typeof LicencesImport>;
const Scans = z.record(Name, z.union([Scan, LicencesImport])).default({});
const ScanFiles = z.strictObject({ allow: texts, report: text });

export const sample = {
  sections: { scans: Scans.describe('Licences of files, before the seal.') },
  entries: { 'scans.import.licences': LicencesImport },
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
