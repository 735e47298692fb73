import { hashKey } from '@tanstack/react-query';
import { valueOf, type ParameterValues } from '../../parameters/search.ts';
import type { ReportContent } from '../content.ts';

/** What determines a result: the query with its data source, and the values of its parameters. */
export interface Run {
  readonly content: Pick<ReportContent, 'dataSourceId' | 'query' | 'parameters'>;
  readonly values: ParameterValues;
}

/** Whether two runs ask the data source for the same. */
export const isSameRun = (one: Run, other: Run): boolean => hashKey([asked(one)]) === hashKey([asked(other)]);

const asked = ({ content: { dataSourceId, query, parameters }, values }: Run): unknown => ({
  dataSourceId,
  query: query.trim(),
  parameters: parameters.map((parameter) => ({
    name: parameter.name,
    type: parameter.type,
    value: valueOf(parameter, values),
  })),
});
