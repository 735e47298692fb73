import { pointerTo } from '#shared/json-pointer.ts';
import type { DrillTarget } from '#contract/reports/drill.ts';
import type { ParameterValue, ReportParameter } from '#contract/reports/reports.ts';
import type { DataSourceKind } from '#contract/data-sources/kinds.ts';
import type { Fault } from '#contract/problem.ts';
import { dialectOfKind } from '#shared/query-builder/dialects/dialects.ts';
import { resultGroups } from '#shared/query-builder/drill/marks.ts';
import { ownParameters, rowsBehind } from '#shared/query-builder/drill/rows.ts';
import { generateQuery } from '#shared/query-builder/generate.ts';
import type { ColumnReference } from '#shared/query-builder/structure.ts';
import { invalidBody, invalidFaults } from '../../base/errors.ts';
import { descriptionOfType, isOfType, type ReportContent } from '../content.ts';

/** The values of a mark, by the columns of the result. */
export type Mark = Readonly<Record<string, string | number | boolean | null>>;

/** A query of the rows behind marks. The values of the marks are the defaults of its parameters. */
export interface DrillQuery {
  readonly content: ReportContent;
  /** The parameters whose values the request may give: those of the report that apply to the rows, too. */
  readonly own: ReadonlySet<string>;
}

/**
 * Returns the query of the rows that a built query summarizes into marks, with some of their columns or with all of them. Throws
 * `invalid_body` for marks that it can't have.
 */
export function rowsQuery(
  content: ReportContent,
  kind: DataSourceKind | undefined,
  marks: readonly Mark[],
  columns?: readonly ColumnReference[],
): DrillQuery {
  const { structure, ...rest } = content;
  const dialect = kind && dialectOfKind[kind];
  const groups = structure && dialect && resultGroups(structure, dialect);
  if (structure === undefined || dialect === undefined || groups === undefined)
    throw invalidBody({
      pointer: '',
      code: 'structure',
      message: 'The rows behind a report are only known if its query was built and summarizes rows',
    });
  requireColumns(marks, new Set(groups.map(({ name }) => name)));
  const drilled = rowsBehind(structure, dialect, marks);
  if ('reason' in drilled) throw invalidBody({ pointer: '/marks', code: 'mark', message: drilled.reason });
  const behind = { ...drilled.structure, ...(columns && { columns }) };
  const generated = generateQuery(behind, dialect);
  if (!('query' in generated)) {
    const message = 'The rows of these marks can’t be queried.';
    throw invalidBody({ pointer: '/marks', code: 'mark', message });
  }
  const own = new Set(ownParameters(structure, dialect).map(({ name }) => name));
  const parameters = generated.query.parameters.map(
    (parameter) =>
      // The report knows which values are allowed.
      (own.has(parameter.name)
        ? content.parameters.find(({ name }) => name === parameter.name)
        : undefined) ?? parameter,
  );
  return {
    content: {
      ...rest,
      structure: behind,
      query: generated.query.sql,
      parameters,
      visualization: { kind: 'table' },
    },
    own,
  };
}

/** Returns the query of a target with the values of marks. Throws `invalid_body` for marks that it can't have. */
export function targetQuery(
  content: ReportContent,
  target: DrillTarget | undefined,
  marks: readonly Mark[],
): DrillQuery {
  if (target?.kind !== 'query')
    throw invalidBody({ pointer: '/target', code: 'unknown', message: 'must be a target with a query' });
  const columns = Object.entries(target.columns);
  requireColumns(marks, new Set(columns.map(([name]) => name)));
  const bound = columns.map(([name, type]): ReportParameter => {
    const values = marks.map((mark) => mark[name] ?? null);
    const value = type === 'list' ? listOf(values) : values[0];
    const pointer = `/marks/0/${name}`;
    if (type !== 'list' && marks.length > 1)
      throw invalidBody({ pointer: '/marks', code: 'maxItems', message: 'must be one mark for this target' });
    if (value !== null && value !== undefined && !isOfType(type, value))
      throw invalidBody({ pointer, code: 'type', message: `must be ${descriptionOfType[type]}` });
    // A column with the name of a parameter must not lead around the values that this allows.
    const { allowed } = content.parameters.find((parameter) => parameter.name === name) ?? {};
    return { name, type, default: value ?? null, ...(allowed !== undefined && { allowed }) };
  });
  const others = content.parameters.filter(({ name }) => !Object.hasOwn(target.columns, name));
  return {
    content: {
      ...withoutStructure(content),
      query: target.query,
      parameters: [...others, ...bound],
      visualization: { kind: 'table' },
    },
    own: new Set(others.map(({ name }) => name)),
  };
}

function withoutStructure({ structure: _, ...content }: ReportContent): ReportContent {
  return content;
}

const listOf = (values: readonly Mark[string][]): ParameterValue =>
  values.filter((value) => value !== null).map(String);

/** Throws `invalid_body` unless each mark has exactly these columns. */
function requireColumns(marks: readonly Mark[], names: ReadonlySet<string>): void {
  const faults = marks.flatMap((mark, index): Fault[] => [
    ...Object.keys(mark)
      .filter((name) => !names.has(name))
      .map((name) => ({
        pointer: `/marks/${index}${pointerTo(name)}`,
        code: 'unknown',
        message: 'is not a column of the marks of this report',
      })),
    ...[...names]
      .filter((name) => !Object.hasOwn(mark, name))
      .map((name) => ({
        pointer: `/marks/${index}`,
        code: 'required',
        message: `must have a value of “${name}”`,
      })),
  ]);
  if (faults.length > 0) throw invalidFaults(faults.slice(0, 100));
}
