import type { ParameterValue, Report, ReportEdit, ReportParameter } from '#contract/reports/reports.ts';
import type { Fault } from '#contract/problem.ts';
import { findPlaceholders, findUndeclared } from '#shared/sql/placeholders.ts';
import { contentOfFields } from '../records/fields.ts';
import { valueFault } from '../engine/parameter-casts.ts';
import { placesIn } from '../engine/text-offsets.ts';

/** What people edit of a report, with nothing left out. */
export type ReportContent = Pick<
  Report,
  'name' | 'description' | 'dataSourceId' | 'query' | 'parameters' | 'visualization' | 'cacheSeconds'
>;

/** How the content of reports is stored and merged: field by field. */
export const reportFields = contentOfFields<ReportContent>([
  'name',
  'description',
  'dataSourceId',
  'query',
  'parameters',
  'visualization',
  'cacheSeconds',
]);

const defaultCacheSeconds = 60;

/** Returns the content of an edit: with what was left out, and without what no report has. */
export function toContent(edit: ReportEdit): ReportContent {
  const { name, description, dataSourceId, query } = edit;
  return {
    name,
    ...(description !== undefined && { description }),
    dataSourceId,
    query,
    parameters: (edit.parameters ?? []).map(pickParameter),
    visualization: edit.visualization ?? { kind: 'table' },
    cacheSeconds: edit.cacheSeconds ?? defaultCacheSeconds,
  };
}

function pickParameter({ name, label, type, default: value, allowed }: ReportParameter): ReportParameter {
  return {
    name,
    ...(label !== undefined && { label }),
    type,
    ...(value !== undefined && { default: value }),
    ...(allowed !== undefined && {
      allowed: {
        ...(allowed.values !== undefined && { values: allowed.values }),
        ...(allowed.query !== undefined && { query: allowed.query }),
      },
    }),
  };
}

export const noDataSource: Fault = {
  pointer: '/dataSourceId',
  code: 'unknown',
  message: 'must be a data source of the organization',
};

/** Returns what is wrong with a report in itself: its parameters, and those that its query asks for. */
export function findContentFaults({ query, parameters }: ReportContent): Fault[] {
  const names = parameters.map(({ name }) => name);
  return [
    ...findQueryFaults(query, parameters),
    ...names.flatMap((name, index) =>
      names.indexOf(name) === index
        ? []
        : [
            {
              pointer: `/parameters/${index}/name`,
              code: 'unique',
              message: 'must not be the name of one before',
            },
          ],
    ),
    ...parameters.flatMap((parameter, index) => findParameterFaults(parameter, `/parameters/${index}`)),
  ];
}

function findQueryFaults(query: string, parameters: readonly ReportParameter[]): Fault[] {
  const { placeholders, faults } = findPlaceholders(query);
  const placeOf = placesIn(query);
  return [
    ...faults.map(({ message, start }) => {
      const { line, column } = placeOf(start);
      return {
        pointer: '/query',
        code: 'placeholder',
        message: `${message.replace(/\.$/, '')} (line ${line}, column ${column}).`,
      };
    }),
    ...findUndeclared(placeholders, parameters).map(({ name, start }) => {
      const { line, column } = placeOf(start);
      const message = `asks for {{${name}}}, which is none of the parameters (line ${line}, column ${column})`;
      return { pointer: '/query', code: 'parameter', message };
    }),
  ];
}

function findParameterFaults({ type, default: value, allowed }: ReportParameter, pointer: string): Fault[] {
  const faults: Fault[] = [];
  if (value !== undefined && value !== null && !fits(type, value)) {
    faults.push({ pointer: `${pointer}/default`, code: 'type', message: `must be ${wordsOf[type]}` });
  } else if (allowed?.values !== undefined && !isAmong(allowed.values, value)) {
    faults.push({ pointer: `${pointer}/default`, code: 'allowed', message: wordsOfAllowed });
  }
  if (allowed?.values !== undefined && allowed.query !== undefined) {
    faults.push({
      pointer: `${pointer}/allowed`,
      code: 'oneOf',
      message: 'must have values or a query, not both',
    });
  }
  const asked = allowed?.query === undefined ? undefined : findPlaceholders(allowed.query);
  if (asked !== undefined && (asked.placeholders.length > 0 || asked.faults.length > 0)) {
    faults.push({
      pointer: `${pointer}/allowed/query`,
      code: 'placeholder',
      message: 'must ask for no parameters',
    });
  }
  return faults;
}

/** What a value of each type is, for people. */
export const wordsOf: Readonly<Record<ReportParameter['type'], string>> = {
  text: 'a text',
  number: 'a number',
  boolean: 'true or false',
  date: 'a date, such as 2026-11-21',
  datetime: 'a date and time, such as 2026-11-21T09:00:00Z or 2026-11-21T09:00:00',
  list: 'a list of texts',
};

/** Whether a value is one of a parameter's type, by what the query engine binds. */
export const fits = (type: ReportParameter['type'], value: ParameterValue): boolean =>
  value !== null && valueFault({ name: '', type, value }) === undefined;

/** Whether a value, of a list each, is one of those that are allowed. */
export function isAmong(allowed: readonly string[], value: ParameterValue | undefined): boolean {
  if (value === undefined || value === null) return true;
  const chosen = Array.isArray(value) ? value : [value];
  return chosen.every((one) => allowed.includes(String(one)));
}

export const wordsOfAllowed = 'must be one of the values that are allowed';
