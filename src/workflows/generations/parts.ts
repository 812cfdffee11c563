/** The server refuses payloads of two megabytes, and the task that sends one with it, for ever: stay well below. */
const MOST_CHARACTERS = 400_000;

/** A list in parts that each fit into one payload; at least one part. */
export function parts<T>(all: readonly T[], most = MOST_CHARACTERS): readonly (readonly T[])[] {
  const answer: T[][] = [[]];
  let left = most;
  for (const one of all) {
    const size = JSON.stringify(one).length;
    if (size > left && answer.at(-1)!.length > 0) {
      answer.push([]);
      left = most;
    }
    answer.at(-1)!.push(one);
    left -= size;
  }
  return answer;
}
