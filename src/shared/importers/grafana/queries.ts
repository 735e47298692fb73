import { t } from '../../language/messages.ts';
import { findPlaceholders, findUndeclared } from '../../sql/placeholders.ts';
import { scanSql } from '../../sql/scanner.ts';
import { trimStatement } from '../../sql/statement.ts';
import {
  NotConvertible,
  requireShortValues,
  type ChosenSource,
  type ConvertedParameter,
} from '../conversion.ts';
import { withNamedColumns, type OutputColumn } from '../sql/output-columns.ts';
import { fixedInterval, secondsOf } from './intervals.ts';
import { expandMacros, timeFilter } from './macros.ts';
import type { GrafanaDashboard, Variable } from './model.ts';
import { substituteVariables, type VariableUse } from './substitution.ts';

export interface ConvertedQuery {
  readonly query: string;
  readonly parameters: ConvertedParameter[];
  readonly columns: readonly OutputColumn[] | undefined;
}

/** What queries are converted with. */
export interface QueryContext {
  readonly dashboard: GrafanaDashboard;
  /** By their names in Grafana. */
  readonly variables: ReadonlyMap<string, Variable>;
  readonly sourceOf: (name: string) => ChosenSource | undefined;
}

const maxQueryLength = 100_000;
const maxParameters = 50;

/** Returns SQL of Grafana as a query of Atrium. Throws `NotConvertible` if that isn't possible. */
export function convertQuery(
  sql: string,
  source: { readonly name: string; readonly type: string; readonly chosen: ChosenSource },
  context: QueryContext,
  note: (what: string) => void,
): ConvertedQuery {
  const { query, uses, hasTime } = rewrite(sql, source.type, context, note);
  const parameters = new Map<string, ConvertedParameter>();
  for (const [name, use] of uses) addParameter(name, use, { source, context, note, parameters }, []);
  const named = withNamedColumns(query, source.chosen.kind);
  const all = [
    ...(hasTime || [...parameters.values()].some(({ allowed }) => usesTime(allowed?.query ?? ''))
      ? timeParameters()
      : []),
    ...parameters.values(),
  ];
  requireValid(named.query, all);
  requireShortValues(all);
  return { ...named, parameters: all };
}

const usesTime = (sql: string): boolean => sql.includes(`{{${timeFilter}_`);

/** Without a dashboard, all times pass. With a time zone, the range of a dashboard is one of instants. */
const timeParameters = (): ConvertedParameter[] => [
  { name: `${timeFilter}_from`, label: t('From'), type: 'datetime', default: '1970-01-01T00:00:00Z' },
  { name: `${timeFilter}_to`, label: t('To'), type: 'datetime', default: '2100-01-01T00:00:00Z' },
];

function rewrite(
  sql: string,
  type: string,
  { dashboard, variables }: QueryContext,
  note: (what: string) => void,
): { query: string; uses: ReadonlyMap<string, VariableUse>; hasTime: boolean } {
  if (sql.length > maxQueryLength) throw new NotConvertible(t('Its query is too long.'));
  const intervals = new Map(
    [...variables].filter(
      ([, { type, values }]) =>
        type === 'interval' || type === 'constant' || secondsOf(values[0] ?? '') !== undefined,
    ),
  );
  const intervalSeconds = fixedInterval(dashboard.from);
  const expanded = expandMacros(sql.includes('{{') ? withoutBraces(sql) : sql, {
    intervalSeconds,
    note,
    intervalOf: (text) => substituteVariables(text, intervals, note).sql,
  });
  // Placeholders of the time range pass through the substitution under names that it doesn't touch.
  const hasTime = expanded.includes('{{time_');
  const hidden = expanded.replaceAll(/\{\{(time_from|time_to)\}\}/g, '__atrium_$1__');
  const { sql: substituted, uses } = substituteVariables(hidden, variables, note);
  const shown = substituted.replaceAll(/__atrium_(time_from|time_to)__/g, '{{$1}}');
  const query = trimStatement(type === 'mysql' ? withDoubleQuotes(shown) : shown);
  if (query.trim() === '') throw new NotConvertible(t('Its query is empty.'));
  return { query, uses, hasTime };
}

