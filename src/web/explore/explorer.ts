import type { Column } from '#contract/data-sources/data-sources.ts';
import type { ColumnProfile, ProfileLine } from '#contract/explore.ts';
import type { Axis, Selection } from '#shared/explore/axes.ts';
import { fitted } from './index/cells.ts';
import { createCounts, selectionIn, type Shown } from './index/counts.ts';
import { createCubes, type LoadCubes } from './index/cubes.ts';

/** What the page shows, apart from what changes while people drag. */
export interface ExplorerState {
  readonly rowCount: number | undefined;
  /** All columns, once they are known. */
  readonly columns: readonly Column[] | undefined;
  readonly profiles: ReadonlyMap<string, ColumnProfile>;
  readonly error: unknown;
  readonly selections: readonly Selection[];
  readonly canUndo: boolean;
}

/** What a chart draws. */
export interface View {
  /** The rows of each bar or value that are selected in the other charts; undefined until they are known. */
  readonly counts: Float64Array | undefined;
  readonly selection: Selection | undefined;
}

/** What an explorer depends on. */
export interface ExplorerDependencies {
  readonly loadProfiles: (
    columns: readonly string[] | undefined,
    signal: AbortSignal,
  ) => AsyncIterable<readonly ProfileLine[]>;
  readonly loadCubes: LoadCubes;
  /** Called when people have finished selecting. */
  readonly onCommit: (selections: readonly Selection[]) => void;
  readonly requestFrame: (paint: () => void) => void;
}

/** What is known about the columns and the selections of a page, outside of React so that dragging renders nothing. */
export interface Explorer {
  getState(): ExplorerState;
  subscribe(listener: () => void): () => void;
  /** Loads the profiles of columns; without any, of those that the server chooses. */
  load(columns: readonly string[] | undefined, signal: AbortSignal): Promise<void>;
  /** Sets the columns that are shown, in their order. */
  show(columns: readonly string[]): void;
  /** Prepares a chart for selecting: its indexes are loaded while the pointer approaches. */
  activate(column: string): void;
  /** Sets what is selected in a chart without a new state: call `commit` at the end of a gesture. */
  select(column: string, selection: Selection | undefined): void;
  commit(): void;
  selectionOf(column: string): Selection | undefined;
  /** Sets the selections from the URL, unless it only follows what was selected here. */
  open(selections: readonly Selection[]): void;
  clear(): void;
  undo(): void;
  /** Calls `draw` whenever a chart has to be drawn, at most once a frame. Returns a function that stops it. */
  watch(column: string, draw: (view: View) => void): () => void;
  /** Calls `draw` with the number of selected rows; undefined while it isn't known. */
  watchTotal(draw: (selected: number | undefined) => void): () => void;
  close(): void;
}

