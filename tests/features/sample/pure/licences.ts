import type { CommitAsk, OwnAsk } from '../../../importers/asks.js';
import type { Importer } from '../../../importers/importer.js';
import { type LicencesImport, Scan } from '../schemas.js';

/** Under `all`: licences that the machine which plans approves. */
type Answers = { readonly approved: Readonly<Record<string, readonly string[]>> };
type Kept = { readonly steps: readonly string[]; readonly allow: readonly string[] };

/** A file with a step in each line, as entries of `scans`. */
export const licences: Importer<LicencesImport, Kept, CommitAsk | OwnAsk<'approved'>, Answers> = {
  ...{ makes: { scans: Scan }, asks: { approved: {} }, stored: null },
  read({ file }, { text, approved }) {
    const [lines, allow] = [text[file], approved['all']];
    if (lines === undefined) return { asks: [{ ask: 'text', path: file }] };
    if (allow === undefined) return { asks: [{ ask: 'approved', keys: ['all'] }] };
    return { kept: { steps: (lines ?? '').split('\n').filter(Boolean), allow } };
  },
  make: ({ steps, allow }, { file }) => ({
    entries: steps.map((step) => ({
      ...{ name: step.replace('/', '.'), entry: { needs: [step], allow }, because: null },
      ...{ origin: { file }, places: {} },
    })),
    findings: [],
  }),
};
