import { IconPencilOff } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../../app/paths.ts';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { Page } from '../../ui/page/Page.tsx';
import { sessionQuery, useOrganization } from '../../ui/server-data/session.ts';
import { Waiting } from '../../ui/page/Waiting.tsx';
import { contentOf } from './content.ts';
import { ReportEditor } from './ReportEditor.tsx';
import { reportQuery } from '../queries.ts';
import { reasonAgainst } from '../../ui/text/permissions.ts';

/** The page on which a report is edited. */
export function ReportEditPage(): ReactNode {
  const { reportId } = useParams({ from: paths.reportEdit });
  const { report, etag } = useSuspenseQuery(reportQuery(reportId)).data;
  const { user } = useSuspenseQuery(sessionQuery).data;
  const role = useOrganization(report.organizationId)?.role;
  const title = `Edit ${report.name}`;
  if (role === undefined) {
    return (
      <Page title={title}>
        <Waiting height={420} />
      </Page>
    );
  }
  const reason = reasonAgainst('report.edit', role);
  if (reason !== undefined) {
    return (
      <Page title={title}>
        <EmptyState icon={IconPencilOff} title="You don’t have permission to edit reports">
          {reason}
        </EmptyState>
      </Page>
    );
  }
  return (
    <ReportEditor
      key={reportId}
      title={title}
      organizationId={report.organizationId}
      reportId={reportId}
      userId={user.id}
      saved={{ etag, content: contentOf(report) }}
    />
  );
}