export function createExplorer(dependencies: ExplorerDependencies): Explorer {
  const { loadProfiles, loadCubes, onCommit, requestFrame } = dependencies;
  let state: ExplorerState = {
    rowCount: undefined,
    columns: undefined,
    profiles: new Map(),
    error: undefined,
    selections: [],
    canUndo: false,
  };
  const listeners = new Set<() => void>();
  const painters = new Map<string, (view: View) => void>();
  let paintTotal: ((selected: number | undefined) => void) | undefined;
  /** The selections while people drag: those of the state are the ones before. */
  let live: readonly Selection[] = [];
  let shown: readonly string[] = [];
  let active: string | undefined;
  let isFrameRequested = false;
  const past: (readonly Selection[])[] = [];
  /** The selections that the URL doesn't have yet, as JSON: it changes later than the charts. */
  const expectedInUrl: string[] = [];
  const cubes = createCubes(loadCubes, {
    onLoaded: requestPaint,
    onError: (error) => update({ error }),
  });
  const counts = createCounts(cubes);

  function update(change: Partial<ExplorerState>): void {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  }

  const axisOf = (column: string): Axis | undefined => state.profiles.get(column)?.axis;

  async function load(columns: readonly string[] | undefined, signal: AbortSignal): Promise<void> {
    update({ error: undefined });
    try {
      for await (const lines of loadProfiles(columns, signal)) {
        const profiles = new Map(state.profiles);
        for (const { profile } of lines) if (profile !== undefined) profiles.set(profile.column, profile);
        const table = lines.find(({ columns: all }) => all !== undefined);
        update({ profiles, ...(table && { rowCount: table.rowCount, columns: table.columns }) });
        requestPaint();
      }
      if (signal.aborted) return;
      const names = new Set(state.columns?.map(({ name }) => name));
      const unknown = live.flatMap(({ column }) =>
        state.profiles.has(column) || !names.has(column) ? [] : [column],
      );
      if (columns === undefined && unknown.length > 0) return await load(unknown, signal);
      fitSelections();
    } catch (error) {
      if (!signal.aborted) update({ error });
    }
  }

  /** Moves selections of an old URL to the edges of the axes, and removes those of columns that have changed. */
  function fitSelections(): void {
    live = live.flatMap((selection) => {
      const axis = axisOf(selection.column);
      return (axis && fitted(axis, selection)) ?? [];
    });
    update({ selections: live });
    refresh();
  }

  /** The chart whose indexes show the selections: the active one, or else that of the last selection. */
  const leading = (): string | undefined =>
    active !== undefined && axisOf(active) !== undefined ? active : live.at(-1)?.column;

  function refresh(): void {
    const axis = axisOf(leading() ?? '');
    const charts = shown.flatMap((column) => axisOf(column) ?? []);
    if (axis !== undefined) void cubes.load({ active: axis, charts, selections: live });
    requestPaint();
  }

  function requestPaint(): void {
    if (isFrameRequested) return;
    isFrameRequested = true;
    requestFrame(() => {
      isFrameRequested = false;
      const { profiles, rowCount } = state;
      const facts: Shown = { profiles, rowCount, selections: live, leading: leading() };
      for (const [column, draw] of painters)
        draw({ counts: counts.of(facts, column), selection: selectionIn(live, column) });
      paintTotal?.(counts.total(facts));
    });
  }

  function replaceSelections(selections: readonly Selection[], change: Partial<ExplorerState> = {}): void {
    live = selections;
    update({ selections, ...change });
    refresh();
  }

  function commit(): void {
    if (JSON.stringify(live) === JSON.stringify(state.selections)) return;
    past.push(state.selections);
    update({ selections: live, canUndo: true });
    changeUrl(live);
  }

  function changeUrl(selections: readonly Selection[]): void {
    expectedInUrl.push(JSON.stringify(selections));
    onCommit(selections);
  }

  function open(selections: readonly Selection[]): void {
    const json = JSON.stringify(selections);
    const index = expectedInUrl.indexOf(json);
    // A change that was expected says nothing new; those before it were skipped.
    expectedInUrl.splice(0, index === -1 ? expectedInUrl.length : index + 1);
    if (index === -1 && json !== JSON.stringify(live)) replaceSelections(selections);
  }

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    load,
    show(columns) {
      shown = columns;
      if (active !== undefined || live.length > 0) refresh();
    },
    activate(column) {
      if (active === column) return;
      active = column;
      refresh();
    },
    select(column, selection) {
      active = column;
      const others = live.filter((one) => one.column !== column);
      live = selection === undefined ? others : [...others, selection];
      refresh();
    },
    commit,
    selectionOf: (column) => selectionIn(live, column),
    open,
    clear() {
      live = [];
      commit();
      refresh();
    },
    undo() {
      const before = past.pop();
      if (before === undefined) return;
      replaceSelections(before, { canUndo: past.length > 0 });
      changeUrl(before);
    },
    watch(column, draw) {
      painters.set(column, draw);
      requestPaint();
      return () => void painters.delete(column);
    },
    watchTotal(draw) {
      paintTotal = draw;
      requestPaint();
      return () => {
        paintTotal = undefined;
      };
    },
    close: cubes.close,
  };
}
