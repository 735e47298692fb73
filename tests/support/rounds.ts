/**
 * Returns how often a test repeats something random: `usual` times, or as often as ATRIUM_FUZZ_ROUNDS says if that is more. Each
 * run of a test chooses other values, so that many runs test more than one long one.
 */
export const roundsOr = (usual: number): number =>
  Math.max(usual, Number(process.env['ATRIUM_FUZZ_ROUNDS'] ?? usual));
