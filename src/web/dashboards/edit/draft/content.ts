import { hashKey } from '@tanstack/react-query';
import type { Dashboard, DashboardEdit, Widget, WidgetLayout } from '#contract/dashboards/dashboards.ts';
import { placeWidgets } from '#shared/grid/placement.ts';
import { withVisibleLayouts } from '../grid/geometry.ts';
import { layAt, type Placed } from '../grid/widget-pushing.ts';

/** A widget of a draft. One that was never saved has no id yet; its key tells it from the others. */
export interface DraftWidget extends Placed, Readonly<Omit<Widget, 'id' | 'layout'>> {
  readonly id?: string;
}

/** All that is edited of a dashboard; an empty description is none. */
export interface DraftContent {
  readonly name: string;
  readonly description: string;
  readonly widgets: readonly DraftWidget[];
}

/** The least that a widget is made by hand; smaller ones that are stored stay as they are. */
export const leastSize = { w: 2, h: 2 } as const;

export const contentOf = ({
  name,
  description = '',
  widgets,
}: Pick<Dashboard, 'name' | 'description' | 'widgets'>): DraftContent => ({
  name,
  description,
  widgets: widgets.map((widget) => ({ ...widget, key: widget.id })),
});

/** What a content is saved as. */
export const editOf = ({ name, description, widgets }: DraftContent): DashboardEdit => ({
  name,
  ...(description !== '' && { description }),
  widgets: widgets.map(({ key: _key, ...widget }) => widget),
});

/** Whether two contents are saved as the same, in whatever order their members are. */
export const isSameContent = (one: DraftContent, other: DraftContent): boolean =>
  one === other || hashKey([editOf(one)]) === hashKey([editOf(other)]);

/** The title that a widget was given; undefined where it has that of its report. */
export const titleOf = ({ config }: Pick<DraftWidget, 'config'>): string | undefined =>
  typeof config['title'] === 'string' && config['title'] !== '' ? config['title'] : undefined;

/** Lays a widget elsewhere, or in another size. Layouts of widgets that do not move stay as they are stored. */
export function moveWidget(content: DraftContent, key: string, target: WidgetLayout): DraftContent {
  const visible = withVisibleLayouts(content.widgets);
  const before = new Map(visible.map((widget) => [widget.key, widget.layout]));
  const after = new Map(layAt(visible, key, target).map((widget) => [widget.key, widget.layout]));
  const widgets = content.widgets.map((widget) => {
    const layout = after.get(widget.key) ?? widget.layout;
    return isSameLayout(layout, before.get(widget.key) ?? layout) ? widget : { ...widget, layout };
  });
  return widgets.every((widget, index) => widget === content.widgets[index])
    ? content
    : { ...content, widgets };
}

/** Adds a widget of a report in the first free slot of the grid. */
export function addWidget(content: DraftContent, key: string, reportId: string): DraftContent {
  const visible = withVisibleLayouts(content.widgets).map(({ layout }) => layout);
  const layout = placeWidgets([...visible, undefined]).at(-1);
  if (layout === undefined) throw new Error('Every widget is placed.');
  return { ...content, widgets: [...content.widgets, { key, reportId, layout, config: {} }] };
}

/** Adds a copy of a widget right below it; what lies there moves down. */
export function duplicateWidget(content: DraftContent, key: string, newKey: string): DraftContent {
  const widget = content.widgets.find((each) => each.key === key);
  const layout = withVisibleLayouts(content.widgets).find((each) => each.key === key)?.layout;
  if (widget === undefined || layout === undefined) return content;
  // Elsewhere at first, so that it is laid there as one that is moved.
  const copy = { ...withoutId(widget), key: newKey, layout: { ...layout, y: endOf(content) } };
  const target = { ...layout, y: layout.y + layout.h };
  return moveWidget({ ...content, widgets: [...content.widgets, copy] }, newKey, target);
}

export const removeWidget = (content: DraftContent, key: string): DraftContent => ({
  ...content,
  widgets: content.widgets.filter((widget) => widget.key !== key),
});

/** Changes parts of a widget, and its title; with an empty one, it has that of its report. */
export const changeWidget = (
  content: DraftContent,
  key: string,
  { title, ...parts }: Partial<DraftWidget> & { readonly title: string },
): DraftContent => ({
  ...content,
  widgets: content.widgets.map((widget) => {
    if (widget.key !== key) return widget;
    const others = Object.entries(widget.config).filter(([name]) => name !== 'title');
    const config = Object.fromEntries(title === '' ? others : [...others, ['title', title]]);
    return { ...widget, ...parts, config };
  }),
});

/** A copy of a widget is a new one. */
export const withoutId = ({ id: _id, ...widget }: DraftWidget): Omit<DraftWidget, 'id'> => widget;

const endOf = (content: DraftContent): number =>
  withVisibleLayouts(content.widgets).reduce((end, { layout }) => Math.max(end, layout.y + layout.h), 0);

const isSameLayout = (one: WidgetLayout, other: WidgetLayout): boolean =>
  one.x === other.x && one.y === other.y && one.w === other.w && one.h === other.h;
