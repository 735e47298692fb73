import { IconPencilOff } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { paths } from '../../app/paths.ts';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { Page } from '../../ui/page/Page.tsx';
import { permissionsQuery } from '../../sharing/queries.ts';
import { sessionQuery } from '../../ui/server-data/session.ts';
import { contentOf } from './content.ts';
import { ReportEditor } from './ReportEditor.tsx';
import { reportQuery } from '../queries.ts';

/** The page on which a report is edited. */
export function ReportEditPage(): ReactNode {
  const { reportId } = useParams({ from: paths.reportEdit });
  const { report, etag } = useSuspenseQuery(reportQuery(reportId)).data;
  const { user } = useSuspenseQuery(sessionQuery).data;
  const { data: permissions } = useSuspenseQuery(permissionsQuery({ kind: 'report', id: reportId }));
  const title = t('Edit {name}', { name: report.name });
  if (permissions.access === 'view') {
    return (
      <Page title={title}>
        <EmptyState icon={IconPencilOff} title={t('You can view this report, but not edit it')}>
          {t('Ask its owner or an admin of the organization to share it with you to edit.')}
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
