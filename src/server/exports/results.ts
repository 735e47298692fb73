import type { Widget } from '#contract/dashboards/dashboards.ts';
import { widgetIdsFor } from '#charts/content/reference-values.ts';
import { titleOf } from '#charts/widgets/title.ts';
import { contentKindOf, contentOf } from '#shared/content-widgets/content-widgets.ts';
import { referencesIn } from '#shared/content-widgets/references-in.ts';
import type { GivenValues } from '#shared/dashboard-filters/values.ts';
import type { Calendar } from '#shared/dates/days.ts';
import { structureOf, type Section } from '#shared/sections/structure.ts';
import type { Actor } from '../base/actor.ts';
import { findRepetitions, type RepeatedSection } from '../dashboards/results/repetitions.ts';
import { runDashboard, type DashboardResultDependencies } from '../dashboards/results/results.ts';
import type { RepetitionLine } from './job.ts';

/** All repetitions of a dashboard. A section is repeated at most 20 times; a dashboard can have hundreds of sections. */
const maxRepetitions = 60;

type Sections = readonly (Section<Widget> & { readonly repeatedBy: string })[];

/** Returns how the sections of a dashboard are repeated, by their keys. Those that have no filter are left out. */
export async function findRepeatedSections(
  dependencies: DashboardResultDependencies,
  actor: Actor,
  context: {
    readonly widgets: readonly Widget[];
    readonly values: GivenValues;
    readonly calendar: Calendar;
    readonly signal: AbortSignal;
  },
): Promise<Readonly<Record<string, RepeatedSection>>> {
  const repeated: [string, RepeatedSection][] = [];
  let left = maxRepetitions;
  for (const section of repeatedSections(context.widgets)) {
    const found = await findRepetitions(dependencies, actor, { ...context, section });
    const shown = found.repetitions.slice(0, left);
    left -= shown.length;
    const count = found.repetitions.length;
    const isCut = shown.length < count;
    const note = { kind: 'limited', shownCount: shown.length, count, maxCount: maxRepetitions } as const;
    repeated.push([section.key, { ...found, repetitions: shown, ...(isCut && { note }) }]);
  }
  return Object.fromEntries(repeated);
}

function repeatedSections(widgets: readonly Widget[]): Sections {
  const { sections, tabs } = structureOf(widgets);
  return [...sections, ...tabs.flatMap((tab) => tab.sections)].flatMap((section) =>
    section.repeatedBy === undefined || section.widgets.length === 0
      ? []
      : [{ ...section, repeatedBy: section.repeatedBy }],
  );
}

/** Returns the results of a dashboard as NDJSON, and after them those of its sections for each value that they are repeated for. */
export async function* exportedResults(
  dependencies: DashboardResultDependencies,
  actor: Actor,
  input: Omit<Parameters<typeof runDashboard>[2], 'widgetIds' | 'isView' | 'isForced'> & {
    readonly widgets: readonly Widget[];
    /** The only widget to export. */
    readonly widget: Widget | undefined;
    readonly repeated: Readonly<Record<string, RepeatedSection>>;
  },
): AsyncGenerator<string | Uint8Array> {
  const { widgets, widget, repeated } = input;
  const run = (ids: readonly string[], values = input.values) =>
    runDashboard(dependencies, actor, {
      ...input,
      widgetIds: new Set(ids),
      values,
      isView: false,
      isForced: false,
    });
  if (widget !== undefined) {
    yield* await run(neededBy(widget, widgets));
    return;
  }
  const sections = repeatedSections(widgets);
  const inside = new Set(
    sections.flatMap(({ key, widgets: own }) => (repeated[key]?.isRepeated === true ? own : [])),
  );
  const outside = widgets.filter((each) => !inside.has(each));
  // A text elsewhere can refer to a widget of a repeated section, as it is without the values of the section.
  yield* await run([...outside.map(({ id }) => id), ...outside.flatMap((each) => neededBy(each, widgets))]);
  for (const { key, widgets: own } of sections) {
    for (const { filter, value } of repeated[key]?.repetitions ?? []) {
      yield `${JSON.stringify({ repetitionOf: { section: key, value } } satisfies RepetitionLine)}\n`;
      yield* await run(
        own.map(({ id }) => id),
        { ...input.values, [filter]: value },
      );
    }
  }
}

/** Returns the IDs of the widgets whose results a widget shows: its own, or those that its text refers to. */
function neededBy(widget: Widget, widgets: readonly Widget[]): string[] {
  if (contentKindOf(widget) === undefined) return [widget.id];
  const titled = widgets.map((each) => ({
    id: each.id,
    title: titleOf({ widget: each, line: undefined }),
    line: undefined,
  }));
  return widgetIdsFor(referencesIn(contentOf(widget)), titled);
}
