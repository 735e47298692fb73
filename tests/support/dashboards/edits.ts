import fc from 'fast-check';
import type { Widget } from '#contract/dashboards/dashboards.ts';
import { sectionWidgetId, tabWidgetId } from '#shared/sections/structure.ts';
import type { DashboardContent } from '../../../src/server/dashboards/content/content.ts';

/** A change that a person makes; numbers select one of the existing widgets. */
export type ContentEdit =
  | { readonly kind: 'rename'; readonly name: string }
  | { readonly kind: 'describe'; readonly description: string | undefined }
  | { readonly kind: 'change'; readonly at: number; readonly parts: Partial<Omit<Widget, 'id'>> }
  | { readonly kind: 'remove'; readonly at: number }
  | { readonly kind: 'add'; readonly at: number; readonly widget: Widget }
  | { readonly kind: 'reorder'; readonly from: number; readonly to: number };

const word = fc.constantFrom('a', 'b', 'c', 'd');
const plain = { noNullPrototype: true };
const layout = fc.record(
  {
    x: fc.integer({ min: 0, max: 9 }),
    y: fc.integer({ min: 0, max: 8 }),
    w: fc.integer({ min: 1, max: 6 }),
    h: fc.integer({ min: 1, max: 4 }),
  },
  plain,
);
const settings = fc.dictionary(
  fc.constantFrom('title', 'limit', 'nested'),
  fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown),
  {
    maxKeys: 2,
    noNullPrototype: true,
  },
);
/** Some of the widgets are tabs and sections, and some are in them. */
const structure = fc.record({ key: word, parent: word }, { requiredKeys: [], noNullPrototype: true });
const config = fc.tuple(settings, structure).map(([one, other]) => ({ ...one, ...other }));
const widget: fc.Arbitrary<Widget> = fc.record(
  {
    id: fc.uuid({ version: 7 }),
    reportId: fc.oneof(
      { weight: 3, arbitrary: word },
      { weight: 1, arbitrary: fc.constantFrom(tabWidgetId, sectionWidgetId) },
    ),
    layout,
    config,
  },
  plain,
);
const at = fc.nat();

export const dashboardContent: fc.Arbitrary<DashboardContent> = fc
  .record({
    name: word,
    description: fc.option(word, { nil: undefined }),
    widgets: fc.uniqueArray(widget, { maxLength: 8, selector: ({ id }) => id }),
  })
  .map(({ name, description, widgets }) => ({
    name,
    ...(description !== undefined && { description }),
    widgets,
  }));

export const contentEdits: fc.Arbitrary<ContentEdit[]> = fc.array(
  fc.oneof<fc.Arbitrary<ContentEdit>[]>(
    fc.record({ kind: fc.constant('rename'), name: word }),
    fc.record({ kind: fc.constant('describe'), description: fc.option(word, { nil: undefined }) }),
    fc.record({
      kind: fc.constant('change'),
      at,
      parts: fc.oneof(
        fc.record({ reportId: word }, plain),
        fc.record({ layout }, plain),
        fc.record({ config }, plain),
      ),
    }),
    fc.record({ kind: fc.constant('remove'), at }),
    fc.record({ kind: fc.constant('add'), at, widget }),
    fc.record({ kind: fc.constant('reorder'), from: at, to: at }),
  ),
  { minLength: 1, maxLength: 8 },
);

/** Returns a dashboard with changes applied. */
export const applyEdits = (content: DashboardContent, edits: readonly ContentEdit[]): DashboardContent =>
  edits.reduce(applyEdit, content);

function applyEdit(content: DashboardContent, edit: ContentEdit): DashboardContent {
  const { widgets } = content;
  const place = (number: number) => (widgets.length === 0 ? 0 : number % widgets.length);
  switch (edit.kind) {
    case 'rename':
      return { ...content, name: edit.name };
    case 'describe':
      return {
        name: content.name,
        ...(edit.description !== undefined && { description: edit.description }),
        widgets,
      };
    case 'change':
      return {
        ...content,
        widgets: widgets.map((one, index) => (index === place(edit.at) ? { ...one, ...edit.parts } : one)),
      };
    case 'remove':
      return { ...content, widgets: widgets.toSpliced(place(edit.at), 1) };
    case 'add':
      // IDs are unique.
      if (widgets.some(({ id }) => id === edit.widget.id)) return content;
      return { ...content, widgets: widgets.toSpliced(place(edit.at), 0, edit.widget) };
    case 'reorder': {
      const moved = widgets.slice(place(edit.from), place(edit.from) + 1);
      return {
        ...content,
        widgets: widgets.toSpliced(place(edit.from), 1).toSpliced(place(edit.to), 0, ...moved),
      };
    }
  }
}
