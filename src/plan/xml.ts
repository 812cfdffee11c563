import { Parser } from 'htmlparser2';

/** An element of an XML text: its own text, comments left out, and the elements in it. */
export interface XmlElement {
  readonly name: string;
  readonly text: string;
  readonly children: readonly XmlElement[];
}

/** A POM nests a dozen deep. The parser's time grows with length times depth, so depth is limited. */
const DEEPEST = 200;

/** Reads XML in linear time; tags that are closed wrongly are closed anyway. Null without an element, or if elements nest deeper
 * than those of any POM. */
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

/** All elements of this path below an element. */
export const elementsAt = (element: XmlElement | null, ...path: readonly string[]): readonly XmlElement[] =>
  path.reduce<readonly XmlElement[]>(
    (all, name) => all.flatMap(({ children }) => children.filter((child) => child.name === name)),
    element === null ? [] : [element],
  );

/** The text of the first element of this path. Null if there is none, or it is empty. */
export const textAt = (element: XmlElement | null, ...path: readonly string[]): string | null =>
  elementsAt(element, ...path)[0]?.text || null;

/** Whether an element or one below it fits. */
export const anyBelow = (element: XmlElement, fits: (one: XmlElement) => boolean): boolean =>
  element.children.some((child) => fits(child) || anyBelow(child, fits));
