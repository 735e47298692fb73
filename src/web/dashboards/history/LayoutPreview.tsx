import { Text } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';
import type { Widget } from '#contract/dashboards/dashboards.ts';
import { ownTitleOf } from '#charts/widgets/title.ts';
import { nameOfContent } from '#shared/content-widgets/content-widgets.ts';
import { withVisibleLayouts } from '#shared/grid/visible-layouts.ts';
import { t } from '#shared/language/messages.ts';
import { gridsOf } from './grids-of.ts';
import classes from './LayoutPreview.module.css';

/** A small preview of the layout of a version, with the grid of each tab and section. */
export function LayoutPreview({
  widgets,
  nameOfReport,
}: {
  readonly widgets: readonly Widget[];
  readonly nameOfReport: (reportId: string) => string;
}): ReactNode {
  const grids = gridsOf(widgets);
  if (grids.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('This version has no widgets.')}
      </Text>
    );
  }
  return grids.map(({ title, widgets }, index) => (
    <div key={index}>
      {title !== '' && (
        <Text component="h3" size="sm" fw={600} mt="xs" mb={4}>
          {title}
        </Text>
      )}
      <ol
        className={classes['preview']}
        aria-label={title === '' ? t('Widgets') : t('Widgets of {title}', { title })}
      >
        {withVisibleLayouts(widgets).map((widget) => (
          <li key={widget.id} className={classes['widget']} style={gridAreaOf(widget)}>
            {nameOfContent(widget) ?? ownTitleOf(widget) ?? nameOfReport(widget.reportId)}
          </li>
        ))}
      </ol>
    </div>
  ));
}

const gridAreaOf = ({ layout: { x, y, w, h } }: Widget): CSSProperties => ({
  gridColumn: `${x + 1} / span ${w}`,
  gridRow: `${y + 1} / span ${h}`,
});
