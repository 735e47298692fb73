import { Anchor, Select } from '@mantine/core';
import { IconDatabase } from '@tabler/icons-react';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { paths } from '../../app/paths.ts';
import { dataSourcesQuery } from '../../ui/server-data/data-source-queries.ts';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { Failure } from '../../ui/problems/Failure.tsx';
import { Page } from '../../ui/page/Page.tsx';
import { sessionQuery, useOrganization } from '../../ui/server-data/session.ts';
import { Waiting } from '../../ui/page/Waiting.tsx';
import { findDraft } from '../../drafts/storage.ts';
import { emptyContent, recordIdOf, reportDrafts } from './content.ts';
import { ReportEditor } from './ReportEditor.tsx';
import { reasonAgainst } from '../../ui/text/permissions.ts';
import { rich } from '../../ui/text/rich.tsx';

/** The page on which a report is created: its data source first, then the editor. */
export function NewReportPage(): ReactNode {
  const { orgId } = useParams({ from: paths.newReport });
  const { source, schema, table, folder } = useSearch({ from: paths.newReport });
  const navigate = useNavigate({ from: paths.newReport });
  const { user } = useSuspenseQuery(sessionQuery).data;
  const role = useOrganization(orgId)?.role;
  // Loaded each time: a data source that was just created may be missing from the list in the cache.
  const sources = useQuery({ ...dataSourcesQuery(orgId), refetchOnMount: 'always' });
  const title = t('New report');
  const reason = role && reasonAgainst('report.create', role);
  if (!sources.isFetchedAfterMount || role === undefined) {
    return (
      <Page title={title}>
        <Waiting height={420} />
      </Page>
    );
  }
  if (sources.data === undefined) {
    return (
      <Page title={title}>
        <Failure error={sources.error} retry={() => void sources.refetch()} />
      </Page>
    );
  }
  if (reason !== undefined) {
    return (
      <Page title={title}>
        <EmptyState icon={IconDatabase} title={t('You don’t have permission to create reports')}>
          {reason}
        </EmptyState>
      </Page>
    );
  }
  const known = sources.data.map(({ id }) => id);
  const place = { userId: user.id, recordId: recordIdOf({ organizationId: orgId }) };
  const drafted = findDraft(localStorage, reportDrafts, place)?.present.dataSourceId;
  const only = known.length === 1 ? known[0] : undefined;
  const wanted = source === undefined ? [drafted, only] : [source];
  const chosen = wanted.find((id) => id !== undefined && known.includes(id));
  if (chosen === undefined) {
    return (
      <Page title={title}>
        {known.length === 0 ? (
          <EmptyState icon={IconDatabase} title={t('No data sources yet')}>
            {rich('<link>Upload files or connect a server</link>, then write the report.', {
              link: (text) => (
                <Anchor
                  renderRoot={(props) => <Link {...props} to={paths.newDataSource} params={{ orgId }} />}
                >
                  {text}
                </Anchor>
              ),
            })}
          </EmptyState>
        ) : (
          <Select
            label={t('Data source')}
            placeholder={t('Choose')}
            maw={400}
            data={sources.data.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(id) =>
              id !== null && void navigate({ search: (search) => ({ ...search, source: id }), replace: true })
            }
          />
        )}
      </Page>
    );
  }
  return (
    <ReportEditor
      title={title}
      organizationId={orgId}
      userId={user.id}
      folderId={folder}
      saved={{ etag: '', content: emptyContent(chosen) }}
      start={schema === undefined || table === undefined ? undefined : { schema, name: table }}
    />
  );
}
