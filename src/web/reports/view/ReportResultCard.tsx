import { Group, Paper, SegmentedControl, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { Report } from '#contract/reports/reports.ts';
import type { ReportResult } from '#contract/reports/runs.ts';
import { t } from '#shared/language/messages.ts';
import { TimeAgo } from '../../ui/text/TimeAgo.tsx';
import { VisualizationView } from '../../visualizations/VisualizationView.tsx';
import classes from './ReportResultCard.module.css';
import { LazyDrillItems } from '../drill/LazyDrillItems.tsx';
import { useDrill } from '../drill/use-drill.tsx';
import type { ParameterValues } from '../parameters/search.ts';
import { resultFacts } from '../result-facts.ts';

/** The result of a report as a chart or a table, with its age. */
export function ReportResultCard({
  report: { id, name, visualization },
  parameters,
  result,
  isStale,
}: {
  readonly report: Pick<Report, 'id' | 'name' | 'visualization'>;
  readonly parameters: ParameterValues;
  readonly result: ReportResult;
  /** Whether a newer result is loading. */
  readonly isStale: boolean;
}): ReactNode {
  const [isTable, setIsTable] = useState(false);
  const { drill, dialogs } = useDrill();
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" mb="sm" gap="xs">
        <Text size="xs" c="dimmed" role="status">
          {resultFacts(result)} · <TimeAgo at={result.computedAt} />
        </Text>
        {visualization.kind !== 'table' && (
          <SegmentedControl
            size="xs"
            aria-label={t('View')}
            data={[
              { value: 'chart', label: t('Chart') },
              { value: 'table', label: t('Table') },
            ]}
            value={isTable ? 'table' : 'chart'}
            onChange={(shown) => setIsTable(shown === 'table')}
          />
        )}
      </Group>
      <div className={classes.visualization} data-refreshing={isStale || undefined} aria-busy={isStale}>
        <VisualizationView
          visualization={visualization}
          result={result}
          name={name}
          isTable={isTable}
          actionsFor={(marks) => (
            <LazyDrillItems
              reportId={id}
              result={result}
              parameters={parameters}
              marks={marks}
              drill={drill}
            />
          )}
        />
        {dialogs}
      </div>
    </Paper>
  );
}
