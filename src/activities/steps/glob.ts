/** A path pattern with `/` between parts: `*` and `?` stay inside a part, a part `**` is any number of them. */
export function globToRegExp(glob: string): RegExp {
  const parts = glob.replace(/^\.\//, '').split('/');
  const source = parts.map((part, at) => {
    const last = at === parts.length - 1;
    if (part === '**') return last ? '.*' : '(?:[^/]+/)*';
    return ofPart(part) + (last ? '' : '/');
  });
  return new RegExp(`^${source.join('')}$`);
}

const ofPart = (part: string): string =>
  [...part]
    .map((char) => (char === '*' ? '[^/]*' : char === '?' ? '[^/]' : char.replace(/[.+^${}()|[\]\\]/, '\\$&')))
    .join('');
