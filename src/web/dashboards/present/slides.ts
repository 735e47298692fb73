import type { Structure } from '#shared/sections/structure.ts';

/** What a presentation shows at a time: the widgets of one grid. */
export interface Slide<Widget> {
  /** Unique in the dashboard. */
  readonly key: string;
  /** The titles of the tab and the section, if it is one of these. */
  readonly titles: readonly string[];
  readonly widgets: readonly Widget[];
}

/** Returns the slides of a dashboard in reading order: one for each grid that has widgets. */
export function slidesOf<Widget>({ widgets, sections, tabs }: Structure<Widget>): Slide<Widget>[] {
  const slide = (key: string, titles: readonly string[], own: readonly Widget[]): Slide<Widget> => ({
    key,
    titles: titles.filter((title) => title !== ''),
    widgets: own,
  });
  const all = [
    slide('', [], widgets),
    ...sections.map((section) => slide(section.key, [section.title], section.widgets)),
    ...tabs.flatMap((tab) => [
      slide(tab.key, [tab.title], tab.widgets),
      ...tab.sections.map((section) => slide(section.key, [tab.title, section.title], section.widgets)),
    ]),
  ];
  return all.filter((each) => each.widgets.length > 0);
}
