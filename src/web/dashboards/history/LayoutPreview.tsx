import { Text } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';
import type { Widget } from '#contract/dashboards/dashboards.ts';
import { ownTitleOf } from '#charts/widgets/title.ts';
import { withVisibleLayouts } from '#shared/grid/visible-layouts.ts';
import classes from './LayoutPreview.module.css';

/** A small preview of the layout of a version. */
export const LayoutPreview = ({
  widgets,
  nameOfReport,
}: {
  readonly widgets: readonly Widget[];
  readonly nameOfReport: (reportId: string) => string;
}): ReactNode =>
  widgets.length === 0 ? (
    <Text size="sm" c="dimmed">
      This version has no widgets.
    </Text>
  ) : (
    <ol className={classes['preview']} aria-label="Widgets">
      {withVisibleLayouts(widgets).map((widget) => (
        <li key={widget.id} className={classes['widget']} style={gridAreaOf(widget)}>
          {ownTitleOf(widget) ?? nameOfReport(widget.reportId)}
        </li>
      ))}
    </ol>
  );

const gridAreaOf = ({ layout: { x, y, w, h } }: Widget): CSSProperties => ({
  gridColumn: `${x + 1} / span ${w}`,
  gridRow: `${y + 1} / span ${h}`,
});
