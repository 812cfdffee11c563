import { textScalar } from '../../../../importers/pyyaml/scalar.js';
import type { Scalar, Tree } from '../../../../importers/pyyaml/tree.js';
import { isNull } from './document.js';

/** What to write in place of a value of another type. Null: a value of the type. */
interface Refused {
  readonly hint: string | null;
}

const isNumber = ({ type }: Scalar): boolean => type === 'integer' || type === 'float';

/** Returns a value as the one that it replaces wants it: `1.10` stays a text where a text was. Null and lists take any value,
 * and null replaces any. A list in place of a scalar asks for a matrix. */
export function typed(value: Tree, was: Tree): Tree | Refused {
  if (isNull(was) || was.kind === 'list' || isNull(value)) return value;
  if (was.kind === 'dict' || value.kind === 'dict') return was.kind === value.kind ? value : { hint: null };
  return value.kind === 'list' ? value : typedScalar(value, was);
}

function typedScalar(value: Scalar, was: Scalar): Tree | Refused {
  const { source = value.text } = value;
  if (was.type === 'text' || was.type === 'date')
    return value.type === 'text' ? value : { kind: 'scalar', at: value.at, ...textScalar(source) };
  if (was.type !== 'boolean') return isNumber(value) ? value : { hint: null };
  if (value.type === 'boolean' && /^(true|false)$/i.test(source)) return value;
  return { hint: /^(yes|on|true|y)$/i.test(source) ? 'true' : /^(no|off|false|n)$/i.test(source) ? 'false' : null };
}
