import type { ParameterValue, Report, ReportEdit, ReportParameter } from '#contract/reports/reports.ts';
import type { Fault } from '#contract/problem.ts';
import { findPlaceholders, findUndeclared } from '#shared/sql/placeholders.ts';
import { allDependencies, dependenciesOf } from './dependencies.ts';
import { contentOfFields } from '../records/fields.ts';
import { valueFault } from '../engine/parameter-casts.ts';
import { findDrillFaults, pickDrill } from './drill/settings.ts';
import { positionsIn } from '../engine/text-offsets.ts';

/** The part of a report that people edit, with every default filled in. */
export type ReportContent = Pick<
  Report,
  | 'name'
  | 'description'
  | 'dataSourceId'
  | 'query'
  | 'structure'
  | 'parameters'
  | 'visualization'
  | 'cacheSeconds'
  | 'drill'
>;

/** How the content of a report is stored and merged: field by field, but a built query as a whole. */
export const reportFields = contentOfFields<ReportContent>(
  [
    'name',
    'description',
    'dataSourceId',
    'query',
    'structure',
    'parameters',
    'visualization',
    'cacheSeconds',
    'drill',
  ],
  (contents) =>
    contents.some(({ structure }) => structure !== undefined) ? ['query', 'structure', 'parameters'] : [],
);

const defaultCacheSeconds = 60;

/** Returns the content of an edit, with defaults for what was left out and without unknown fields. */
export function toContent(edit: ReportEdit): ReportContent {
  const { name, description, dataSourceId, query, structure, drill } = edit;
  return {
    name,
    ...(description !== undefined && { description }),
    dataSourceId,
    query,
    ...(structure !== undefined && { structure }),
    parameters: (edit.parameters ?? []).map(pickParameter),
    visualization: edit.visualization ?? { kind: 'table' },
    cacheSeconds: edit.cacheSeconds ?? defaultCacheSeconds,
    ...(drill !== undefined && { drill: pickDrill(drill) }),
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
  message: 'must be a data source of the organization that you may query',
};

/** Returns the faults of a report that don't depend on anything else: those of its parameters and of its query's placeholders. */
export function findContentFaults({ query, parameters, drill = {} }: ReportContent): Fault[] {
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
              message: 'must not be the name of an earlier parameter',
            },
          ],
    ),
    ...parameters.flatMap((parameter, index) => findParameterFaults(parameter, `/parameters/${index}`)),
    ...findAllowedFaults(parameters),
    ...findDrillFaults(drill, parameters),
  ];
}

function findQueryFaults(query: string, parameters: readonly ReportParameter[]): Fault[] {
  const { placeholders, faults } = findPlaceholders(query);
  const placeOf = positionsIn(query);
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
      const message = `refers to {{${name}}}, which is not a parameter (line ${line}, column ${column})`;
      return { pointer: '/query', code: 'parameter', message };
    }),
  ];
}

function findParameterFaults({ type, default: value, allowed }: ReportParameter, pointer: string): Fault[] {
  const faults: Fault[] = [];
  if (value !== undefined && value !== null && !isOfType(type, value)) {
    faults.push({
      pointer: `${pointer}/default`,
      code: 'type',
      message: `must be ${descriptionOfType[type]}`,
    });
  } else if (allowed?.values !== undefined && !isAllowed(allowed.values, value)) {
    faults.push({ pointer: `${pointer}/default`, code: 'allowed', message: notAllowed });
  }
  if (allowed?.values !== undefined && allowed.query !== undefined) {
    faults.push({
      pointer: `${pointer}/allowed`,
      code: 'oneOf',
      message: 'must have values or a query, not both',
    });
  }
  return faults;
}

/** Returns the faults of the placeholders in the queries of allowed values, which must not lead back to their own parameter. */
function findAllowedFaults(parameters: readonly ReportParameter[]): Fault[] {
  const dependencies = dependenciesOf(parameters);
  return parameters.flatMap(({ name, allowed }, index): Fault[] => {
    if (allowed?.query === undefined) return [];
    const pointer = `/parameters/${index}/allowed/query`;
    const { placeholders, faults } = findPlaceholders(allowed.query);
    return [
      ...faults.map(({ message }) => ({ pointer, code: 'placeholder', message })),
      ...findUndeclared(placeholders, parameters).map((undeclared) => ({
        pointer,
        code: 'parameter',
        message: `refers to {{${undeclared.name}}}, which is not a parameter`,
      })),
      ...(allDependencies(name, dependencies).has(name)
        ? [{ pointer, code: 'cycle', message: 'must not depend on the value of its own parameter' }]
        : []),
    ];
  });
}

/** What a value of each type must be, for messages. */
export const descriptionOfType: Readonly<Record<ReportParameter['type'], string>> = {
  text: 'text',
  number: 'a number',
  boolean: 'true or false',
  date: 'a date, such as 2026-11-21',
  datetime: 'a date and time, such as 2026-11-21T09:00:00Z or 2026-11-21T09:00:00',
  list: 'a list of text values',
};

/** Whether a value is of a parameter's type, as the query engine binds it. */
export const isOfType = (type: ReportParameter['type'], value: ParameterValue): boolean =>
  value !== null && valueFault({ name: '', type, value }) === undefined;

/** Whether a value, or each item of a list, is one of the allowed values. */
export function isAllowed(allowed: readonly string[], value: ParameterValue | undefined): boolean {
  if (value === undefined || value === null) return true;
  const chosen = Array.isArray(value) ? value : [value];
  const known = new Set(allowed);
  return chosen.every((one) => known.has(String(one)));
}

export const notAllowed = 'must be one of the allowed values';
