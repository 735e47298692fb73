import { t } from '../../language/messages.ts';
import { parameterName } from '../../parameter-values.ts';
import { quoteName } from '../../sql/names.ts';
import { findPlaceholders, findUndeclared } from '../../sql/placeholders.ts';
import { trimStatement } from '../../sql/statement.ts';
import { NotConvertible, requireShortValues, type ConvertedParameter } from '../conversion.ts';
import { fieldsIn, listIn, objectsIn, own, textIn, type Fields } from '../values.ts';
import { timeUnits } from './conditions.ts';

/** A native query of Metabase with its template tags as parameters. Throws `NotConvertible`. */
export function convertNative(
  sql: string,
  tags: readonly Fields[],
  note: (what: string) => void,
): { query: string; parameters: ConvertedParameter[] } {
  if (sql.length > 100_000) throw new NotConvertible(t('Its query is too long.'));
  if (/\{\{\s{0,20}(?:#|snippet:)/.test(sql))
    throw new NotConvertible(t('It refers to another question or a snippet.'));
  const parameters: ConvertedParameter[] = [];
  const conditions = new Map<string, string>();
  for (const tag of tags.slice(0, 24)) {
    const name = textIn(tag, 'name') ?? '';
    if (!parameterName.test(name))
      throw new NotConvertible(t('The name of its variable “{name}” is not possible here.', { name }));
    if (parameters.some((each) => each.name === name)) continue;
    const label = textIn(tag, 'display-name');
    const shared = { name, ...(label !== undefined && { label: label.slice(0, 200) }) };
    const type = textIn(tag, 'type');
    if (type === 'temporal-unit') conditions.set(name, timeBucket(tag, note));
    else if (type === 'dimension') conditions.set(name, addFieldFilter(tag, shared, parameters));
    else parameters.push({ ...shared, ...typedDefault(tag) });
  }
  const optional = withOptional(sql, parameters);
  const filled = optional.replaceAll(
    /\{\{\s{0,20}(\w{1,63})\s{0,20}\}\}/g,
    (whole, name: string) => conditions.get(name) ?? whole,
  );
  const query = trimStatement(filled);
  if (query.trim() === '') throw new NotConvertible(t('Its query is empty.'));
  const { placeholders, faults } = findPlaceholders(query);
  if (faults[0] !== undefined) throw new NotConvertible(faults[0].message);
  const [undeclared] = findUndeclared(placeholders, parameters);
  if (undeclared !== undefined)
    throw new NotConvertible(t('It refers to “{name}”, which is not a variable.', { name: undeclared.name }));
  requireShortValues(parameters);
  return { query, parameters };
}

function typedDefault(tag: Fields): Pick<ConvertedParameter, 'type' | 'default'> {
  const value = own(tag, 'default');
  switch (textIn(tag, 'type')) {
    case 'number': {
      const number = value === '' || value === null || value === undefined ? Number.NaN : Number(value);
      return { type: 'number', default: Number.isFinite(number) ? number : null };
    }
    case 'boolean':
      return { type: 'boolean', default: typeof value === 'boolean' ? value : null };
    case 'date':
      return {
        type: 'date',
        default:
          typeof value === 'string' && /^(?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])$/.test(value)
            ? value
            : null,
      };
    default:
      return {
        type: 'text',
        default: typeof value === 'string' || typeof value === 'number' ? String(value) : null,
      };
  }
}

/** A variable for the unit of time groups its column by its default. */
function timeBucket(tag: Fields, note: (what: string) => void): string {
  const unit = textIn(tag, 'default') ?? '';
  if (!timeUnits.has(unit)) throw new NotConvertible(t('Its unit of time has no default.'));
  note(t('Its unit of time can’t be chosen, and is always “{unit}”.', { unit }));
  return `date_trunc('${unit}', ${columnOfTag(tag)})`;
}

/** Returns the column of a tag with its table, as Metabase writes it, since a join can have it twice. */
function columnOfTag(tag: Fields): string {
  const path = listIn(tag, 'dimension').find((each) => Array.isArray(each));
  const names = Array.isArray(path) ? path.slice(-2) : [];
  if (names.length < 2 || !names.every((name) => typeof name === 'string' && name !== ''))
    throw new NotConvertible(t('The column of its field filter is not known.'));
  return names.map((name) => quoteName(String(name))).join('.');
}

/** A field filter is a whole condition, which is true without a value. */
function addFieldFilter(
  tag: Fields,
  shared: { name: string; label?: string },
  parameters: ConvertedParameter[],
): string {
  const column = columnOfTag(tag);
  const widget = textIn(tag, 'widget-type') ?? 'category';
  const { name } = shared;
  if (widget.startsWith('date')) {
    parameters.push(
      { ...shared, name: `${name}_from`, type: 'date', default: null },
      { ...shared, name: `${name}_to`, type: 'date', default: null },
    );
    const [from, to] = [`{{${name}_from}}`, `{{${name}_to}}`];
    const day = `CAST(${column} AS date)`;
    return `((${from} IS NULL OR ${day} >= ${from}) AND (${to} IS NULL OR ${day} <= ${to}))`;
  }
  if (
    !/^(?:category|id|(?:string|number|location)(?:\/=|\/.{2,30})?)$/.test(widget) ||
    /\/(?:!=|between|>=|<=|contains|starts|ends|does)/.test(widget)
  )
    throw new NotConvertible(t('Its field filter “{type}” has no equivalent.', { type: widget }));
  parameters.push({ ...shared, type: 'list', default: null });
  return `({{${name}}} IS NULL OR CAST(${column} AS text) = ANY ({{${name}}}))`;
}

/** `[[AND price > {{least}}]]` only applies if the variable has a value. */
function withOptional(sql: string, parameters: readonly ConvertedParameter[]): string {
  let result = '';
  let index = 0;
  for (;;) {
    const start = sql.indexOf('[[', index);
    const end = start === -1 ? -1 : sql.indexOf(']]', start);
    if (end === -1) return result + sql.slice(index);
    const clause = sql.slice(start + 2, end).trim();
    const names = [...clause.matchAll(/\{\{\s{0,20}(\w{1,63})\s{0,20}\}\}/g)].map((match) => match[1] ?? '');
    const connective = /^(?:and|or)\b/i.exec(clause)?.[0];
    if (connective === undefined || connective.toLowerCase() === 'or' || names.length === 0)
      throw new NotConvertible(t('One of its optional clauses isn’t a condition after AND.'));
    const missing = names
      .filter((name) => parameters.some((parameter) => parameter.name === name))
      .map((name) => `{{${name}}} IS NULL OR `);
    result += `${sql.slice(index, start)}${connective} (${missing.join('')}(${clause.slice(connective.length).trim()}))`;
    index = end + 2;
  }
}

/** Returns the template tags, a list in newer versions and an object in older ones. */
export function tagsIn(query: Fields): Fields[] {
  const tags = own(query, 'template-tags');
  if (Array.isArray(tags)) return objectsIn(query, 'template-tags');
  const object = fieldsIn(query, 'template-tags');
  return Object.keys(object)
    .slice(0, 100)
    .map((name) => fieldsIn(object, name));
}
