import { t } from '../../language/messages.ts';
import { quoteName } from '../../sql/names.ts';
import { scanSql } from '../../sql/scanner.ts';
import { expectsName, openComparison } from '../sql/comparison.ts';
import { NotConvertible } from '../conversion.ts';
import type { Variable } from './model.ts';

/** How a query uses a variable. */
export type VariableUse = 'text' | 'number' | 'list';

export interface Substitution {
  readonly sql: string;
  /** The variables that are parameters of the query now. */
  readonly uses: ReadonlyMap<string, VariableUse>;
}

/** Far more than people write; each one looks at the text before it. */
const maxReferences = 300;

/**
 * Replaces the variables of Grafana in SQL: by a parameter where a value is meant, and by their present value where they stand
 * for a name or a part of the query, since a parameter can't.
 */
export function substituteVariables(
  sql: string,
  variables: ReadonlyMap<string, Variable>,
  note: (what: string) => void,
): Substitution {
  const state: State = { variables, note, uses: new Map(), output: '', count: 0 };
  for (const { kind, start, end } of scanSql(sql)) {
    const text = sql.slice(start, end);
    if (kind === 'comment') state.output += text;
    else if (kind === 'string') addString(text, state);
    else if (kind === 'identifier')
      state.output += replaced(text, state, (variable) => quoteName(present(variable, note)).slice(1, -1));
    else addCode(text, state);
  }
  return { sql: state.output, uses: state.uses };
}

interface State {
  readonly variables: ReadonlyMap<string, Variable>;
  readonly note: (what: string) => void;
  readonly uses: Map<string, VariableUse>;
  output: string;
  count: number;
}

interface Reference {
  readonly variable: Variable;
  readonly format: string;
  readonly start: number;
  readonly end: number;
}

/** Returns the references to known variables: `$name`, `${name}`, `${name:format}`, `[[name]]` and `[[name:format]]`. */
export function findReferences(text: string, variables: ReadonlyMap<string, Variable>): Reference[] {
  const pattern = /\$(\w+)|\$\{(\w+)(?::(\w*))?\}|\[\[(\w+)(?::(\w*))?\]\]/g;
  return [...text.matchAll(pattern)].flatMap((match) => {
    const variable = variables.get(match[1] ?? match[2] ?? match[4] ?? '');
    const format = match[3] ?? match[5] ?? '';
    return variable === undefined
      ? []
      : [{ variable, format, start: match.index, end: match.index + match[0].length }];
  });
}

function references(text: string, state: State): Reference[] {
  const found = findReferences(text, state.variables);
  state.count += found.length;
  if (state.count > maxReferences) throw new NotConvertible(t('It uses too many variables.'));
  return found;
}

function replaced(text: string, state: State, valueOf: (variable: Variable) => string): string {
  let result = '';
  let copied = 0;
  for (const { variable, start, end } of references(text, state)) {
    result += text.slice(copied, start) + valueOf(variable);
    copied = end;
  }
  return result + text.slice(copied);
}

/** Returns the present value of a variable for where a parameter isn't possible. */
function present(variable: Variable, note: State['note']): string {
  const [value] = variable.values;
  if (value === undefined || value === '' || value === '$__all' || variable.values.length > 1)
    throw new NotConvertible(
      t('The variable “{name}” stands for a part of the query, and has no single value.', {
        name: variable.name,
      }),
    );
  if (variable.type !== 'constant')
    note(
      t('The variable “{name}” stands for a part of the query, so its present value “{value}” is used.', {
        name: variable.name,
        value: value.slice(0, 100),
      }),
    );
  return value;
}

const isFixed = ({ type }: Variable): boolean => type === 'constant' || type === 'interval';

/** Whether Grafana puts the values of a variable in quotes. */
const isQuoted = ({ isMulti, includesAll }: Variable): boolean => isMulti || includesAll;

const isNumeric = ({ values, options }: Variable): boolean => {
  const known = [...values, ...options].filter((each) => each !== '' && each !== '$__all');
  return known.length > 0 && known.every((each) => /^-?\d{1,15}(?:\.\d{1,10})?$/.test(each));
};

function use({ name }: Variable, as: VariableUse, { uses }: State): string {
  const before = uses.get(name);
  if (before !== undefined && before !== as) {
    if (before === 'list' || as === 'list')
      throw new NotConvertible(t('The variable “{name}” is both a list and a single value.', { name }));
    // Text that is a number compares with both.
    uses.set(name, 'text');
  } else uses.set(name, as);
  return `{{${name}}}`;
}

function addString(text: string, state: State): void {
  const found = references(text, state);
  const [first] = found;
  if (first === undefined) {
    // A parameter inside quotes would be refused.
    state.output += text.includes('{{') ? text.replaceAll('{{', "{' || '{") : text;
    return;
  }
  if (!text.startsWith("'") || /e$/i.test(state.output))
    throw new NotConvertible(t('A variable is in a string with escapes.'));
  if (found.length === 1 && first.start === 1 && first.end === text.length - 1 && !isFixed(first.variable)) {
    addComparison(first, true, state);
    return;
  }
  const parts: string[] = [];
  let literal = '';
  let copied = 1;
  for (const reference of found) {
    literal += text.slice(copied, reference.start);
    copied = reference.end;
    if (isFixed(reference.variable)) {
      literal += present(reference.variable, state.note).replaceAll("'", "''");
      continue;
    }
    if (literal !== '') parts.push(`'${literal}'`);
    literal = '';
    parts.push(`coalesce(${valueIn(reference, state)}, '')`);
  }
  literal += text.slice(copied, -1);
  if (literal !== '' || parts.length === 0) parts.push(`'${literal}'`);
  state.output += parts.length === 1 ? (parts[0] ?? '') : `(${parts.join(' || ')})`;
}

