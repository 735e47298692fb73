import type { ProblemCode } from '#contract/problem.ts';
import { AtriumError } from '../base/errors.ts';
import { describeFault, QueryFailure, type QueryFailureCode } from './failure.ts';

const problemCodes: Readonly<Record<QueryFailureCode, ProblemCode>> = {
  sql_error: 'query_failed',
  invalid_parameters: 'invalid_body',
  timeout: 'query_timed_out',
  out_of_memory: 'query_too_large',
  result_too_large: 'query_too_large',
  busy: 'queries_busy',
  unreachable: 'source_unreachable',
  unreadable_file: 'unreadable_file',
  too_large: 'body_too_large',
  worker_lost: 'query_failed',
  // Either the server is stopping, or the client has disconnected and nobody reads the response.
  cancelled: 'unavailable',
};

/** Returns the problem that the API reports for a failure of the query engine; returns any other error unchanged. */
export function toQueryProblem(error: unknown): unknown {
  if (!(error instanceof QueryFailure)) return error;
  const { code, message, line, column, faults, fileFaults } = error;
  const place =
    line === undefined ? '' : ` (line ${line}${column === undefined ? '' : `, column ${column}`})`;
  return new AtriumError(problemCodes[code], `${message}${place}`, {
    ...(faults.length > 0 && {
      faults: faults.map((fault) => ({
        pointer: `/parameters/${fault.parameter}`,
        code: 'parameter',
        message: fault.message,
      })),
    }),
    ...(fileFaults && {
      faults: fileFaults.faults.map((fault) => ({ pointer: '', code: 'row', message: describeFault(fault) })),
    }),
    ...(line !== undefined && { extension: { line, ...(column !== undefined && { column }) } }),
  });
}
