import type { CSSProperties, ReactNode } from 'react';
import type { Widget, WidgetLayout } from '#contract/dashboards/dashboards.ts';
import { contentKindOf } from '#shared/content-widgets/content-widgets.ts';
import { gridColumns } from '#shared/grid/layout.ts';
import { gridGapPx, heightOfRowsPx, rowHeightPx, withVisibleLayouts } from '#shared/grid/visible-layouts.ts';
import classes from './DashboardGrid.module.css';

/** The widgets of a dashboard in their layout; on a phone, in one column in reading order. */
export const DashboardGrid = ({
  widgets,
  highlighted,
  children,
}: {
  readonly widgets: readonly Widget[];
  /** The IDs of the widgets to which the current filter applies. */
  readonly highlighted?: readonly string[] | undefined;
  readonly children: (widget: Widget) => ReactNode;
}): ReactNode => (
  <div className={classes['grid']} style={gridVariables}>
    {withVisibleLayouts(widgets).map((widget) => (
      <div
        key={widget.id}
        className={classes['cell']}
        style={cellVariables(widget.layout)}
        data-filtered={highlighted?.includes(widget.id) || undefined}
        data-content={contentKindOf(widget)}
      >
        {children(widget)}
      </div>
    ))}
  </div>
);

// Sound because React sets custom properties, although its types don't include them.
const gridVariables = {
  '--grid-columns': gridColumns,
  '--grid-row-height': `${rowHeightPx}px`,
  '--grid-gap': `${gridGapPx}px`,
} as CSSProperties;

const cellVariables = ({ x, y, w, h }: WidgetLayout): CSSProperties =>
  ({
    '--cell-columns': `${x + 1} / span ${w}`,
    '--cell-rows': `${y + 1} / span ${h}`,
    '--cell-height': `${heightOfRowsPx(h)}px`,
  }) as CSSProperties;
