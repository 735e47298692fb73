import { hashKey } from '@tanstack/react-query';
import type { Search } from '../../ui/browser/search.ts';

/** A result that a page wants to show. */
export interface Wanted {
  /** Identifies the result: the ID of its widget; in a section that is repeated, also the value. */
  readonly slot: string;
  readonly widgetId: string;
  /** The filters that are different from the dashboard's. */
  readonly filters: Search;
}

/** Results that are requested together. */
export interface Batch {
  readonly wanted: readonly Wanted[];
  readonly filters: Search;
  /** Undefined if they are all widgets of the dashboard. */
  readonly widgetIds: readonly string[] | undefined;
}

/** Keeps the address of a request below the limits of servers and proxies. */
const maxWidgets = 100;

/** Returns the requests for results: one for each combination of filters, and more for very many widgets. */
export function batchesOf(wanted: readonly Wanted[], allWidgetIds: readonly string[]): Batch[] {
  const groups = Map.groupBy(wanted, ({ filters }) => hashKey([filters]));
  return [...groups.values()].flatMap((group): Batch[] => {
    const filters = group[0]?.filters ?? {};
    const ids = new Set(group.map(({ widgetId }) => widgetId));
    if (allWidgetIds.every((id) => ids.has(id))) return [{ wanted: group, filters, widgetIds: undefined }];
    const batches = Math.ceil(group.length / maxWidgets);
    return Array.from({ length: batches }, (_, index) => {
      const part = group.slice(index * maxWidgets, (index + 1) * maxWidgets);
      return { wanted: part, filters, widgetIds: [...new Set(part.map(({ widgetId }) => widgetId))] };
    });
  });
}
