import { Paper, Radio, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode, type SubmitEvent } from 'react';
import type { DataSourceKind } from '#contract/data-sources/kinds.ts';
import { t } from '#shared/language/messages.ts';
import { call } from '../app/api.ts';
import { paths } from '../app/paths.ts';
import { ActionButton } from '../ui/actions/ActionButton.tsx';
import { dataSourceQuery } from '../ui/server-data/data-source-queries.ts';
import { Failure } from '../ui/problems/Failure.tsx';
import { faultAt, isShownByFields } from '../ui/problems/field-faults.ts';
import { Page } from '../ui/page/Page.tsx';
import { Unavailable } from '../ui/actions/Unavailable.tsx';
import { useOrganization } from '../ui/server-data/session.ts';
import { reasonAgainst } from '../ui/text/permissions.ts';
import { connectionTestQuery } from './connection-test.ts';
import type { Typed } from './kinds/kind.ts';
import { inputOf, isSourceKind, sourceKinds } from './kinds/registry.ts';
import { UploadArea } from './uploads/UploadArea.tsx';

/** Sound because the registry has no other keys. */
const kinds = Object.keys(sourceKinds) as DataSourceKind[];

export function NewDataSourcePage(): ReactNode {
  const { orgId } = useParams({ from: paths.newDataSource });
  const search = useSearch({ from: paths.newDataSource });
  const kind = isSourceKind(search.kind) ? search.kind : 'files';
  const { connection, createLabel, hasUploads, manage } = sourceKinds[kind];
  const navigate = useNavigate({ from: paths.newDataSource });
  const client = useQueryClient();
  const role = useOrganization(orgId)?.role;
  const [name, setName] = useState('');
  const [typedByKind, setTypedByKind] = useState<Partial<Record<DataSourceKind, Typed>>>({});
  const typed = typedByKind[kind] ?? connection?.typedFrom(undefined) ?? {};

  const create = useMutation({
    mutationFn: async () => {
      const source = await call('POST /api/organizations/{orgId}/data-sources', {
        params: { orgId },
        body: { name, ...inputOf(kind, typed) },
      });
      client.setQueryData(dataSourceQuery(source.id).queryKey, source);
      return source;
    },
    onSuccess: async ({ id }) => {
      // A mistake is easiest to correct right after typing it.
      if (connection !== undefined) void client.query(connectionTestQuery(id)).catch(() => {});
      await client.invalidateQueries({ queryKey: ['data-sources', 'of', orgId] });
      await navigate({ to: paths.dataSource, params: { dataSourceId: id } });
    },
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    create.mutate();
  };
  const reason = role && reasonAgainst(manage, role);
  const isShown = isShownByFields(create.error, ['/name', ...(connection?.pointers ?? [])]);
  return (
    <Page title={t('New data source')} size="sm">
      <form onSubmit={submit}>
        <Stack>
          <Radio.Group
            label={t('Where is the data?')}
            value={kind}
            onChange={(chosen) => void navigate({ search: { kind: chosen }, replace: true })}
          >
            <SimpleGrid cols={{ base: 1, xs: 2 }} mt="xs">
              {kinds.map((choice) => (
                <KindCard
                  key={choice}
                  kind={choice}
                  reason={role && reasonAgainst(sourceKinds[choice].manage, role)}
                />
              ))}
            </SimpleGrid>
          </Radio.Group>
          {hasUploads && reason === undefined && (
            <>
              <UploadArea
                organizationId={orgId}
                newSourceName={name.trim() === '' ? undefined : name}
                existing={new Set()}
                onImported={(dataSourceId) =>
                  void navigate({ to: paths.dataSource, params: { dataSourceId } })
                }
              />
              <Text size="sm" c="dimmed">
                {t('The data source is named after the first file. You can also create an empty one:')}
              </Text>
            </>
          )}
          <TextInput
            label={t('Name')}
            description={t('Shown when choosing a source')}
            required
            maxLength={200}
            error={faultAt(create.error, '/name')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          {connection !== undefined && (
            <connection.Fields
              typed={typed}
              change={(changed) => setTypedByKind({ ...typedByKind, [kind]: changed })}
              error={create.error}
            />
          )}
          {create.isError && !isShown && <Failure error={create.error} />}
          <div>
            <ActionButton type="submit" reason={reason} loading={create.isPending}>
              {createLabel}
            </ActionButton>
          </div>
        </Stack>
      </form>
    </Page>
  );
}

function KindCard({
  kind,
  reason,
}: {
  readonly kind: DataSourceKind;
  readonly reason: string | undefined;
}): ReactNode {
  const { label, description } = sourceKinds[kind];
  return (
    <Unavailable reason={reason}>
      <Paper withBorder p="sm">
        <Radio
          value={kind}
          label={label}
          description={
            <Text span size="xs" c="dimmed">
              {description}
            </Text>
          }
        />
      </Paper>
    </Unavailable>
  );
}
