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

const listed = (
  verb: string,
  filters: readonly { readonly name: string; readonly label?: string }[],
): string[] => listChanges(verb, filters.map(labelOf));

/** Names what was added, changed or removed, such as `added “Country” and 3 more`; nothing if there is none. */
export function listChanges(verb: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const quoted = names.slice(0, maxNamed).map((name) => `“${name.slice(0, 80).toWellFormed()}”`);
  const more = names.length - quoted.length;
  return [`${verb} ${quoted.join(', ')}${more > 0 ? ` and ${more} more` : ''}`];
}
