import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ReportResult } from '#contract/reports/runs.ts';
import { ApiProblem, call } from '../../../app/api.ts';
import type { ParameterValues } from '../../parameters/search.ts';
import type { ReportContent } from '../content.ts';
import type { Run } from './run.ts';
import type { SqlFault } from '../../query/sql-editor.ts';

export interface Preview {
  readonly isRunning: boolean;
  /** The last result, also while another run is in progress or has failed. */
  readonly result: ReportResult | undefined;
  /** What the last result is of. */
  readonly ran: Run | undefined;
  readonly error: unknown;
  /** The error in the query, until the query is edited. */
  readonly fault: SqlFault | undefined;
  run(content: ReportContent, values: ParameterValues): void;
  /** Cancels the query, also at the data source. */
  cancel(): void;
}

/** Runs the edited query. A new run cancels the previous one. */
export function usePreview(
  organizationId: string,
  query: string,
  onResult: (result: ReportResult) => void,
): Preview {
  const controller = useRef<AbortController>(undefined);
  const [last, setLast] = useState<{ readonly result: ReportResult; readonly ran: Run }>();
  const mutation = useMutation({
    mutationFn: async ({
      content,
      values,
      signal,
    }: {
      readonly content: ReportContent;
      readonly values: ParameterValues;
      readonly signal: AbortSignal;
    }) => {
      const { dataSourceId, query, parameters } = content;
      const body = { organizationId, dataSourceId, query, parameters, values };
      const received = await call('POST /api/reports/preview', { body, signal });
      setLast({ result: received, ran: { content, values } });
      onResult(received);
    },
  });
  useEffect(() => () => controller.current?.abort(), []);

  const error = isAborted(mutation.error) ? undefined : (mutation.error ?? undefined);
  const isOfThisQuery = mutation.variables?.content.query === query;
  return {
    isRunning: mutation.isPending,
    result: last?.result,
    ran: last?.ran,
    error,
    fault: isOfThisQuery ? faultOf(error) : undefined,
    run(content, values) {
      controller.current?.abort();
      controller.current = new AbortController();
      mutation.mutate({ content, values, signal: controller.current.signal });
    },
    cancel: () => controller.current?.abort(),
  };
}

const isAborted = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

function faultOf(error: unknown): SqlFault | undefined {
  if (!(error instanceof ApiProblem) || error.code !== 'query_failed') return undefined;
  const { detail, line, column } = error.problem;
  return {
    message: detail,
    ...(typeof line === 'number' && { line }),
    ...(typeof column === 'number' && { column }),
  };
}
