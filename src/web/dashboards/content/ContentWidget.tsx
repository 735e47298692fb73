import { useId, useLayoutEffect, useMemo, type ReactNode } from 'react';
import type { Widget } from '#contract/dashboards/dashboards.ts';
import {
  widgetIdsFor,
  type ReferenceContext,
  type ReferencedWidget,
} from '#charts/content/reference-values.ts';
import { titleOf } from '#charts/widgets/title.ts';
import { contentOf } from '#shared/content-widgets/content-widgets.ts';
import type { Search } from '../../ui/browser/search.ts';
import type { Wanted } from '../results/batches.ts';
import type { OpenDashboard } from '../view/open-dashboard.ts';
import { referencesIn } from '#shared/content-widgets/references-in.ts';
import { ContentFrame } from './ContentFrame.tsx';

/** A widget without a report on an open dashboard. The results that it refers to are loaded with it. */
export function ContentWidget({
  widget,
  level,
  open,
  beside,
  values,
}: {
  readonly widget: Widget;
  readonly level: 2 | 3 | 4;
  readonly open: OpenDashboard;
  /** The results on the same grid: in a section that is repeated, a title means the widget in the same repetition. */
  readonly beside: readonly Wanted[];
  readonly values: Search;
}): ReactNode {
  const { results, want, filters } = open;
  const id = useId();
  const references = useMemo(() => referencesIn(contentOf(widget)), [widget]);
  const slots = useMemo(() => {
    const here = new Map(beside.map((wanted) => [wanted.widgetId, wanted]));
    return open.widgets.map(
      (each): Wanted => here.get(each.id) ?? { slot: each.id, widgetId: each.id, filters: {} },
    );
  }, [open.widgets, beside]);
  const widgets = useMemo(
    () =>
      open.widgets.map((each, index): ReferencedWidget => {
        const line = results.lines.get(slots[index]?.slot ?? '')?.line;
        return { id: each.id, title: titleOf({ widget: each, line }), line };
      }),
    [open.widgets, slots, results.lines],
  );
  const wantedIds = widgetIdsFor(references, widgets).join(' ');
  const wanted = useMemo(() => {
    const ids = new Set(wantedIds.split(' '));
    return slots.filter(({ widgetId }) => ids.has(widgetId));
  }, [wantedIds, slots]);
  useLayoutEffect(() => {
    if (wanted.length === 0) return undefined;
    want(id, wanted);
    return () => want(id, undefined);
  }, [want, id, wanted]);
  const context: ReferenceContext = {
    widgets,
    filters,
    values,
    isLoading:
      results.loading.size > 0 ||
      wanted.some(({ slot }) => !results.lines.has(slot) && !results.missing.has(slot)),
  };
  return <ContentFrame widget={widget} level={level} context={context} />;
}
