import { IconPencilOff, IconTableOff } from '@tabler/icons-react';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { findModel } from '#shared/models.ts';
import { paths } from '../app/paths.ts';
import { EmptyState } from '../ui/page/EmptyState.tsx';
import { Page } from '../ui/page/Page.tsx';
import { Waiting } from '../ui/page/Waiting.tsx';
import { Failure } from '../ui/problems/Failure.tsx';
import {
  dataSourceQuery,
  sourcePermissionsQuery,
  modelsQuery,
  tablePreviewQuery,
  tablesQuery,
} from '../ui/server-data/data-source-queries.ts';
import { sessionQuery, useOrganization } from '../ui/server-data/session.ts';
import { reasonAgainst } from '../ui/text/permissions.ts';
import { reasonAgainstSource } from '../ui/text/source-reasons.ts';
import { contentOf } from './draft.ts';
import { ModelEditor } from './ModelEditor.tsx';

/** The page on which an author describes a table. */
export function DescribeTablePage(): ReactNode {
  const { dataSourceId } = useParams({ from: paths.describeTable });
  const search = useSearch({ from: paths.describeTable });
  const { data: source } = useSuspenseQuery(dataSourceQuery(dataSourceId));
  const { user } = useSuspenseQuery(sessionQuery).data;
  const role = useOrganization(source.organizationId)?.role;
  const { data: permissions } = useQuery(sourcePermissionsQuery(dataSourceId));
  const reason =
    (role && reasonAgainst('report.create', role)) ?? reasonAgainstSource('use', permissions, undefined);
  const isAllowed = permissions !== undefined && reason === undefined;
  const models = useQuery({ ...modelsQuery(dataSourceId), enabled: isAllowed });
  const tables = useQuery({ ...tablesQuery(dataSourceId), enabled: isAllowed });
  const preview = useQuery({ ...tablePreviewQuery(dataSourceId, search), enabled: isAllowed });
  const title = t('Describe {table}', { table: search.table });
  const failed = [models, tables].find(({ isError }) => isError);
  if (reason !== undefined) {
    return (
      <Page title={title}>
        <EmptyState icon={IconPencilOff} title={t('You don’t have permission to describe tables')}>
          {reason}
        </EmptyState>
      </Page>
    );
  }
  if (failed?.error) {
    return (
      <Page title={title}>
        <Failure error={failed.error} retry={() => void failed.refetch()} />
      </Page>
    );
  }
  if (models.data === undefined || tables.data === undefined) {
    return (
      <Page title={title}>
        <Waiting height={420} />
      </Page>
    );
  }
  const reference = { schema: search.schema, name: search.table };
  const table = tables.data.find(
    ({ schema, name }) => schema === reference.schema && name === reference.name,
  );
  if (table === undefined) {
    return (
      <Page title={title}>
        <EmptyState icon={IconTableOff} title={t('The data source has no such table')}>
          {t('It may have been deleted or renamed.')}
        </EmptyState>
      </Page>
    );
  }
  const model = findModel(models.data, reference);
  return (
    <ModelEditor
      key={`${dataSourceId} ${search.schema} ${search.table}`}
      userId={user.id}
      source={source}
      table={table}
      tables={tables.data}
      rows={preview.data}
      saved={{ etag: etagOf(model?.version), content: model === undefined ? {} : contentOf(model) }}
    />
  );
}

/** A table that nobody has described has version 1. */
const etagOf = (version = 1): string => `"${version}"`;
