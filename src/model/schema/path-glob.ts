import { compileExpression, type Expression } from './expression.js';

/** Compiles a path pattern: `*` and `?` match within a part, a part `**` matches any number of parts. */
export function compileGlob(glob: string): Expression {
  const parts = glob.replace(/^\.\//, '').split('/');
  const source = parts.map((part, at) => {
    const last = at === parts.length - 1;
    if (part === '**') return last ? '[\\s\\S]*' : '(?:[^/]+/)*';
    return ofPart(part) + (last ? '' : '/');
  });
  return compileExpression(source.join(''), { whole: true });
}

const ofPart = (part: string): string =>
  [...part.replace(/\*+/g, '*')]
    .map((char) => (char === '*' ? '[^/]*' : char === '?' ? '[^/]' : char.replace(/[.+^${}()|[\]\\]/, '\\$&')))
    .join('');
