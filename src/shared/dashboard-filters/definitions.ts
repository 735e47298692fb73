import { parameterName } from '../parameter-values.ts';

/** Widgets with such an ID instead of that of a report show no report. */
export const isBuiltIn = (reportId: string): boolean => reportId.startsWith('builtin:');

/** The widget whose config has the filters of a dashboard. It has no size, and isn't shown. */
export const filterWidgetId = 'builtin:filters';

export const filterKinds = [
  'date_range',
  'date',
  'list',
  'select',
  'number_range',
  'text',
  'boolean',
] as const;
/** How a filter is set. `list` has any number of values, `select` one. */
export type FilterKind = (typeof filterKinds)[number];

/** A value of a filter as it is in the URL: one text, or several. */
export type FilterText = string | readonly string[];

/** A filter of a dashboard, as its author defines it. */
export interface FilterDefinition {
  /** Its name in the URL, and the parameter that it sets unless a widget says otherwise. */
  readonly name: string;
  readonly label?: string;
  readonly kind: FilterKind;
  /** Its value while the URL has none. */
  readonly default?: FilterText;
  /** Whether the reports that it affects aren't run until it has a value. */
  readonly isRequired?: boolean;
  /** The filters whose values limit those of this one. */
  readonly dependsOn?: readonly string[];
  readonly values?: FilterValues;
}

/**
 * Where a list gets the values to choose from: fixed values, or the values of a column of a report. Default: the allowed values
 * of its parameter.
 */
export type FilterValues =
  | { readonly fixed: readonly string[] }
  | { readonly reportId: string; readonly column: string };

/** The filters of a dashboard. */
export interface DashboardFilters {
  readonly filters: readonly FilterDefinition[];
  /** Whether changes apply together, with a button. Otherwise, each applies immediately. */
  readonly appliesTogether: boolean;
}

interface StoredWidget {
  readonly reportId: string;
  readonly config?: Readonly<Record<string, unknown>> | undefined;
}

const maxFilters = 50;
/** Each report that lacks a required value repeats the label. */
const maxLabelLength = 200;

/**
 * Returns the filters in the widgets of a dashboard. A config may have anything, so whatever isn't valid is left out, as are
 * filters with the name of an earlier one. Two people can each have added a widget with filters: all of them apply.
 */
export function filtersOfWidgets(widgets: readonly StoredWidget[]): DashboardFilters {
  const configs = widgets.flatMap(({ reportId, config }) =>
    reportId === filterWidgetId && config !== undefined ? [config] : [],
  );
  const byName = new Map<string, FilterDefinition>();
  for (const filter of configs.flatMap(({ filters }) => listIn(filters).flatMap(toDefinition)))
    if (!byName.has(filter.name)) byName.set(filter.name, filter);
  return {
    filters: [...byName.values()].slice(0, maxFilters),
    appliesTogether: configs.some(({ appliesTogether }) => appliesTogether === true),
  };
}

/** Returns the label of a filter, or else its name. */
export const labelOf = ({ name, label = '' }: Pick<FilterDefinition, 'name' | 'label'>): string =>
  label === '' ? name : label;

/** Returns the IDs of the reports that widgets use: those that they show, and those that filters have the values of. */
export function reportIdsOf(widgets: readonly StoredWidget[]): string[] {
  const shown = widgets.map(({ reportId }) => reportId).filter((id) => !isBuiltIn(id));
  const listed = filtersOfWidgets(widgets).filters.flatMap(({ values }) =>
    values !== undefined && 'reportId' in values ? [values.reportId] : [],
  );
  return [...new Set([...shown, ...listed])];
}

/** Returns the config of a widget with other IDs for the reports that its filters have the values of. */
export function configWithReportIds(
  { reportId, config }: { readonly reportId: string; readonly config: Readonly<Record<string, unknown>> },
  idOf: (reportId: string) => string,
): Readonly<Record<string, unknown>> {
  if (reportId !== filterWidgetId || !Array.isArray(config['filters'])) return config;
  const filters = config['filters'].map((filter: unknown) => {
    const values = objectIn(objectIn(filter)?.['values']);
    const id = values?.['reportId'];
    if (typeof id !== 'string') return filter;
    return { ...objectIn(filter), values: { ...values, reportId: idOf(id) } };
  });
  return { ...config, filters };
}

function toDefinition(value: unknown): FilterDefinition[] {
  const { name, label, kind, default: preset, isRequired, dependsOn, values } = objectIn(value) ?? {};
  if (typeof name !== 'string' || !parameterName.test(name) || !isKind(kind)) return [];
  const others = textsIn(dependsOn).filter((other) => other !== name);
  const choices = toValues(values);
  return [
    {
      name,
      ...(typeof label === 'string' && label.length <= maxLabelLength && { label }),
      kind,
      ...(isText(preset) && { default: preset }),
      ...(isRequired === true && { isRequired }),
      ...(others.length > 0 && { dependsOn: others }),
      ...(choices !== undefined && { values: choices }),
    },
  ];
}

function toValues(value: unknown): FilterValues | undefined {
  const { fixed, reportId, column } = objectIn(value) ?? {};
  if (Array.isArray(fixed)) return { fixed: textsIn(fixed) };
  return typeof reportId === 'string' && typeof column === 'string' ? { reportId, column } : undefined;
}

const isKind = (kind: unknown): kind is FilterKind => (filterKinds as readonly unknown[]).includes(kind);

const isText = (value: unknown): value is FilterText =>
  typeof value === 'string' ||
  (Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string'));

/** Returns a value if it is an object, or else undefined. */
export const objectIn = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  // Sound because it has been checked.
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const textsIn = (value: unknown): string[] => listIn(value).filter((each) => typeof each === 'string');
