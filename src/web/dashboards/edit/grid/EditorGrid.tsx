import { useMemo, useRef, type ReactNode, type RefObject } from 'react';
import ReactGridLayout, {
  useContainerWidth,
  type Compactor,
  type EventCallback,
  type Layout,
  type LayoutItem,
} from 'react-grid-layout';
import 'react-grid-layout/css/styles.css';
import { styleNonce } from '../../../ui/browser/nonce.ts';
import { layoutInWords } from '../conflict/differences.ts';
import { minSizeOf, type DraftWidget } from '../draft/content.ts';
import classes from './EditorGrid.module.css';
import { EditorWidget } from '../widget/EditorWidget.tsx';
import { gridColumns } from '#shared/grid/layout.ts';
import { gridGapPx, rowHeightPx, withVisibleLayouts } from '#shared/grid/visible-layouts.ts';
import type { WidgetActions } from '../widget/use-widget-actions.ts';
import { followWidget, gridZone, type WidgetDrag } from './drop-target.ts';
import type { GridProps } from './grid-props.ts';
import { moveAndPush } from './widget-pushing.ts';

// Constants, because the grid renders every widget again when these objects change.
const gridConfig = {
  cols: gridColumns,
  rowHeight: rowHeightPx,
  margin: [gridGapPx, gridGapPx],
  containerPadding: [0, 0],
  maxRows: Infinity,
} as const;
const dragConfig = { enabled: true, handle: '[data-drag-handle]', cancel: '[data-no-drag]', threshold: 3 };
const resizeConfig = { enabled: true, handles: ['s', 'e', 'se'] } as const;

// The drag library reads this global for the nonce of the style that it adds to the page.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() });

/** The grid on which widgets are dragged and resized. Widgets in the way are pushed down, and move back once they aren't. */
export function EditorGrid({
  parent,
  widgets,
  titles,
  actions,
  results,
  moving,
  added,
}: GridProps): ReactNode {
  const { width, containerRef, mounted } = useContainerWidth();
  const visible = useMemo(() => withVisibleLayouts(widgets), [widgets]);
  const { compactor, begin, end } = usePushing(visible, actions);
  const dragging = useDragging(containerRef, begin, end, actions);
  const layout = useMemo(() => visible.map(itemOf), [visible]);
  const children = useMemo(
    () =>
      visible.map(({ key, id, reportId, config, layout }) => (
        <div key={key}>
          <EditorWidget
            widgetKey={key}
            title={titles.get(key) ?? ''}
            position={layoutInWords(layout)}
            isMoving={key === moving}
            isAdded={key === added}
            isStacked={false}
            actions={actions}
            reportId={reportId}
            config={config}
            line={results.lineOf({ ...(id !== undefined && { id }), reportId })}
            isLoading={results.isLoading}
            onRetry={results.retry}
          />
        </div>
      )),
    [visible, titles, moving, added, actions, results.lineOf, results.isLoading, results.retry],
  );
  return (
    <div
      ref={containerRef}
      className={classes['grid']}
      data-part={parent !== '' || undefined}
      {...gridZone(parent)}
    >
      {mounted && (
        <ReactGridLayout
          width={width}
          layout={layout}
          gridConfig={gridConfig}
          dragConfig={dragConfig}
          resizeConfig={resizeConfig}
          compactor={compactor}
          {...dragging}
          onResizeStart={begin}
          onResizeStop={(layout, item) => end(layout, item)}
        >
          {children}
        </ReactGridLayout>
      )}
    </div>
  );
}

function itemOf({ key, reportId, layout }: DraftWidget): LayoutItem {
  const { w, h } = minSizeOf({ reportId });
  return { i: key, ...layout, minW: Math.min(w, layout.w), minH: Math.min(h, layout.h) };
}

/** Lets a widget be dropped on another grid or tab, too. */
function useDragging(
  grid: RefObject<HTMLDivElement | null>,
  begin: (layout: Layout, item: LayoutItem | null) => void,
  end: (layout: Layout, item: LayoutItem | null, isElsewhere?: boolean) => void,
  actions: WidgetActions,
): {
  readonly onDragStart: EventCallback;
  readonly onDrag: EventCallback;
  readonly onDragStop: EventCallback;
} {
  const drag = useRef<WidgetDrag>(undefined);
  return useMemo(
    () => ({
      onDragStart: (layout, item, _new, _placeholder, event, element) => {
        begin(layout, item);
        const point = pointOf(event);
        if (item === null || grid.current === null || element === null || point === undefined) return;
        drag.current = followWidget(grid.current, element, item, point);
      },
      onDrag: (_layout, _old, _new, _placeholder, event) => {
        const point = pointOf(event);
        if (point === undefined) return;
        drag.current?.over(point);
      },
      onDragStop: (layout, item, _new, _placeholder, event) => {
        const drop = drag.current?.end(pointOf(event));
        drag.current = undefined;
        end(layout, item, drop !== undefined);
        if (drop !== undefined && item !== null) actions.drop(item.i, drop);
      },
    }),
    [grid, begin, end, actions],
  );
}

/** Returns where the pointer or the finger is; undefined for events without a place. */
function pointOf(event: Event): { readonly clientX: number; readonly clientY: number } | undefined {
  if (event instanceof MouseEvent) return event;
  return 'changedTouches' in event ? (event as TouchEvent).changedTouches[0] : undefined;
}

/** Pushes widgets while one is dragged, always computed from the layout at the start of the drag. */
function usePushing(
  visible: readonly DraftWidget[],
  actions: WidgetActions,
): {
  readonly compactor: Compactor;
  readonly begin: (layout: Layout, item: LayoutItem | null) => void;
  /** Places the widget, unless it was dropped on another grid. */
  readonly end: (layout: Layout, item: LayoutItem | null, isElsewhere?: boolean) => void;
} {
  const latest = useRef(visible);
  latest.current = visible;
  const dragged = useRef<{ readonly key: string; readonly start: readonly DraftWidget[] }>(undefined);
  return useMemo(
    () => ({
      compactor: {
        type: null,
        // The grid doesn't push by itself: it would start from the current positions, and never move widgets back.
        allowOverlap: true,
        compact: (layout) => (dragged.current === undefined ? layout : pushed(layout, dragged.current)),
      },
      begin: (_, item) => {
        if (item !== null) dragged.current = { key: item.i, start: latest.current };
      },
      end: (layout, _, isElsewhere = false) => {
        const key = dragged.current?.key;
        dragged.current = undefined;
        const item = layout.find(({ i }) => i === key);
        if (item !== undefined && !isElsewhere) actions.place(item.i, layoutOf(item));
      },
    }),
    [actions],
  );
}

function pushed(
  layout: Layout,
  { key, start }: { readonly key: string; readonly start: readonly DraftWidget[] },
): Layout {
  const item = layout.find(({ i }) => i === key);
  if (item === undefined) return layout;
  const moved = new Map(moveAndPush(start, key, layoutOf(item)).map((widget) => [widget.key, widget.layout]));
  return layout.map((each) => ({ ...each, ...moved.get(each.i) }));
}

const layoutOf = ({ x, y, w, h }: LayoutItem) => ({ x, y, w, h });
