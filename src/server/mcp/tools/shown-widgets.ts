import { Type, type Static } from 'typebox';
import type { Widget } from '#contract/dashboards/dashboards.ts';
import type { Fault } from '#contract/problem.ts';
import { contentOf } from '#shared/content-widgets/content-widgets.ts';
import { isBuiltIn } from '#shared/dashboard-filters/definitions.ts';
import type { Structure } from '#shared/sections/structure.ts';
import { ShownRows } from '../rows.ts';
import { shorten } from '../texts.ts';
import { ReportCitation, Time } from './fields.ts';

/** Of the texts on a dashboard, each of which can have 20,000 characters. */
export const maxTextLength = 2_000;

const Problem = Type.Object({ code: Type.String(), message: Type.String() });

/** A widget as people read it. */
export const ShownWidget = Type.Object({
  id: Type.String(),
  tab: Type.Optional(Type.String()),
  section: Type.Optional(Type.String()),
  title: Type.Optional(Type.String()),
  text: Type.Optional(Type.String({ description: 'What a widget without a report says' })),
  links: Type.Optional(Type.Array(Type.Object({ label: Type.String(), url: Type.String() }))),
  report: Type.Optional(ReportCitation),
  chart: Type.Optional(Type.String()),
  ...Type.Partial(ShownRows).properties,
  computedAt: Type.Optional(Time),
  isFromCache: Type.Optional(Type.Boolean()),
  sameAs: Type.Optional(Type.String({ description: 'The ID of a widget with the same rows' })),
  problem: Type.Optional(Problem),
});
type ShownWidget = Static<typeof ShownWidget>;

/** What the widgets of a line show, or why they don't. */
export type RunLine = Omit<ShownWidget, 'id' | 'problem'> & {
  readonly widgetIds: readonly string[];
  readonly problem?: { readonly code: string; readonly detail: string; readonly errors?: readonly Fault[] };
};

/** Returns widgets with what they show. */
export function toShownWidgets(
  widgets: readonly Widget[],
  structure: Structure<Widget>,
  lines: readonly RunLine[],
): ShownWidget[] {
  const placeOf = placesOf(structure);
  const lineOf = new Map(lines.flatMap((line) => line.widgetIds.map((id) => [id, line] as const)));
  const shownAt = new Map<RunLine, string>();
  return widgets.map((widget) => {
    const { id, reportId, config } = widget;
    const title = config['title'];
    const shown: ShownWidget = {
      id,
      ...placeOf.get(id),
      ...(typeof title === 'string' && title.trim() !== '' && { title: shorten(title, maxTextLength) }),
    };
    if (isBuiltIn(reportId)) return { ...shown, ...textOf(widget) };
    const line = lineOf.get(id);
    if (line === undefined) return shown;
    const first = shownAt.get(line);
    if (first !== undefined) return { ...shown, sameAs: first };
    shownAt.set(line, id);
    return { ...shown, ...resultOf(line) };
  });
}

function resultOf(line: RunLine): Omit<ShownWidget, 'id'> {
  const { problem } = line;
  if (problem === undefined) {
    const { report, chart, columns, rows, rowCount, truncated, computedAt, isFromCache } = line;
    return {
      ...(report && { report }),
      ...(chart !== undefined && { chart }),
      ...(columns && { columns }),
      ...(rows && { rows }),
      ...(rowCount !== undefined && { rowCount }),
      ...(truncated !== undefined && { truncated }),
      ...(computedAt !== undefined && { computedAt }),
      ...(isFromCache !== undefined && { isFromCache }),
    };
  }
  const faults = (problem.errors ?? []).map(({ pointer, message }) => `${pointer} ${message}`);
  return { problem: { code: problem.code, message: [problem.detail, ...faults].join('; ') } };
}

function textOf(widget: Widget): Omit<ShownWidget, 'id'> {
  const content = contentOf(widget);
  switch (content?.kind) {
    case 'text':
    case 'heading':
      return { text: shorten(content.text, maxTextLength) };
    case 'image':
      return { text: content.description };
    case 'links':
      return { links: content.links.map(({ label, url }) => ({ label, url })) };
    case 'divider':
    case undefined:
      return {};
  }
}

/** Returns the titles of the tab and the section that each widget is in. */
function placesOf({ sections, tabs }: Structure<Widget>): Map<string, { tab?: string; section?: string }> {
  const all = [
    ...sections.map((section) => ({ section, tab: '' })),
    ...tabs.flatMap(({ title, widgets, sections: inside }) => [
      { section: { title: '', widgets }, tab: title },
      ...inside.map((section) => ({ section, tab: title })),
    ]),
  ];
  return new Map(
    all.flatMap(({ section: { title, widgets }, tab }) =>
      widgets.map(({ id }) => [id, { ...(tab !== '' && { tab }), ...(title !== '' && { section: title }) }]),
    ),
  );
}
