import { Group, Paper, SegmentedControl, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { Report, ReportResult } from '#contract/reports/reports.ts';
import { TimeAgo } from '../../ui/text/TimeAgo.tsx';
import { VisualizationView } from '../../visualizations/VisualizationView.tsx';
import classes from './ReportResultCard.module.css';
import { resultFacts } from '../result-facts.ts';

/** The result of a report as a chart or a table, with its age. */
export function ReportResultCard({
  report: { name, visualization },
  result,
  isStale,
}: {
  readonly report: Pick<Report, 'name' | 'visualization'>;
  readonly result: ReportResult;
  /** Whether a newer result is loading. */
  readonly isStale: boolean;
}): ReactNode {
  const [isTable, setIsTable] = useState(false);
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" mb="sm" gap="xs">
        <Text size="xs" c="dimmed" role="status">
          {resultFacts(result)} · <TimeAgo at={result.computedAt} />
        </Text>
        {visualization.kind !== 'table' && (
          <SegmentedControl
            size="xs"
            aria-label="View"
            data={[
              { value: 'chart', label: 'Chart' },
              { value: 'table', label: 'Table' },
            ]}
            value={isTable ? 'table' : 'chart'}
            onChange={(shown) => setIsTable(shown === 'table')}
          />
        )}
      </Group>
      <div className={classes.visualization} data-stale={isStale || undefined} aria-busy={isStale}>
        <VisualizationView
          visualization={visualization}
          result={result}
          name={name}
          isTable={isTable}
          actionsFor={() => null}
        />
      </div>
    </Paper>
  );
}