/** Two braces would be a parameter. */
const withoutBraces = (sql: string): string =>
  scanSql(sql)
    .map(({ kind, start, end }) => {
      const text = sql.slice(start, end);
      return kind === 'code' ? text.replaceAll('{{', '{ {') : text;
    })
    .join('');

/** MySQL writes names in backticks. */
const withDoubleQuotes = (sql: string): string =>
  scanSql(sql)
    .map(({ kind, start, end }) => {
      const text = sql.slice(start, end);
      return kind === 'code' ? text.replaceAll('`', '"') : text;
    })
    .join('');

interface Adding {
  readonly source: { readonly name: string; readonly type: string; readonly chosen: ChosenSource };
  readonly context: QueryContext;
  readonly note: (what: string) => void;
  readonly parameters: Map<string, ConvertedParameter>;
}

/** Adds the parameter of a variable, and those that the list of its values depends on. */
function addParameter(name: string, use: VariableUse, adding: Adding, within: readonly string[]): void {
  const { context, parameters, note } = adding;
  const variable = [...context.variables.values()].find((each) => each.name === name);
  if (variable === undefined || parameters.has(name)) return;
  if (parameters.size >= maxParameters - 2) throw new NotConvertible(t('It uses too many variables.'));
  const parameter: ConvertedParameter = {
    name,
    ...(variable.label !== undefined && { label: variable.label.slice(0, 200) }),
    type: use,
    default: defaultOf(variable, use),
  };
  parameters.set(name, parameter);
  const { query, source } = variable;
  if (variable.type !== 'query' || query === undefined) return;
  const chosen = context.sourceOf(source.name);
  try {
    if (chosen?.name !== adding.source.chosen.name || chosen.kind !== adding.source.chosen.kind)
      throw new NotConvertible(t('It lists values of another data source.'));
    if (within.length > 5 || within.includes(name)) throw new NotConvertible(t('It depends on itself.'));
    const listed = rewrite(query, source.type, context, note);
    if (listed.uses.has(name)) throw new NotConvertible(t('It depends on itself.'));
    for (const [other, otherUse] of listed.uses)
      if ([...within, name].includes(other)) throw new NotConvertible(t('It depends on itself.'));
      else addParameter(other, otherUse, adding, [...within, name]);
    if (findPlaceholders(listed.query).faults.length > 0)
      throw new NotConvertible(t('A parameter would be inside quotes.'));
    parameter.allowed = { query: listed.query };
    if (variable.hasRegex)
      note(t('The regular expression of the variable “{name}” was dropped.', { name: variable.name }));
  } catch (error) {
    if (!(error instanceof NotConvertible)) throw error;
    note(
      t('The values of the variable “{name}” can’t be listed. {reason}', {
        name: variable.name,
        reason: error.message,
      }),
    );
  }
}

/** Returns the present value of a variable, and null for all values. */
function defaultOf(
  { values, options, includesAll }: Variable,
  use: VariableUse,
): NonNullable<ConvertedParameter['default']> | null {
  const known = values.filter((value) => value !== '$__all' && value !== '');
  if (use === 'list') return known.length > 0 ? known : null;
  const [value] = known.length > 0 || includesAll ? known : options;
  if (use === 'number') return value === undefined || !Number.isFinite(Number(value)) ? null : Number(value);
  return value ?? (includesAll ? null : '');
}

function requireValid(query: string, parameters: readonly ConvertedParameter[]): void {
  if (query.length > maxQueryLength) throw new NotConvertible(t('Its query is too long.'));
  const { placeholders, faults } = findPlaceholders(query);
  const [fault] = faults;
  if (fault !== undefined) throw new NotConvertible(fault.message);
  const [undeclared] = findUndeclared(placeholders, parameters);
  if (undeclared !== undefined)
    throw new NotConvertible(t('It refers to “{name}”, which is not a variable.', { name: undeclared.name }));
}
