/** Finds what somebody probably meant to type. */

/** How many letters may be wrong: more than two is another word. */
const MAX_DISTANCE = 2;

/** @returns the nearest of `known`, where one is near; for a sentence such as `did you mean …?` */
export function nearMiss(text: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((word) => ({ word, distance: distance(text.toLowerCase(), word.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  if (best === undefined || best.distance > MAX_DISTANCE) return undefined;
  // Two wrong letters make any short word out of any other.
  return best.distance < best.word.length / 2 ? best.word : undefined;
}

/** Levenshtein's: letters to insert, to remove or to replace. */
function distance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[to.length] ?? 0;
}
