// Interleaved measuring: each round runs every contender once, so that a noisy moment hits all of them alike.

/**
 * @param {Record<string, () => Promise<number | void>>} contenders what to run; a returned number is the figure,
 *   otherwise the elapsed milliseconds are
 * @param {{ rounds: number, warmUp?: number }} options
 * @returns {Promise<Record<string, number[]>>} the figures of each contender, in order
 */
export async function interleave(contenders, { rounds, warmUp = 1 }) {
  const figures = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
  const names = Object.keys(contenders);
  for (let round = -warmUp; round < rounds; round += 1) {
    // The order changes every round: who runs after whom must not decide.
    for (let i = 0; i < names.length; i += 1) {
      const name = names[(i + Math.max(round, 0)) % names.length];
      const startedAt = performance.now();
      const returned = await contenders[name]();
      const figure = returned ?? performance.now() - startedAt;
      if (round >= 0) figures[name].push(figure);
    }
  }
  return figures;
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The median of the ratios of each round: steadier than the ratio of two medians where the machine drifts. */
export function ratio(figures, baseline) {
  return median(figures.map((figure, round) => figure / baseline[round]));
}
