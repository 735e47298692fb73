import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import type { ReportResult } from '#contract/reports/runs.ts';
import type { Visualization } from '#contract/reports/visualizations.ts';
import { withPart } from '../../edit/content.ts';
import type { EditedReport } from '../../edit/edited-report.ts';
import type { Builder } from '../context.ts';
import { isSummarized, limited } from '../up-to.ts';
import { fittingVisualization, isSameVisualization, suggestedVisualization } from '../visualization.ts';
import { builtResultQuery, runnableOf } from './queries.ts';

/** The rows of a table that are shown before anything is summarized. The report itself has no such limit. */
const maxPlainRows = 1_000;

interface BuiltResult {
  readonly preview: {
    readonly isRunning: boolean;
    readonly result: ReportResult | undefined;
    readonly error: unknown;
  };
  readonly refetch: () => void;
}

/** Returns the result of the whole query, and shows it as the chart that suits it unless people chose another. */
export function useBuiltResult(builder: Builder, { content, draft, reportId }: EditedReport): BuiltResult {
  const { structure, dialect } = builder;
  const shown =
    isSummarized(structure) || structure.limit !== undefined ? structure : limited(structure, maxPlainRows);
  const query = useMemo(() => runnableOf(shown, dialect), [shown, dialect]);
  const [settled] = useDebouncedValue(query, 300);
  const rows = useQuery({ ...builtResultQuery(builder, settled), placeholderData: keepPreviousData });
  const isCutOff = shown !== structure && rows.data?.rowCount === maxPlainRows;
  const result = rows.data && (isCutOff ? { ...rows.data, isCutOff } : rows.data);
  const suggested = useRef<Visualization>(undefined);
  const isCurrent = !rows.isPlaceholderData;
  useEffect(() => {
    if (result === undefined || !isCurrent) return;
    const before = suggested.current;
    const suggestion = suggestedVisualization(structure, result);
    suggested.current = suggestion;
    const { visualization } = content;
    const isAutomatic =
      before === undefined
        ? reportId === undefined && visualization.kind === 'table'
        : isSameVisualization(visualization, before);
    if (isAutomatic)
      draft.dispatch({
        type: 'amend',
        change: (present) => withPart(present, { visualization: suggestion }),
      });
    else {
      const fitting = fittingVisualization(visualization, result.columns);
      if (fitting !== undefined)
        draft.dispatch({ type: 'amend', change: (present) => withPart(present, { visualization: fitting }) });
    }
    // Only for another result.
  }, [rows.data, isCurrent]);
  return {
    refetch: () => void rows.refetch(),
    preview: {
      isRunning: rows.isFetching,
      result,
      error: rows.error ?? undefined,
    },
  };
}
