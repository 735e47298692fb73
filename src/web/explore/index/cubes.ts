import type { CubeLine } from '#contract/explore.ts';
import { binsOf, cellCount, type Axis, type Selection } from '#shared/explore/axes.ts';
import { ApiProblem } from '../../app/api.ts';
import { createCube, type Cube } from './cube.ts';

/** A chart in which people select, the other charts, and what is selected in all of them. */
export interface CubeInput {
  readonly active: Axis;
  readonly charts: readonly Axis[];
  readonly selections: readonly Selection[];
}

export type LoadCubes = (input: CubeInput, signal: AbortSignal) => AsyncIterable<readonly CubeLine[]>;

/** The indexes of pairs of charts that were loaded. */
export interface Cubes {
  /** Returns the index of a chart, or of the active chart itself without one. */
  find(active: Axis, chart: Axis | undefined, selections: readonly Selection[]): Cube | undefined;
  /** Loads the indexes that are missing, and no longer those of an earlier call. */
  load(input: CubeInput): Promise<void>;
  close(): void;
}

/** More than a page has charts, so that going back to a chart loads nothing. */
const maxCubes = 300;

export function createCubes(
  loadCubes: LoadCubes,
  { onLoaded, onError }: { readonly onLoaded: () => void; readonly onError: (error: unknown) => void },
): Cubes {
  const cubes = new Map<string, Cube>();
  /** They aren't requested again by every move of the pointer. */
  const failed = new Set<string>();
  let loading = new AbortController();
  let loadingKey: string | undefined;

  function put(key: string, cube: Cube): void {
    cubes.set(key, cube);
    const [oldest] = cubes.keys();
    if (cubes.size > maxCubes && oldest !== undefined) cubes.delete(oldest);
  }

  async function load({ active, charts, selections }: CubeInput): Promise<void> {
    const isMissing = (chart: Axis | undefined): boolean => {
      const key = keyOf(active, chart, selections);
      return !cubes.has(key) && !failed.has(key);
    };
    const missing = charts.filter((chart) => chart.column !== active.column && isMissing(chart));
    if (missing.length === 0 && !isMissing(undefined)) return;
    // The selection of the active chart doesn't matter, so a drag doesn't load them again.
    const key = JSON.stringify([keyOf(active, undefined, selections), charts]);
    if (key === loadingKey) return;
    loading.abort();
    const controller = new AbortController();
    loading = controller;
    loadingKey = key;
    try {
      for await (const lines of loadCubes({ active, charts: missing, selections }, controller.signal)) {
        for (const line of lines) {
          const chart = missing[line.chart];
          const width = chart === undefined ? 1 : cellCount(binsOf(chart));
          const { problem } = line;
          if (problem === undefined) {
            put(keyOf(active, chart, selections), createCube(active, width, line));
          } else {
            failed.add(keyOf(active, chart, selections));
            onError(new ApiProblem({ ...problem, requestId: '' }));
          }
        }
        onLoaded();
      }
    } catch (error) {
      if (!controller.signal.aborted) onError(error);
    } finally {
      if (loading === controller) loadingKey = undefined;
    }
  }

  return {
    find: (active, chart, selections) => cubes.get(keyOf(active, chart, selections)),
    load,
    close: () => loading.abort(),
  };
}

/** Names an index. A chart shows what is selected in the others, so its own selection isn't part of the name. */
const keyOf = (active: Axis, chart: Axis | undefined, selections: readonly Selection[]): string =>
  JSON.stringify([
    active,
    chart,
    selections.filter(({ column }) => column !== active.column && column !== chart?.column),
  ]);
