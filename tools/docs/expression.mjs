// Reads JavaScript expressions from source text, as far as error catalogues need it.

const OPEN = '([{';
const CLOSE = ')]}';

/** The expression that begins at `at`, up to the comma or bracket that ends it. */
export function expressionAt(text, at) {
  let depth = 0;
  for (let end = at; end < text.length; end++) {
    const char = text[end];
    if (char === "'" || char === '"' || char === '`') end = endOfString(text, end);
    else if (OPEN.includes(char)) depth++;
    else if (CLOSE.includes(char) && --depth < 0) return text.slice(at, end).trim();
    else if ((char === ',' || char === ';') && depth === 0) return text.slice(at, end).trim();
  }
  return text.slice(at).trim();
}

/** Index of the quote that ends the string which begins at `at`; templates may hold expressions. */
function endOfString(text, at) {
  const quote = text[at];
  for (let end = at + 1; end < text.length; end++) {
    if (text[end] === '\\') end++;
    else if (text[end] === quote) return end;
    else if (quote === '`' && text.startsWith('${', end)) end = endOfHole(text, end + 2);
  }
  return text.length;
}

function endOfHole(text, at) {
  let depth = 0;
  for (let end = at; end < text.length; end++) {
    if ('\'"`'.includes(text[end])) end = endOfString(text, end);
    else if (text[end] === '{') depth++;
    else if (text[end] === '}' && depth-- === 0) return end;
  }
  return text.length;
}

/** Arguments of the call whose bracket opens at `at`. */
export function argumentsAt(text, at) {
  const args = [];
  for (let start = at + 1; ;) {
    const argument = expressionAt(text, start);
    if (argument !== '') args.push(argument);
    const end = start + text.slice(start).indexOf(argument) + argument.length;
    const rest = text.slice(end).match(/^\s*,/);
    if (!rest) return args;
    start = end + rest[0].length;
  }
}

/** Each string of an expression as text for people: `${target}` reads `<target>`. A choice has several. */
export function stringsOf(expression) {
  const texts = [];
  for (let at = 0; at < expression.length; at++) {
    if (!'\'"`'.includes(expression[at])) continue;
    const end = endOfString(expression, at);
    texts.push(withHoles(expression.slice(at + 1, end)));
    at = end;
  }
  return texts;
}

function withHoles(text) {
  let told = '';
  for (let at = 0; at < text.length; at++) {
    if (text.startsWith('${', at)) {
      const end = endOfHole(text, at + 2);
      told += `<${holeName(text.slice(at + 2, end))}>`;
      at = end;
    } else if (text[at] === '\\') told += text[++at];
    else told += text[at];
  }
  return told;
}

/** `short(seen.digest)` is told as `digest`. */
const holeName = (expression) => {
  const names = expression.replace(/'[^']*'|"[^"]*"/g, '').match(/[A-Za-z_][\w.]*/g) ?? ['value'];
  const value = names.filter((name) => !/^(JSON|String|Math|short|shown)\b/.test(name))[0] ?? names.at(-1);
  return value
    .split('.')
    .filter((part) => !/^(length|join|map|slice)$/.test(part))
    .at(-1);
};
