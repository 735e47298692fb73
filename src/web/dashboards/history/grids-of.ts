import type { Widget } from '#contract/dashboards/dashboards.ts';
import { withVisibleLayouts } from '#shared/grid/visible-layouts.ts';
import { structureOf, type Section } from '#shared/sections/structure.ts';
import { sectionTitle, tabTitle } from '#shared/sections/titles.ts';

/** The widgets of a tab or a section. */
interface Grid {
  /** The titles of the tab and the section; empty for what is in neither. */
  readonly title: string;
  readonly widgets: readonly Widget[];
}

/** Returns the grids of a dashboard in reading order. */
export function gridsOf(widgets: readonly Widget[]): Grid[] {
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
