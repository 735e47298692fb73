import { useDebouncedValue } from '@mantine/hooks';
import { hashKey, keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import type { ReportResult } from '#contract/reports/runs.ts';
import type { Visualization } from '#contract/reports/visualizations.ts';
import { withPart } from '../../edit/content.ts';
import type { EditedReport } from '../../edit/edited-report.ts';
import type { Builder } from '../context.ts';
import { isSummarized, limited } from '../up-to.ts';
import { fittingVisualization, suggestedVisualization } from '../visualization.ts';
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
  /** Chooses the chart, so that none is suggested instead. */
  readonly choose: (visualization: Visualization) => void;
}

/** Returns the result of the whole query, and shows it as the chart that suits it unless people chose another. */
export function useBuiltResult(builder: Builder, report: EditedReport): BuiltResult {
  const { content, draft, reportId, change, setChartPending } = report;
  const { structure, dialect } = builder;
  const isLimited = !isSummarized(structure) && structure.limit === undefined;
  const shown = useMemo(
    () => (isLimited ? limited(structure, maxPlainRows) : structure),
    [structure, isLimited],
  );
  const query = useMemo(() => runnableOf(shown, dialect), [shown, dialect]);
  const [settled] = useDebouncedValue(query, 300);
  const rows = useQuery({ ...builtResultQuery(builder, settled), placeholderData: keepPreviousData });
  const isCutOff = isLimited && rows.data?.rowCount === maxPlainRows;
  const result = rows.data && (isCutOff ? { ...rows.data, isCutOff } : rows.data);
  const isCurrent = query === settled && !rows.isPlaceholderData;

  const { visualization } = content;
  const chosen = useRef<string>(undefined);
  // All of them, because undoing brings back earlier ones.
  const suggested = useRef<ReadonlySet<string>>(
    new Set(reportId === undefined ? [keyOf({ kind: 'table' })] : []),
  );
  const isAutomatic = () =>
    chosen.current !== keyOf(visualization) && suggested.current.has(keyOf(visualization));

  useEffect(() => {
    if (result === undefined || !isCurrent) return;
    const suggestion = suggestedVisualization(structure, result);
    const fitting = isAutomatic() ? suggestion : fittingVisualization(visualization, result.columns);
    suggested.current = new Set([...suggested.current, keyOf(suggestion)]);
    if (fitting === undefined || keyOf(fitting) === keyOf(visualization)) return;
    draft.dispatch({ type: 'amend', change: (present) => withPart(present, { visualization: fitting }) });
    // Only for another result.
  }, [rows.data, isCurrent]);

  const isPending = isAutomatic() && (query !== settled || rows.isFetching);
  useEffect(() => {
    setChartPending(isPending);
    return () => setChartPending(false);
  }, [isPending]);

  return {
    refetch: () => void rows.refetch(),
    choose(visualization) {
      chosen.current = keyOf(visualization);
      change({ visualization }, 'visualization');
    },
    preview: {
      isRunning: rows.isFetching,
      result,
      error: rows.error ?? undefined,
    },
  };
}

const keyOf = (visualization: Visualization): string => hashKey([visualization]);
