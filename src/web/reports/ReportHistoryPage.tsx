import { Button, Code } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { paths } from '../app/paths.ts';
import { permissionsQuery } from '../sharing/queries.ts';
import { HistoryPage } from '../history/HistoryPage.tsx';
import { EmptyState } from '../ui/page/EmptyState.tsx';
import { Waiting } from '../ui/page/Waiting.tsx';
import { reportQuery } from './queries.ts';

/** The versions of a report. */
export function ReportHistoryPage(): ReactNode {
  const { reportId } = useParams({ from: paths.reportHistory });
  const { report } = useSuspenseQuery(reportQuery(reportId)).data;
  const { data: permissions } = useQuery(permissionsQuery({ kind: 'report', id: reportId }));
  return (
    <HistoryPage
      name={report.name}
      actions={
        <Button
          variant="default"
          renderRoot={(props) => <Link {...props} to={paths.report} params={{ reportId }} search={{}} />}
        >
          {t('Back to the report')}
        </Button>
      }
      replacement={
        permissions === undefined ? (
          <Waiting height={320} />
        ) : permissions.access === 'view' ? (
          <EmptyState icon={IconLock} title={t('You can’t see the history of this report')}>
            {t('Only people who can edit it see its history.')}
          </EmptyState>
        ) : undefined
      }
      record={{ kind: 'report', id: reportId }}
      path={paths.reportHistory}
      summaryOf={({ summary }) => summary}
      preview={({ query }) => (
        <Code block aria-label={t('Query')} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {query}
        </Code>
      )}
    />
  );
}
