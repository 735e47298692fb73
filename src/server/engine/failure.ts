import type { ImportFault, ImportFaults } from '#contract/data-sources/imports.ts';

export const queryFailureCodes = [
  'sql_error',
  'invalid_parameters',
  'timeout',
  'out_of_memory',
  'result_too_large',
  'busy',
  'unreachable',
  'unreadable_file',
  'too_large',
  'worker_lost',
  'cancelled',
] as const;
export type QueryFailureCode = (typeof queryFailureCodes)[number];

/** One fault in the parameters of a query; the line and column are those of the placeholder in the SQL. */
export interface ParameterFault {
  readonly parameter: string;
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

export interface QueryFailureDetails {
  /** The position in the SQL, in characters from its start. */
  readonly offset?: number | undefined;
  /** Counted from 1. */
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly faults?: readonly ParameterFault[] | undefined;
  /** Everything in a file that prevents its import. */
  readonly fileFaults?: ImportFaults | undefined;
  readonly cause?: unknown;
}

/** Why a query failed. `message` is for the person who wrote the query. */
export class QueryFailure extends Error {
  override readonly name = 'QueryFailure';
  readonly code: QueryFailureCode;
  readonly offset: number | undefined;
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly faults: readonly ParameterFault[];
  readonly fileFaults: ImportFaults | undefined;

  constructor(code: QueryFailureCode, message: string, details: QueryFailureDetails = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.offset = details.offset;
    this.line = details.line;
    this.column = details.column;
    this.faults = details.faults ?? [];
    this.fileFaults = details.fileFaults;
  }
}

export const queryStopped = (cause?: unknown): QueryFailure =>
  new QueryFailure('cancelled', 'The query was stopped.', { cause });

export const outOfMemory = (cause?: unknown): QueryFailure =>
  new QueryFailure(
    'out_of_memory',
    'The query needed more memory than is allowed. Select fewer rows or columns.',
    { cause },
  );

/** Returns the failure of importing a file that has faults, with the first of them. */
export function faultyFile(fileFaults: ImportFaults): QueryFailure {
  const { brokenRowCount, badValueCount, faults } = fileFaults;
  const found = [
    ...(brokenRowCount > 0
      ? [brokenRowCount === 1 ? '1 row is broken' : `${brokenRowCount} rows are broken`]
      : []),
    ...(badValueCount > 0
      ? [
          badValueCount === 1
            ? '1 value does not fit its column'
            : `${badValueCount} values do not fit their columns`,
        ]
      : []),
  ].join(', and ');
  const [first] = faults;
  const example = first === undefined ? '' : ` ${describeFault(first)}`;
  return new QueryFailure('unreadable_file', `The file was not imported: ${found}.${example}`, {
    fileFaults,
  });
}

/** Returns a fault of a file as a sentence. */
export const describeFault = ({ line, column, message }: ImportFault): string =>
  `Line ${line}${column === undefined ? '' : `, column “${column}”`}: ${message}`;

/** A failure as a worker sends it to the server: plain data, since classes aren't preserved. */
export interface PlainFailure {
  readonly code: QueryFailureCode;
  readonly message: string;
  readonly offset?: number | undefined;
}

/** A query can put any text into an error message of its engine, with `SELECT error(…)` for example. */
export const maxMessageLength = 2_000;

export function toPlainFailure(error: unknown): PlainFailure {
  const message = (error instanceof Error ? error.message : String(error)).slice(0, maxMessageLength);
  return error instanceof QueryFailure
    ? { code: error.code, message, offset: error.offset }
    : { code: 'worker_lost', message };
}