const separators: ReadonlyMap<string, string> = new Map([
  ['regex', '|'],
  ['pipe', '|'],
  ['csv', ','],
  ['', ','],
  ['raw', ','],
  ['text', ' + '],
]);

/** Returns a text with the value of a variable, or all its values. */
function valueIn({ variable, format }: Reference, state: State): string {
  if (!variable.isMulti) return use(variable, 'text', state);
  const separator = separators.get(format);
  if (separator === undefined) throw unknownFormat(format);
  return `array_to_string(${use(variable, 'list', state)}, '${separator}')`;
}

const unknownFormat = (format: string): NotConvertible =>
  new NotConvertible(t('A variable has the format “{format}”, which has no equivalent.', { format }));

function addCode(text: string, state: State): void {
  let copied = 0;
  for (const reference of references(text, state)) {
    if (reference.start < copied) continue;
    state.output += text.slice(copied, reference.start);
    copied = reference.end;
    const { variable } = reference;
    const isName = expectsName(tailOf(state)) || /^[\w.(]/.test(text.charAt(copied));
    if (isFixed(variable) || isName) state.output += present(variable, state.note);
    else if (isQuoted(variable))
      addComparison(
        reference,
        text
          .slice(copied, copied + 50)
          .trimStart()
          .startsWith(')'),
        state,
      );
    else if (isNumeric(variable) || isComparedNumber(variable, state))
      state.output += use(variable, 'number', state);
    else if (variable.type === 'textbox' || variable.values[0] === undefined || variable.values[0] === '')
      throw new NotConvertible(
        t('The variable “{name}” stands for a part of the query, and has no single value.', {
          name: variable.name,
        }),
      );
    else state.output += present(variable, state.note);
  }
  const rest = text.slice(copied);
  state.output += rest.includes('{{') ? rest.replaceAll('{{', '{ {') : rest;
}

/** Whether a variable without a known value is compared without quotes, as only numbers are. */
const isComparedNumber = ({ type, values }: Variable, state: State): boolean =>
  type === 'query' && values.every((value) => value === '') && openComparison(tailOf(state)) !== undefined;

/** Returns the last characters of the output: those before a variable are looked at again for each one. */
const tailOf = ({ output }: State): string => output.slice(-300);

/** Adds a variable that is compared, optional if it has a value for all. A list has to be closed after it. */
function addComparison(reference: Reference, isClosed: boolean, state: State): void {
  const { variable, format } = reference;
  if (!['', 'csv', 'singlequote', 'sqlstring', 'raw', 'text'].includes(format)) {
    state.output += valueIn(reference, state);
    return;
  }
  const tail = tailOf(state);
  const comparison = openComparison(tail);
  const before = state.output.slice(
    0,
    state.output.length - tail.length + (comparison?.start ?? tail.length),
  );
  if (variable.isMulti) {
    const { operand, operator } = comparison ?? {};
    const isList = operator === 'in' || operator === 'not in';
    if (operand === undefined || (isList && !isClosed))
      throw new NotConvertible(
        t('The variable “{name}” has several values where one is expected.', { name: variable.name }),
      );
    const isText = !variable.includesAll && !isNumeric(variable) && variable.options.length > 0;
    const left = isText ? operand : `CAST(${operand} AS text)`;
    const list = use(variable, 'list', state);
    const isPositive = operator === 'in' || operator === 'equal';
    const all = isPositive ? `ARRAY[${left}]` : 'CAST(ARRAY[] AS text[])';
    const values = variable.includesAll ? `coalesce(${list}, ${all})` : list;
    // The parenthesis of a list that opens here is closed in the text after the variable.
    state.output = `${before}${left} ${isPositive ? '= ANY' : '<> ALL'} (${values}${isList ? '' : ')'}`;
    return;
  }
  const parameter = use(variable, 'text', state);
  if (comparison === undefined) {
    state.output += variable.includesAll ? `coalesce(${parameter}, '')` : parameter;
    return;
  }
  const { operand, operator } = comparison;
  const left = isNumeric(variable) ? `CAST(${operand} AS text)` : operand;
  const written = `${left}${tail.slice(comparison.start + operand.length)}`;
  if (!variable.includesAll) state.output = `${before}${written}${parameter}`;
  else if (operator === 'in')
    state.output = `${before}coalesce(${parameter}, CAST(${operand} AS text)) IN (CAST(${operand} AS text)`;
  else if (operator === 'not in') throw unknownFormat('all');
  else state.output = `${before}(${parameter} IS NULL OR ${written}${parameter})`;
}
