import { t } from '../../language/messages.ts';
import { NotConvertible } from '../conversion.ts';
import { intervalText, secondsOf } from './intervals.ts';

export const timeFilter = 'time';
const from = '{{time_from}}';
const to = '{{time_to}}';

export interface MacroContext {
  /** The interval in place of the one that Grafana computes, in seconds. */
  readonly intervalSeconds: number;
  /** What the conversion reports. */
  readonly note: (what: string) => void;
  /** The value of an interval variable, such as `$bucket`. */
  readonly intervalOf: (text: string) => string;
}

/** Replaces the macros of Grafana's SQL data sources, such as `$__timeFilter(created_at)`. */
export function expandMacros(sql: string, context: MacroContext, depth = 0): string {
  if (depth > 4) throw new NotConvertible(t('Its macros are nested too deeply.'));
  const macro = /\$__(\w+)|\$\{__(\w+)(?::([\w:-]*))?\}/g;
  let result = '';
  let copied = 0;
  for (let match = macro.exec(sql); match !== null; match = macro.exec(sql)) {
    const name = match[1] ?? match[2] ?? '';
    const isCall = match[1] !== undefined && sql[macro.lastIndex] === '(';
    const end = isCall ? endOfCall(sql, macro.lastIndex) : macro.lastIndex;
    const args = isCall
      ? splitArguments(sql.slice(macro.lastIndex + 1, end - 1)).map((each) =>
          expandMacros(each, context, depth + 1),
        )
      : [];
    result += sql.slice(copied, match.index) + expand(name, args, match[3], context);
    copied = end;
    macro.lastIndex = end;
  }
  return result + sql.slice(copied);
}

/** Returns the index after the parenthesis that closes the one at `start`. */
function endOfCall(sql: string, start: number): number {
  let depth = 0;
  let quote = '';
  for (let index = start; index < sql.length; index += 1) {
    const character = sql.charAt(index);
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === "'" || character === '"') quote = character;
    else if (character === '(') depth += 1;
    else if (character === ')') {
      depth -= 1;
      if (depth === 0) return index + 1;
    }
  }
  throw new NotConvertible(t('A macro isn’t closed.'));
}

function splitArguments(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let quote = '';
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === "'" || character === '"') quote = character;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    else if (character === ',' && depth === 0) {
      parts.push(text.slice(start, index).trim());
      start = index + 1;
    }
  }
  return [...parts, text.slice(start).trim()];
}

function expand(
  name: string,
  args: readonly string[],
  format: string | undefined,
  context: MacroContext,
): string {
  const [column = '', interval = '', fill] = args;
  if (fill !== undefined && /^(?:time|unixEpoch)Group/.test(name))
    context.note(t('Gaps in times are not filled: “{fill}” was dropped.', { fill: fill.slice(0, 50) }));
  const epochOf = (time: string) => `extract(epoch from ${time})`;
  switch (name) {
    case 'time':
    case 'timeEpoch':
    case 'utcTime':
      return `${column} AS "time"`;
    case 'timeFilter':
      return within(column, from, to);
    case 'dateFilter':
      return within(column, `CAST(${from} AS date)`, `CAST(${to} AS date)`);
    case 'timeFrom':
    case 'fromTime':
      return from;
    case 'timeTo':
    case 'toTime':
      return to;
    case 'timeInterval': {
      const interval = intervalHere('interval', context);
      return bucket(epochOf(column), interval, context);
    }
    case 'timezone':
      context.note(t('The time zone of people is not known in queries, so UTC is used.'));
      return 'UTC';
    case 'timeGroup':
    case 'timeGroupAlias':
      return withAlias(name, bucket(epochOf(column), interval, context));
    case 'unixEpochFilter':
      return within(column, epochOf(from), epochOf(to));
    case 'unixEpochNanoFilter':
      return within(column, `${epochOf(from)} * 1000000000`, `${epochOf(to)} * 1000000000`);
    case 'unixEpochFrom':
      return epochOf(from);
    case 'unixEpochTo':
      return epochOf(to);
    case 'unixEpochGroup':
    case 'unixEpochGroupAlias':
      return withAlias(name, bucket(column, interval, context));
    case 'from':
    case 'to': {
      const time = name === 'from' ? from : to;
      if (format === undefined || format === '') return `(${epochOf(time)} * 1000)`;
      if (format === 'date:seconds') return epochOf(time);
      if (format === 'date' || format === 'date:iso') return time;
      throw new NotConvertible(
        t('Its macro “{macro}” has no equivalent.', { macro: `\${__${name}:${format}}` }),
      );
    }
    case 'interval':
    case 'interval_ms':
    case 'interval_s':
    case 'rate_interval':
      return intervalHere(name, context);
    default:
      throw new NotConvertible(t('Its macro “{macro}” has no equivalent.', { macro: `$__${name}` }));
  }
}

const within = (value: string, start: string, end: string): string =>
  `((${from} IS NULL OR ${value} >= ${start}) AND (${to} IS NULL OR ${value} <= ${end}))`;

const withAlias = (name: string, value: string): string =>
  name.endsWith('Alias') ? `${value} AS "time"` : value;

/** Returns the start of the interval that a time is in. It is written the same way in PostgreSQL and DuckDB. */
function bucket(epoch: string, interval: string, context: MacroContext): string {
  const text = context.intervalOf(interval.replaceAll(/^['"]|['"]$/g, ''));
  const seconds = secondsOf(text);
  if (seconds === undefined || seconds <= 0)
    throw new NotConvertible(
      t('Its interval “{interval}” is not known.', { interval: interval.slice(0, 50) }),
    );
  return `to_timestamp(floor((${epoch}) / ${seconds}) * ${seconds})`;
}

function intervalHere(name: string, { intervalSeconds, note }: MacroContext): string {
  const interval = intervalText(intervalSeconds);
  note(t('Grafana computes the interval from the time range. Here, it is always {interval}.', { interval }));
  if (name === 'interval_ms') return String(intervalSeconds * 1000);
  return name === 'interval_s' ? String(intervalSeconds) : interval;
}
