import { filtersOfWidgets, filterWidgetId, labelOf } from '#shared/dashboard-filters/definitions.ts';
import { isSameJson } from '../../records/fields.ts';

type Config = Readonly<Record<string, unknown>>;

/** Describes what changed in the filters of a dashboard, such as `Filters: added “Country”, changed “Day”.` */
export function describeFilterChanges(before: Config, after: Config): string {
  const [from, to] = [filtersIn(before), filtersIn(after)];
  const old = new Map(from.filters.map((filter) => [filter.name, filter]));
  const names = new Set(to.filters.map(({ name }) => name));
  const added = to.filters.filter(({ name }) => !old.has(name));
  const removed = from.filters.filter(({ name }) => !names.has(name));
  const changed = to.filters.filter(
    (filter) => old.has(filter.name) && !isSameJson(old.get(filter.name), filter),
  );
  const orderOf = (filters: typeof to.filters) =>
    filters.map(({ name }) => name).filter((name) => old.has(name) && names.has(name));
  const changes = [
    ...listed('added', added),
    ...listed('changed', changed),
    ...listed('removed', removed),
    ...(isSameJson(orderOf(from.filters), orderOf(to.filters)) ? [] : ['reordered']),
    ...(from.appliesTogether === to.appliesTogether
      ? []
      : [to.appliesTogether ? 'changes now apply together' : 'changes now apply immediately']),
  ];
  return `Filters: ${changes.length === 0 ? 'changed' : changes.join(', ')}.`;
}

const filtersIn = (config: Config) => filtersOfWidgets([{ reportId: filterWidgetId, config }]);

const maxNamed = 5;

function listed(
  verb: string,
  filters: readonly { readonly name: string; readonly label?: string }[],
): string[] {
  if (filters.length === 0) return [];
  const labels = filters
    .slice(0, maxNamed)
    .map((filter) => `“${labelOf(filter).slice(0, 80).toWellFormed()}”`);
  const more = filters.length - labels.length;
  return [`${verb} ${labels.join(', ')}${more > 0 ? ` and ${more} more` : ''}`];
}
