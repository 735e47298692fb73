import type { Structure } from '#shared/sections/structure.ts';

/** The tab and the section that a widget is in, by their keys. */
export interface WidgetPlace {
  readonly tab?: string;
  readonly section?: string;
}

/** Returns where a widget is; empty for one outside of tabs and sections. */
export function placeOfWidget(
  { sections, tabs }: Structure<{ readonly id: string }>,
  widgetId: string,
): WidgetPlace {
  const has = ({ widgets }: { readonly widgets: readonly { readonly id: string }[] }) =>
    widgets.some(({ id }) => id === widgetId);
  const tab = tabs.find((each) => has(each) || each.sections.some(has));
  const section = [...sections, ...(tab?.sections ?? [])].find(has);
  return {
    ...(tab !== undefined && { tab: tab.key }),
    ...(section !== undefined && { section: section.key }),
  };
}
