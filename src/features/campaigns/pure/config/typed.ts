import { textScalar } from '../../../../importers/pyyaml/scalar.js';
import type { Scalar, Tree } from '../../../../importers/pyyaml/tree.js';

const isNumber = ({ type }: Scalar): boolean => type === 'integer' || type === 'float';

/** Returns a value as the one that it replaces wants it: `1.10` stays a text where a text was. Null and lists take any value,
 * and null replaces any. A list in place of a scalar asks for a matrix.
 * `hint`: the type is another; what to write instead, null for a value of the type. */
export function typed(value: Tree, was: Tree): Tree | { readonly hint: string | null } {
  const isNothing = (tree: Tree): boolean => tree.kind === 'scalar' && tree.type === 'null';
  if (isNothing(was) || was.kind === 'list' || isNothing(value)) return value;
  if (was.kind === 'dict') return value.kind === 'dict' ? value : { hint: null };
  if (value.kind === 'list') return value;
  return value.kind === 'dict' ? { hint: null } : typedScalar(value, was);
}

function typedScalar(value: Scalar, was: Scalar): Tree | { readonly hint: string | null } {
  const { source = value.text } = value;
  if (was.type === 'text' || was.type === 'date')
    return value.type === 'text' ? value : { kind: 'scalar', at: value.at, ...textScalar(source) };
  if (was.type === 'boolean') {
    const isPlain = value.type === 'boolean' && /^(true|false)$/i.test(source);
    if (isPlain) return value;
    return { hint: /^(yes|on|true|y)$/i.test(source) ? 'true' : /^(no|off|false|n)$/i.test(source) ? 'false' : null };
  }
  return isNumber(value) ? value : { hint: null };
}
