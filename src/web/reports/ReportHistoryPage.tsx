import { Button, Code } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../app/paths.ts';
import { HistoryPage } from '../history/HistoryPage.tsx';
import { EmptyState } from '../ui/page/EmptyState.tsx';
import { useOrganization } from '../ui/server-data/session.ts';
import { Waiting } from '../ui/page/Waiting.tsx';
import { reportQuery } from './queries.ts';
import { reasonAgainst } from '../ui/text/permissions.ts';

/** The versions of a report. */
export function ReportHistoryPage(): ReactNode {
  const { reportId } = useParams({ from: paths.reportHistory });
  const { report } = useSuspenseQuery(reportQuery(reportId)).data;
  const role = useOrganization(report.organizationId)?.role;
  const reason = role && reasonAgainst('report.edit', role);
  return (
    <HistoryPage
      name={report.name}
      actions={
        <Button
          variant="default"
          renderRoot={(props) => <Link {...props} to={paths.report} params={{ reportId }} search={{}} />}
        >
          Back to the report
        </Button>
      }
      replacement={
        role === undefined ? (
          <Waiting height={320} />
        ) : reason !== undefined ? (
          <EmptyState icon={IconLock} title="You can’t see the history of this report">
            {reason}
          </EmptyState>
        ) : undefined
      }
      record={{ kind: 'report', id: reportId }}
      path={paths.reportHistory}
      summaryOf={({ summary }) => summary}
      preview={({ query }) => (
        <Code block aria-label="Query" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {query}
        </Code>
      )}
    />
  );
}
