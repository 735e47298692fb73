import { Badge, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash, IconUserPlus } from '@tabler/icons-react';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { paths } from '../app/paths.ts';
import { ActionButton } from '../ui/actions/ActionButton.tsx';
import {
  dataSourceQuery,
  sourcePermissionsQuery,
  tablesQuery,
} from '../ui/server-data/data-source-queries.ts';
import { Page } from '../ui/page/Page.tsx';
import { useOrganization } from '../ui/server-data/session.ts';
import { DeleteSourceDialog } from './DeleteSourceDialog.tsx';
import { EditSourceDialog } from './EditSourceDialog.tsx';
import { sourceKinds } from './kinds/registry.ts';
import { Tables } from './Tables.tsx';
import { UploadArea } from './uploads/UploadArea.tsx';
import { reasonAgainst } from '../ui/text/permissions.ts';
import { reasonAgainstSource } from '../ui/text/source-reasons.ts';
import { ShareDialog } from '../sharing/ShareDialog.tsx';

/** A data source: its connection and its tables. */
export function DataSourcePage(): ReactNode {
  const { dataSourceId } = useParams({ from: paths.dataSource });
  const navigate = useNavigate();
  const { data: source } = useSuspenseQuery(dataSourceQuery(dataSourceId));
  const role = useOrganization(source.organizationId)?.role;
  const { data: permissions } = useQuery(sourcePermissionsQuery(dataSourceId));
  const kind = sourceKinds[source.kind];
  const reason = reasonAgainstSource('edit', permissions, role && reasonAgainst(kind.manage, role));
  const browseReason = reasonAgainstSource(
    'use',
    permissions,
    role && reasonAgainst('data_source.browse', role),
  );
  const mayBrowse = permissions !== undefined && browseReason === undefined;
  const tables = useQuery({ ...tablesQuery(dataSourceId), enabled: mayBrowse });
  const [dialog, setDialog] = useState<'edit' | 'delete' | 'share'>();
  return (
    <Page
      title={source.name}
      description={
        <Group gap="xs">
          {kind.placeOf(source)}
          {kind.hasUploads && tables.data !== undefined && (
            <Badge variant="default" size="sm" tt="none">
              {t('{count} of 100 tables', { count: tables.data.length })}
            </Badge>
          )}
        </Group>
      }
      actions={
        <>
          <ActionButton
            reason={(role && reasonAgainst('report.create', role)) ?? browseReason}
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() =>
              void navigate({
                to: paths.newReport,
                params: { orgId: source.organizationId },
                search: { source: source.id },
              })
            }
          >
            {t('New report')}
          </ActionButton>
          <ActionButton
            variant="default"
            leftSection={<IconUserPlus size={16} aria-hidden />}
            onClick={() => setDialog('share')}
          >
            {t('Share')}
          </ActionButton>
          <ActionButton
            variant="default"
            reason={reason}
            leftSection={<IconPencil size={16} aria-hidden />}
            onClick={() => setDialog('edit')}
          >
            {t('Edit')}
          </ActionButton>
          <ActionButton
            variant="default"
            reason={reason}
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => setDialog('delete')}
          >
            {t('Delete')}
          </ActionButton>
        </>
      }
    >
      {kind.connection !== undefined && <kind.connection.Card source={source} reason={reason} />}
      {kind.hasUploads && permissions !== undefined && reason === undefined && (
        <UploadArea
          organizationId={source.organizationId}
          dataSourceId={source.id}
          existing={new Set(tables.data?.map(({ name }) => name))}
        />
      )}
      <Stack gap="sm" component="section" aria-labelledby="tables-heading">
        <Title order={2} fz="h4" id="tables-heading">
          {t('Tables')}
        </Title>
        {browseReason === undefined ? (
          <Tables source={source} tables={tables} />
        ) : (
          <Paper withBorder p="md">
            <Text size="sm">
              {t('You can see the data of these tables only in reports. {browseReason}', { browseReason })}
            </Text>
          </Paper>
        )}
      </Stack>
      {dialog === 'share' && (
        <ShareDialog
          record={{ ...source, kind: 'data_source' }}
          opened
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === 'edit' && <EditSourceDialog source={source} close={() => setDialog(undefined)} />}
      {dialog === 'delete' && <DeleteSourceDialog source={source} close={() => setDialog(undefined)} />}
    </Page>
  );
}
