import { IMPORTERS, type Importers, noFacts } from '../../importers/index.js';
import { fail } from '../../model/failure.js';
import { IMPORT_FORMS } from '../../model/schema/entry-forms.js';
import { ReleaseFile } from '../../model/schema/release-file.js';
import { fieldOf, together } from '../../model/together.js';
import type { FeaturePlans } from '../../plan/feature.js';
import { problems } from './errors.js';

/** Returns the importers of the core and of features. Throws FEATURE_NAME_TAKEN if two owners have an importer or a question of one
 * name, FEATURE_IMPORTER_WITHOUT_FORM and FEATURE_FORM_WITHOUT_IMPORTER. */
export function importersWith(features: FeaturePlans): Importers {
  const own: Readonly<Record<string, Importers>> = fieldOf(features, 'importers');
  const all = together('word of importers', { core: IMPORTERS, ...own });
  const asks = Object.entries(own).map(([feature, importers]) => [feature, asksOf(importers)]);
  together('question of importers', { core: { ...noFacts() }, ...Object.fromEntries(asks) });
  for (const [feature, importers] of Object.entries(own))
    for (const name of Object.keys(importers))
      if (!IMPORT_FORMS.some(({ section, word }) => word === name && section in ReleaseFile.shape))
        throw fail(problems.importerWithoutForm(feature, name));
  const lost = IMPORT_FORMS.find(({ word, owner }) => Object.hasOwn(features, owner) && !Object.hasOwn(all, word));
  if (lost) throw fail(problems.formWithoutImporter(lost));
  return all;
}

const asksOf = (importers: Importers): object => Object.assign({}, ...Object.values(importers).map(({ asks }) => asks));
