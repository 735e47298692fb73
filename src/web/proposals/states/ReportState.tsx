import { Code, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ReportResult } from '#contract/reports/runs.ts';
import { findFaults } from '#charts/kinds.ts';
import { t } from '#shared/language/messages.ts';
import { resultFacts } from '../../reports/result-facts.ts';
import { Waiting } from '../../ui/page/Waiting.tsx';
import { Failure } from '../../ui/problems/Failure.tsx';
import { visibleText } from '../../ui/text/visible-text.ts';
import { VisualizationView } from '../../visualizations/VisualizationView.tsx';
import type { ShownReport } from './report-content.ts';
import { StateHeading } from './StateHeading.tsx';
import classes from './States.module.css';

/** A report with its result, its query, and everything else that it has: some of it runs only later, such as queries of clicks. */
export const ReportState = ({
  report: { name, description, query, ...others },
  result: { data, error, refetch },
}: {
  readonly report: ShownReport;
  readonly result: Pick<UseQueryResult<ReportResult>, 'data' | 'error' | 'refetch'>;
}): ReactNode => (
  <Stack gap="sm">
    <StateHeading name={name} description={description} />
    {error !== null ? (
      <Failure error={error} retry={() => void refetch()} />
    ) : data === undefined ? (
      <Waiting height={320} />
    ) : (
      <>
        <Text size="xs" c="dimmed">
          {resultFacts(data)}
        </Text>
        <div className={classes['chart']}>
          <VisualizationView
            visualization={others.visualization}
            result={{ ...data, faults: findFaults(others.visualization, data.columns) }}
            name={name}
          />
        </div>
      </>
    )}
    <Code block aria-label={t('Query')} className={classes['query']}>
      {visibleText(query)}
    </Code>
    <div>
      <Text size="xs" c="dimmed">
        {t('Everything else')}
      </Text>
      <Code block aria-label={t('Everything else')} className={classes['query']}>
        {visibleText(JSON.stringify(others, null, 2))}
      </Code>
    </div>
  </Stack>
);
