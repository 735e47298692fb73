import type { ReportParameter } from '#contract/reports/reports.ts';
import type { Actor } from '../base/actor.ts';
import { AtriumError, notFound } from '../base/errors.ts';
import { parseJson } from '../base/json.ts';
import { toText } from '../results/cached-result.ts';
import type { QueriedSource, Results } from '../results/results.ts';
import type { Reader } from '../storage/database.ts';
import { requireReport } from './access.ts';
import type { ReportContent } from './content.ts';

/** What the results of reports are made from. */
export interface ResultDependencies {
  readonly database: Reader;
  readonly getResult: Results['getResult'];
  /** Returns a data source of an organization, or undefined. */
  readonly findSource: (
    reader: Reader,
    organizationId: string,
    dataSourceId: string,
  ) => Promise<QueriedSource | undefined>;
}

/** Returns a data source of a report. Throws `query_failed` if it no longer exists. */
export async function requireSource(
  { database, findSource }: ResultDependencies,
  organizationId: string,
  dataSourceId: string,
): Promise<QueriedSource> {
  const source = await findSource(database, organizationId, dataSourceId);
  if (source === undefined)
    throw new AtriumError('query_failed', 'The data source of this report no longer exists.');
  return source;
}

/** Returns the values that a parameter of a report may have; undefined for any value of its type. Any member. */
export async function listParameterValues(
  dependencies: ResultDependencies,
  actor: Actor,
  input: { reportId: string; parameter: string },
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const report = await requireReport(dependencies.database, actor, input.reportId);
  const parameter = report.content.parameters.find(({ name }) => name === input.parameter);
  if (parameter === undefined) throw notFound();
  return listAllowedValues(dependencies, actor, report, { parameter, isForced: false, signal });
}

/** How many values a query may allow: the server parses and searches them at each run. */
const allowedLimits = { maxRows: 1_000, maxBytes: 256 * 1024 };

/** However long results of the report are cached: new values of the source would be refused for that long. */
const maxAllowedAgeSeconds = 60;

/** As `listParameterValues`, for a report that the actor was found to have access to. Throws the problems of queries. */
export async function listAllowedValues(
  dependencies: ResultDependencies,
  actor: Actor,
  report: {
    readonly organizationId: string;
    readonly content: Pick<ReportContent, 'dataSourceId' | 'cacheSeconds'>;
  },
  options: { readonly parameter: ReportParameter; readonly isForced: boolean; readonly signal: AbortSignal },
): Promise<readonly string[] | undefined> {
  const { name, allowed } = options.parameter;
  if (allowed?.query === undefined) return allowed?.values;
  const { organizationId, content } = report;
  const source = await requireSource(dependencies, organizationId, content.dataSourceId);
  const query = {
    organizationId,
    asker: actor.userId,
    source,
    sql: allowed.query,
    parameters: [],
    limits: allowedLimits,
  };
  const maxAgeMs = options.isForced ? 0 : Math.min(content.cacheSeconds, maxAllowedAgeSeconds) * 1_000;
  const result = await dependencies
    .getResult(query, { maxAgeMs, signal: options.signal })
    .catch((error: unknown) => {
      throw ofAllowed(error, name);
    });
  try {
    // Sound because the engine writes an array of arrays.
    const { rows } = parseJson(`${toText(result)}}`) as { rows: unknown[][] };
    return rows
      .filter(([value]) => value !== null)
      .map(([value]) => (typeof value === 'string' ? value : JSON.stringify(value)));
  } finally {
    result.release();
  }
}

/** Says that it was not the report's own query that failed: the line and the column are in the query of the parameter. */
function ofAllowed(error: unknown, parameter: string): unknown {
  if (!(error instanceof AtriumError)) return error;
  const { code, message, extension } = error;
  const words = `The values that “${parameter}” may have cannot be listed: ${message}`;
  const isQuery = code === 'query_failed';
  return new AtriumError(code, words, {
    ...(isQuery && { extension: { ...extension, parameter } }),
    cause: error,
  });
}
