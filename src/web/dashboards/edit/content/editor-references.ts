import { createContext } from 'react';
import type { ReferenceContext } from '#charts/content/reference-values.ts';
import { titleOf } from '#charts/widgets/title.ts';
import { isBuiltIn } from '#shared/dashboard-filters/definitions.ts';
import type { DashboardFilter } from '#shared/dashboard-filters/filter-list.ts';
import { structureOf, widgetsInOrder } from '#shared/sections/structure.ts';
import type { Search } from '../../../ui/browser/search.ts';
import type { DraftContent } from '../draft/content.ts';
import type { EditorResults } from '../use-editor-results.ts';

/** What the texts of the edited dashboard can refer to. */
export const EditorReferences = createContext<ReferenceContext>({
  widgets: [],
  filters: [],
  values: {},
  isLoading: true,
});

/** Returns what the texts of an edit can refer to, with the results that have arrived. */
export const referencesOf = (
  { widgets }: DraftContent,
  results: EditorResults,
  filters: readonly DashboardFilter[],
  values: Search,
): ReferenceContext => ({
  widgets: widgetsInOrder(structureOf(widgets))
    .filter(({ reportId }) => !isBuiltIn(reportId))
    .map((widget) => {
      const line = results.lineOf(widget);
      return { id: widget.key, title: titleOf({ widget, line }), line };
    }),
  filters,
  values,
  isLoading: results.isLoading,
});
