import { Button, Center, Group, Paper, SegmentedControl, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import type { Column } from '#contract/data-sources/data-sources.ts';
import type { Visualization } from '#contract/reports/visualizations.ts';
import { ApiProblem } from '../../app/api.ts';
import { ActionButton } from '../../ui/actions/ActionButton.tsx';
import { Failure } from '../../ui/problems/Failure.tsx';
import { RowTable } from '../../ui/tables/RowTable.tsx';
import { VisualizationView } from '../../visualizations/VisualizationView.tsx';
import { findFaults } from '#charts/kinds.ts';
import { t } from '#shared/language/messages.ts';
import classes from './ReportEditor.module.css';
import { resultFacts } from '../result-facts.ts';
import type { Preview } from './sql/use-preview.ts';

/** The last result, as a chart or as rows with their source types. */
export function ResultPane({
  name,
  visualization,
  preview: { result, error, isRunning },
  isOlder,
  run,
  reasonAgainstRunning,
  hint = t('Write a query and run it to see the result.'),
  menuOf,
}: {
  readonly name: string;
  readonly visualization: Visualization;
  readonly preview: Pick<Preview, 'result' | 'error' | 'isRunning'>;
  /** Whether the query has changed since the result. */
  readonly isOlder: boolean;
  readonly run: () => void;
  readonly reasonAgainstRunning: string | undefined;
  /** Shown before the first result. */
  readonly hint?: string;
  /** Returns the menu of a column of the rows. */
  readonly menuOf?: ((column: Column, index: number) => ReactNode) | undefined;
}): ReactNode {
  const [shown, setShown] = useState<'chart' | 'rows'>();
  const tab = shown ?? 'chart';
  return (
    <section aria-label={t('Result')} className={classes.result}>
      {error !== undefined && (
        <Failure error={error}>
          {error instanceof ApiProblem && error.code === 'query_failed' ? null : (
            <Button size="xs" variant="default" onClick={run}>
              {t('Run again')}
            </Button>
          )}
        </Failure>
      )}
      {result === undefined && error === undefined && (
        <Paper withBorder>
          <Center h={220} px="md">
            <Text size="sm" c="dimmed" ta="center">
              {isRunning ? t('Running the query…') : hint}
            </Text>
          </Center>
        </Paper>
      )}
      {result !== undefined && (
        <>
          <Group justify="space-between" gap="xs">
            <Text size="xs" c="dimmed" role="status">
              {resultFacts(result)}
            </Text>
            <SegmentedControl
              size="xs"
              aria-label={t('View')}
              data={[
                { value: 'chart', label: t('Chart') },
                { value: 'rows', label: t('Data') },
              ]}
              value={tab}
              onChange={(chosen) => setShown(chosen === 'rows' ? 'rows' : 'chart')}
            />
          </Group>
          <div role="status">
            {isOlder && !isRunning && (
              <Group className={classes.older} gap="xs">
                <IconHistory size={16} aria-hidden />
                <Text size="sm" flex={1}>
                  {t('The query has changed since this result.')}
                </Text>
                <ActionButton size="compact-sm" variant="default" reason={reasonAgainstRunning} onClick={run}>
                  {t('Run again')}
                </ActionButton>
              </Group>
            )}
          </div>
          <div
            className={classes.content}
            data-older={isOlder || undefined}
            data-refreshing={isRunning || undefined}
            aria-busy={isRunning}
          >
            {tab === 'rows' ? (
              <RowTable
                label={t('Rows of the result')}
                columns={result.columns}
                rows={result.rows}
                height="100%"
                menuOf={menuOf}
              />
            ) : (
              <Paper withBorder p="md" className={classes.visualization}>
                <VisualizationView
                  visualization={visualization}
                  result={{ ...result, faults: findFaults(visualization, result.columns) }}
                  name={name}
                />
              </Paper>
            )}
          </div>
        </>
      )}
    </section>
  );
}
