import { objectIn } from '../../dashboard-filters/definitions.ts';
import { t } from '../../language/messages.ts';
import { shorten, type Note } from '../conversion.ts';
import { fieldsIn, listIn, objectsIn, own, textIn, type Fields } from '../values.ts';
import type { Target, Variable } from './model.ts';

/** The data source of queries that name none. */
const unnamed = 'default';

/**
 * Returns the name and type of a data source as older versions name it (`"My database"`), or newer ones
 * (`{"type": "mysql", "uid": "…"}`). `inputs` are the names of the sources that a shared file asks for.
 */
export function sourceOf(
  reference: unknown,
  fallback: Target['source'],
  inputs: ReadonlyMap<string, Target['source']>,
): Target['source'] {
  const name =
    typeof reference === 'string' ? reference : (textIn(reference, 'uid') ?? textIn(reference, 'name'));
  const type = textIn(reference, 'type');
  if (name === undefined)
    return type === undefined
      ? fallback
      : { name: fallback.type === type || fallback.name !== unnamed ? fallback.name : type, type };
  const input = /^\$\{(\w{1,200})\}$/.exec(name)?.[1];
  const known = input === undefined ? undefined : inputs.get(input);
  return known ?? { name, type: type ?? (fallback.name === name ? fallback.type : '') };
}

export const noSource: Target['source'] = { name: unnamed, type: '' };

/** Returns a variable from its settings, which the versions share. */
export function readVariable(type: string, settings: Fields, source: Target['source']): Variable | undefined {
  const name = textIn(settings, 'name');
  if (name === undefined || !/^\w{1,100}$/.test(name)) return undefined;
  const value = own(fieldsIn(settings, 'current'), 'value');
  const present = (Array.isArray(value) ? value.slice(0, 1_000) : [value]).filter(
    (each) => typeof each === 'string' || typeof each === 'number',
  );
  const listed = objectsIn(settings, 'options').flatMap((option) => textIn(option, 'value') ?? []);
  const query = own(settings, 'query');
  const commaSeparated = typeof query === 'string' && type !== 'query' ? splitOptions(query) : [];
  return {
    name,
    label: textIn(settings, 'label'),
    type,
    isMulti: own(settings, 'multi') === true,
    includesAll: own(settings, 'includeAll') === true,
    values: present.map(String),
    options: (listed.length > 0 ? listed : commaSeparated)
      .filter((each) => each !== '$__all')
      .slice(0, 1_000),
    query: queryTextOf(query),
    source,
    hasRegex: textIn(settings, 'regex') !== undefined,
  };
}

/** Returns the values of `a, b : c`, of which `c` is shown as `b`. A comma is written as `\,`. */
const splitOptions = (text: string): string[] =>
  text
    .slice(0, 100_000)
    .split(/(?<!\\),/)
    .map((part) => (part.split(' : ', 2)[1] ?? part).replaceAll('\\,', ',').trim())
    .filter((part) => part !== '');

/** Returns the SQL of a query of a variable, which is text or in an object. */
function queryTextOf(query: unknown): string | undefined {
  if (typeof query === 'string') return query === '' ? undefined : query;
  const fields = objectIn(query);
  if (fields === undefined) return undefined;
  return textIn(fields, 'rawSql') ?? textIn(fields, 'query') ?? queryTextOfSpec(own(fields, 'spec'));
}

const queryTextOfSpec = (spec: unknown): string | undefined =>
  textIn(spec, 'rawSql') ?? textIn(spec, 'query') ?? textIn(spec, '__legacyStringValue');

/** Returns the names of annotations except the ones that Grafana builds in. */
export const annotationNames = (annotations: readonly Fields[]): string[] =>
  annotations
    .filter((each) => own(each, 'builtIn') !== 1 && own(each, 'builtIn') !== true)
    .map((each) => textIn(each, 'name') ?? '');

/** Returns the names of transformations. */
export const transformationNames = (settings: unknown, name: string): string[] =>
  objectsIn(settings, name).map(
    (each) =>
      textIn(each, 'id') ??
      textIn(each, 'group') ??
      textIn(fieldsIn(each, 'spec'), 'id') ??
      textIn(each, 'kind') ??
      '',
  );

/** Returns the range and shift of time that a panel has instead of those of the dashboard, such as `1h, 7d`. */
export function ownTimeOf(settings: unknown): string | undefined {
  const parts = [textIn(settings, 'timeFrom'), textIn(settings, 'timeShift')].filter(
    (part) => part !== undefined,
  );
  return parts.length === 0 ? undefined : shorten(parts.join(', '), 50);
}

/** Returns notes on settings of a dashboard that have no equivalent. `refresh` is how often it refreshes. */
export function unreadSettings(dashboard: Fields, refresh: unknown): Note[] {
  const tags = listIn(dashboard, 'tags').filter((tag) => typeof tag === 'string');
  return [
    ...(tags.length === 0
      ? []
      : [{ where: '', what: t('Its tags were dropped: {names}.', { names: tags.slice(0, 20).join(', ') }) }]),
    ...(typeof refresh !== 'string' || refresh === ''
      ? []
      : [{ where: '', what: t('It refreshed every {interval}, which was dropped.', { interval: refresh }) }]),
  ];
}

/** Returns how many links a panel has, also on its values. */
export const countLinks = (links: unknown, defaults: Fields): number =>
  listIn(links, 'links').length + listIn(defaults, 'links').length;
