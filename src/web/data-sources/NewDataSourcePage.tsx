import { Paper, Radio, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode, type SubmitEvent } from 'react';
import type { DataSourceKind } from '#contract/data-sources.ts';
import { call } from '../app/api.ts';
import { paths } from '../app/paths.ts';
import { ActionButton } from '../ui/ActionButton.tsx';
import { dataSourceQuery } from '../ui/server-data/data-source-queries.ts';
import { Failure } from '../ui/problems/Failure.tsx';
import { faultAt, isToldByFields } from '../ui/problems/field-faults.ts';
import { Page } from '../ui/Page.tsx';
import { Unavailable } from '../ui/Unavailable.tsx';
import { useOrganization } from '../ui/server-data/session.ts';
import { connectionOf, connectionPointers, emptyConnection } from './connection/form.ts';
import { ConnectionFields } from './connection/ConnectionFields.tsx';
import { connectionTestQuery } from './connection/test-query.ts';
import { reasonAgainstChanging } from './source-words.ts';

const kinds = [
  { kind: 'files', label: 'Files', words: 'CSV, TSV, JSON or Parquet that you upload as tables' },
  { kind: 'postgresql', label: 'PostgreSQL', words: 'A server, asked anew whenever a report runs' },
] as const;

export function NewDataSourcePage(): ReactNode {
  const { orgId } = useParams({ from: paths.newDataSource });
  const { kind = 'files' } = useSearch({ from: paths.newDataSource });
  const navigate = useNavigate({ from: paths.newDataSource });
  const client = useQueryClient();
  const role = useOrganization(orgId)?.role;
  const [name, setName] = useState('');
  const [typed, setTyped] = useState(emptyConnection);

  const create = useMutation({
    mutationFn: async () => {
      const connection = kind === 'postgresql' ? { connection: connectionOf(typed) } : {};
      const source = await call('POST /api/organizations/{orgId}/data-sources', {
        params: { orgId },
        body: { name, kind, ...connection },
      });
      client.setQueryData(dataSourceQuery(source.id).queryKey, source);
      return source;
    },
    onSuccess: async ({ id }) => {
      // What was just typed is best mended at once.
      if (kind === 'postgresql') void client.query(connectionTestQuery(id)).catch(() => {});
      await client.invalidateQueries({ queryKey: ['data-sources', 'of', orgId] });
      await navigate({ to: paths.dataSource, params: { dataSourceId: id } });
    },
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    create.mutate();
  };
  const reason = role && reasonAgainstChanging(kind, role);
  const isTold = isToldByFields(create.error, ['/name', ...connectionPointers]);
  return (
    <Page title="New data source" size="sm">
      <form onSubmit={submit}>
        <Stack>
          <Radio.Group
            label="Where is the data?"
            value={kind}
            onChange={(chosen) =>
              void navigate({
                search: { kind: chosen === 'postgresql' ? 'postgresql' : 'files' },
                replace: true,
              })
            }
          >
            <SimpleGrid cols={{ base: 1, xs: 2 }} mt="xs">
              {kinds.map((choice) => (
                <KindCard
                  key={choice.kind}
                  {...choice}
                  reason={role && reasonAgainstChanging(choice.kind, role)}
                />
              ))}
            </SimpleGrid>
          </Radio.Group>
          <TextInput
            label="Name"
            description="What people choose it by when they write a report"
            required
            maxLength={200}
            error={faultAt(create.error, '/name')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          {kind === 'postgresql' && (
            <ConnectionFields
              typed={typed}
              change={setTyped}
              error={create.error}
              passwordHint="Stored encrypted, and never shown again"
            />
          )}
          {create.isError && !isTold && <Failure error={create.error} />}
          <div>
            <ActionButton type="submit" reason={reason} loading={create.isPending}>
              {kind === 'files' ? 'Create, then upload files' : 'Create and test'}
            </ActionButton>
          </div>
        </Stack>
      </form>
    </Page>
  );
}

function KindCard({
  kind,
  label,
  words,
  reason,
}: {
  readonly kind: DataSourceKind;
  readonly label: string;
  readonly words: string;
  readonly reason: string | undefined;
}): ReactNode {
  return (
    <Unavailable reason={reason}>
      <Paper withBorder p="sm">
        <Radio
          value={kind}
          label={label}
          description={
            <Text span size="xs" c="dimmed">
              {words}
            </Text>
          }
        />
      </Paper>
    </Unavailable>
  );
}
