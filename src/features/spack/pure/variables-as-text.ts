import { placed } from '../../../model/failure.js';
import type { Finding } from '../../../model/finding.js';
import { isMap } from './attributes.js';
import type { Rules } from './rules.js';

/** A note for each rule with variables whose values refer to others. */
export const variablesAsText = ({ groups }: Rules, next: string): readonly Finding[] =>
  groups
    .flatMap(({ rules }) => rules)
    .flatMap(({ set, place }) => {
      const variables = set?.['variables'] ?? set?.['variables:'];
      const names = isMap(variables)
        ? Object.keys(variables).filter((key) => String(variables[key]).includes('$'))
        : [];
      return names.length === 0 ? [] : [asText(placed(place), names, next)];
    });

const asText = (subject: string, names: readonly string[], next: string): Finding => ({
  ...({ level: 'note', code: 'VARIABLE_AS_TEXT', subject, next } as const),
  why: `${names.join(', ')} has a "$", and Slipway looks nothing up`,
});
