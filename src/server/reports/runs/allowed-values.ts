import type { ReportParameter } from '#contract/reports/reports.ts';
import { parameterValue } from '#shared/parameter-values.ts';
import type { AccessLog } from '../../access-log/access-log.ts';
import type { Actor } from '../../base/actor.ts';
import { AtriumError, notFound } from '../../base/errors.ts';
import { readRows } from '../../results/cached-result.ts';
import type { QueriedSource, Results } from '../../results/results.ts';
import type { Reader } from '../../storage/database.ts';
import type { QueryParameter } from '../../engine/parameter-casts.ts';
import { requireReport } from '../access.ts';
import type { ReportContent } from '../content.ts';
import { allDependencies, dependenciesOf } from '../dependencies.ts';
import { asUrlError, resolveParameters, type ListAllowed } from './parameter-values.ts';

/** What running reports depends on. */
export interface ResultDependencies {
  readonly database: Reader;
  readonly accessLog: AccessLog;
  readonly getResult: Results['getResult'];
  /** Returns a data source of an organization, or undefined. */
  readonly findSource: (
    reader: Reader,
    organizationId: string,
    dataSourceId: string,
  ) => Promise<QueriedSource | undefined>;
}

/** Counts a run of a report in the data-access log. */
export const noteRun = (
  { accessLog }: Pick<ResultDependencies, 'accessLog'>,
  actor: Actor,
  { id, organizationId }: { readonly id: string; readonly organizationId: string },
): void => accessLog.note({ action: 'report.run', actor, organizationId, subjectId: id });

/** Returns the data source of a report. Throws `query_failed` if it no longer exists. */
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

/** Returns the allowed values of a parameter, or undefined if any value of its type is allowed. Requires membership. */
export async function listParameterValues(
  dependencies: ResultDependencies,
  actor: Actor,
  input: {
    readonly reportId: string;
    readonly parameter: string;
    /** The values of other parameters, as in a URL. Those that are left out have their defaults. */
    readonly texts: Readonly<Record<string, string | readonly string[]>>;
  },
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const report = await requireReport(dependencies.database, actor, input.reportId);
  const parameter = report.content.parameters.find(({ name }) => name === input.parameter);
  if (parameter === undefined) throw notFound();
  noteRun(dependencies, actor, report);
  const { parameters } = report.content;
  const needed = dependenciesOf(parameters);
  const all = allDependencies(parameter.name, needed);
  const others = parameters.filter(({ name }) => all.has(name));
  const given = others.flatMap(({ name, type }) => {
    const text = Object.hasOwn(input.texts, name) ? input.texts[name] : undefined;
    return text === undefined ? [] : [[name, parameterValue(type, text)] as const];
  });
  const list: ListAllowed = (one, values) =>
    listAllowedValues(dependencies, actor, report, { parameter: one, values, isForced: false, signal });
  // Otherwise, the list would show what belongs to a value that isn't allowed.
  const resolved = await resolveParameters(others, Object.fromEntries(given), list, '').catch(
    (error: unknown) => {
      throw error instanceof AtriumError ? asUrlError(error) : error;
    },
  );
  return list(
    parameter,
    resolved.filter(({ name }) => needed.get(parameter.name)?.has(name) === true),
  );
}

/** The most values that a query may allow: the server parses and searches them on each run. */
const allowedLimits = { maxRows: 10_000, maxBytes: 1024 * 1024 };

/** Applies even if results of the report are cached for longer, since new values of the source are rejected until then. */
const maxAllowedAgeSeconds = 60;

/** Like `listParameterValues`, for a report that the actor is known to have access to. Throws the problems of queries. */
export async function listAllowedValues(
  dependencies: ResultDependencies,
  actor: Actor,
  report: {
    readonly organizationId: string;
    readonly content: Pick<ReportContent, 'dataSourceId' | 'cacheSeconds'>;
  },
  options: {
    readonly parameter: ReportParameter;
    /** The values of the parameters that the query of the allowed values refers to. */
    readonly values: readonly QueryParameter[];
    readonly isForced: boolean;
    readonly signal: AbortSignal;
  },
): Promise<readonly string[] | undefined> {
  const { name, allowed } = options.parameter;
  if (allowed?.query === undefined) return allowed?.values;
  const { organizationId, content } = report;
  const source = await requireSource(dependencies, organizationId, content.dataSourceId);
  const query = {
    organizationId,
    requesterId: actor.userId,
    source,
    sql: allowed.query,
    parameters: options.values,
    limits: allowedLimits,
  };
  const maxAgeMs = options.isForced ? 0 : Math.min(content.cacheSeconds, maxAllowedAgeSeconds) * 1_000;
  const result = await dependencies
    .getResult(query, { maxAgeMs, signal: options.signal })
    .catch((error: unknown) => {
      throw inAllowedValues(error, name);
    });
  try {
    return readRows(result)
      .filter(([value]) => value !== null)
      .map(([value]) => (typeof value === 'string' ? value : JSON.stringify(value)));
  } finally {
    result.release();
  }
}

/** Returns an error that names the parameter, since its line and column are in the query of the parameter, not of the report. */
function inAllowedValues(error: unknown, parameter: string): unknown {
  if (!(error instanceof AtriumError)) return error;
  const { code, message, extension } = error;
  const detail = `The allowed values of “${parameter}” can’t be listed: ${message}`;
  const isQuery = code === 'query_failed';
  return new AtriumError(code, detail, {
    ...(isQuery && { extension: { ...extension, parameter } }),
    cause: error,
  });
}
