import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { ExploreTarget } from '#contract/explore.ts';
import type { Selection } from '#shared/explore/axes.ts';
import { callForLines } from '../app/api.ts';
import { createExplorer, type Explorer, type ExplorerState } from './explorer.ts';

/** The explorer of a page, which loads the profiles of `columns`: by default those that the server chooses. */
export function useExplorer({
  target,
  timeZone,
  columns,
  selections,
  onCommit,
}: {
  readonly target: ExploreTarget;
  readonly timeZone: string;
  readonly columns: readonly string[] | undefined;
  readonly selections: readonly Selection[];
  readonly onCommit: (selections: readonly Selection[]) => void;
}): { readonly explorer: Explorer; readonly state: ExplorerState; readonly shown: readonly string[] } {
  const key = JSON.stringify([target, timeZone]);
  // A new explorer for each target: its indexes belong to it.
  const explorer = useMemo(
    () =>
      createExplorer({
        loadProfiles: (names, signal) =>
          callForLines('POST /api/explore/profile', {
            body: { target, timeZone, ...(names && { columns: [...names] }) },
            signal,
          }),
        loadCubes: ({ active, charts, selections: all }, signal) =>
          callForLines('POST /api/explore/cube', {
            body: { target, timeZone, active, charts: [...charts], selections: [...all] },
            signal,
          }),
        onCommit,
        requestFrame: (paint) => void requestAnimationFrame(paint),
      }),
    // `key` stands for the target and the time zone.
    [key],
  );
  const state = useSyncExternalStore(explorer.subscribe, explorer.getState);
  const wanted = columns?.join('\n');
  useEffect(() => explorer.open(selections), [explorer, selections]);
  useEffect(() => {
    const controller = new AbortController();
    const known = explorer.getState().profiles;
    // Columns with a selection are profiled even if their charts aren't shown.
    const names = columns && [...new Set([...columns, ...selections.map(({ column }) => column)])];
    const missing = names?.filter((name) => !known.has(name));
    if (missing === undefined || missing.length > 0) void explorer.load(missing, controller.signal);
    return () => controller.abort();
    // `wanted` stands for the columns. Selections load nothing.
  }, [explorer, wanted]);
  useEffect(() => () => explorer.close(), [explorer]);
  const shown = useMemo(
    () => columns ?? (state.columns ?? []).flatMap(({ name }) => (state.profiles.has(name) ? [name] : [])),
    [columns, state.columns, state.profiles],
  );
  useEffect(() => explorer.show(shown), [explorer, shown]);
  return { explorer, state, shown };
}
