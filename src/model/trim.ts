/** A text without these characters at its end. An expression (`/x+$/`) takes quadratic time on texts that hold many of them. */
export function trimmedEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
}

/** A text without these characters at either end. */
export function trimmed(text: string, characters: string): string {
  const upTo = trimmedEnd(text, characters);
  let begin = 0;
  while (begin < upTo.length && characters.includes(upTo[begin]!)) begin += 1;
  return upTo.slice(begin);
}
