import { useMemo, useRef, type ReactNode } from 'react';
import ReactGridLayout, {
  useContainerWidth,
  type Compactor,
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
    <div ref={containerRef} className={classes['grid']} data-part={parent !== '' || undefined}>
      {mounted && (
        <ReactGridLayout
          width={width}
          layout={layout}
          gridConfig={gridConfig}
          dragConfig={dragConfig}
          resizeConfig={resizeConfig}
          compactor={compactor}
          onDragStart={begin}
          onDragStop={end}
          onResizeStart={begin}
          onResizeStop={end}
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

/** Pushes widgets while one is dragged, always computed from the layout at the start of the drag. */
function usePushing(
  visible: readonly DraftWidget[],
  actions: WidgetActions,
): {
  readonly compactor: Compactor;
  readonly begin: (layout: Layout, item: LayoutItem | null) => void;
  readonly end: (layout: Layout, item: LayoutItem | null) => void;
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
      end: (layout) => {
        const key = dragged.current?.key;
        dragged.current = undefined;
        const item = layout.find(({ i }) => i === key);
        if (item !== undefined) actions.place(item.i, layoutOf(item));
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
