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
import { leastSize, type DraftContent, type DraftWidget } from '../draft/content.ts';
import classes from './EditorGrid.module.css';
import { EditorWidget } from '../widget/EditorWidget.tsx';
import { gridColumns } from '#shared/grid/layout.ts';
import { gridGapPx, rowHeightPx, withVisibleLayouts } from './geometry.ts';
import type { EditorResults } from '../use-editor-results.ts';
import type { WidgetActions } from '../widget/use-widget-actions.ts';
import { layAt } from './widget-pushing.ts';

// The same objects at each drawing: the grid looks again at widgets whose settings are others.
const gridConfig = {
  cols: gridColumns,
  rowHeight: rowHeightPx,
  margin: [gridGapPx, gridGapPx],
  containerPadding: [0, 0],
  maxRows: Infinity,
} as const;
const dragConfig = { enabled: true, handle: '[data-drag-handle]', cancel: '[data-no-drag]', threshold: 3 };
const resizeConfig = { enabled: true, handles: ['s', 'e', 'se'] } as const;

// By this name, what drags takes the nonce for the style that it adds to the page.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() });

/** The grid on which widgets are dragged and resized: what they are laid on makes way, and comes back. */
export function EditorGrid({
  content,
  titles,
  actions,
  results,
  moving,
}: {
  readonly content: DraftContent;
  readonly titles: ReadonlyMap<string, string>;
  readonly actions: WidgetActions;
  readonly results: EditorResults;
  readonly moving: string | undefined;
}): ReactNode {
  const { width, containerRef, mounted } = useContainerWidth();
  const visible = useMemo(() => withVisibleLayouts(content.widgets), [content.widgets]);
  const { compactor, begin, end } = usePushing(visible, actions);
  const layout = useMemo(() => visible.map(itemOf), [visible]);
  const children = useMemo(
    () =>
      visible.map(({ key, reportId, layout }) => (
        <div key={key}>
          <EditorWidget
            widgetKey={key}
            title={titles.get(key) ?? ''}
            place={layoutInWords(layout)}
            isMoving={key === moving}
            isStacked={false}
            actions={actions}
            line={results.lines.get(reportId)}
            isReading={results.isReading}
            onRetry={results.retry}
          />
        </div>
      )),
    [visible, titles, moving, actions, results.lines, results.isReading, results.retry],
  );
  return (
    <div ref={containerRef} className={classes['grid']}>
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

const itemOf = ({ key, layout }: DraftWidget): LayoutItem => ({
  i: key,
  ...layout,
  minW: Math.min(leastSize.w, layout.w),
  minH: Math.min(leastSize.h, layout.h),
});

/** What lays out while a pointer drags: always from how all lay when it began, and otherwise nothing. */
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
        // The grid itself pushes nothing: it would push from where things are at the moment, and not back.
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
        if (item !== undefined) actions.lay(item.i, layoutOf(item));
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
  const laid = new Map(layAt(start, key, layoutOf(item)).map((widget) => [widget.key, widget.layout]));
  return layout.map((each) => ({ ...each, ...laid.get(each.i) }));
}

const layoutOf = ({ x, y, w, h }: LayoutItem) => ({ x, y, w, h });
