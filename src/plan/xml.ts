import { Parser } from 'htmlparser2';

/** An XML element: its own text without comments, and its child elements. */
export interface XmlElement {
  readonly name: string;
  readonly text: string;
  readonly children: readonly XmlElement[];
}

/** Limit of nesting. A POM nests a dozen deep, and the parser's time grows with length times depth. */
const DEEPEST = 200;

/** Parses XML in linear time. Wrongly nested tags are closed anyway. Null without an element, or beyond the limit of nesting. */
export function readXml(xml: string): XmlElement | null {
  const root = open('');
  const path: Open[] = [root];
  let isTooDeep = false;
  const parser: Parser = new Parser(
    {
      onopentagname(name) {
        const element = open(name);
        path.at(-1)!.children.push(element);
        path.push(element);
        isTooDeep ||= path.length > DEEPEST;
        if (isTooDeep) parser.pause();
      },
      ontext: (text) => path.at(-1)!.pieces.push(text),
      onclosetag: () => path.pop(),
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return isTooDeep ? null : (root.children[0] ?? null);
}

interface Open extends XmlElement {
  readonly pieces: string[];
  readonly children: Open[];
}

function open(name: string): Open {
  const pieces: string[] = [];
  return {
    name,
    pieces,
    children: [],
    get text() {
      return pieces.join('').trim();
    },
  };
}

/** Returns all elements at this path below an element. */
export const elementsAt = (element: XmlElement | null, ...path: readonly string[]): readonly XmlElement[] =>
  path.reduce<readonly XmlElement[]>(
    (all, name) => all.flatMap(({ children }) => children.filter((child) => child.name === name)),
    element === null ? [] : [element],
  );

/** Returns the text of the first element at this path. Null if there is none or it is empty. */
export const textAt = (element: XmlElement | null, ...path: readonly string[]): string | null =>
  elementsAt(element, ...path)[0]?.text || null;

export const anyBelow = (element: XmlElement, fits: (one: XmlElement) => boolean): boolean =>
  element.children.some((child) => fits(child) || anyBelow(child, fits));
