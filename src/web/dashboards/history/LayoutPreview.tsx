import { Text } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';
import type { Widget } from '#contract/dashboards/dashboards.ts';
import { ownTitleOf } from '#charts/widgets/title.ts';
import { nameOfContent } from '#shared/content-widgets/content-widgets.ts';
import { withVisibleLayouts } from '#shared/grid/visible-layouts.ts';
import { t } from '#shared/language/messages.ts';
import { structureOf, type Section } from '#shared/sections/structure.ts';
import { sectionTitle, tabTitle } from '#shared/sections/titles.ts';
import classes from './LayoutPreview.module.css';

interface Grid {
  /** The titles of the tab and the section; empty for what is in neither. */
  readonly title: string;
  readonly widgets: readonly Widget[];
}

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

function gridsOf(widgets: readonly Widget[]): Grid[] {
  const { widgets: top, sections, tabs } = structureOf(widgets);
  const ofSection = (section: Section<Widget>, tab = ''): Grid => ({
    title: `${tab}${sectionTitle(section)}`,
    widgets: section.widgets,
  });
  return [
    ...(withVisibleLayouts(top).length > 0 ? [{ title: '', widgets: top }] : []),
    ...sections.map((section) => ofSection(section)),
    ...tabs.flatMap((tab) => {
      const title = tabTitle(tab);
      return [
        { title, widgets: tab.widgets },
        ...tab.sections.map((section) => ofSection(section, `${title} › `)),
      ];
    }),
  ];
}

const gridAreaOf = ({ layout: { x, y, w, h } }: Widget): CSSProperties => ({
  gridColumn: `${x + 1} / span ${w}`,
  gridRow: `${y + 1} / span ${h}`,
});
