/** Removes these characters from the end. An expression (`/x+$/`) takes quadratic time on texts with many of them. */
export function trimmedEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
}

/** Removes these characters from both ends. */
export function trimmed(text: string, characters: string): string {
  const upTo = trimmedEnd(text, characters);
  let begin = 0;
  while (begin < upTo.length && characters.includes(upTo[begin]!)) begin += 1;
  return upTo.slice(begin);
}
