import { Text } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';
import type { Widget } from '#contract/dashboards/dashboards.ts';
import { titleOf } from '../edit/draft/content.ts';
import { withVisibleLayouts } from '../edit/grid/geometry.ts';
import classes from './LayoutPreview.module.css';

/** Where the widgets of a dashboard lay, in small. */
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
        <li key={widget.id} className={classes['widget']} style={placeOf(widget)}>
          {titleOf(widget) ?? nameOfReport(widget.reportId)}
        </li>
      ))}
    </ol>
  );

const placeOf = ({ layout: { x, y, w, h } }: Widget): CSSProperties => ({
  gridColumn: `${x + 1} / span ${w}`,
  gridRow: `${y + 1} / span ${h}`,
});
