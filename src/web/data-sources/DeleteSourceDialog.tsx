import { Alert, Anchor, Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { DataSource } from '#contract/data-sources.ts';
import { ApiProblem, call } from '../app/api.ts';
import { paths } from '../app/paths.ts';
import { Failure } from '../ui/problems/Failure.tsx';
import { notifyDone } from '../ui/notifications/notify.ts';
import { sourceKinds } from './kinds/registry.ts';
import { counted } from '../ui/text/nouns.ts';

/** The members of the problem `data_source_in_use` that other problems don't have. */
interface SourceUses {
  readonly reports: readonly { readonly id: string; readonly name: string }[];
  readonly reportCount: number;
}

/** Deletes a source permanently. The server refuses while reports use it. */
export function DeleteSourceDialog({
  source: { id, name, kind, organizationId },
  close,
}: {
  readonly source: DataSource;
  readonly close: () => void;
}): ReactNode {
  const client = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => call('DELETE /api/data-sources/{dataSourceId}', { params: { dataSourceId: id } }),
    onSuccess: async () => {
      notifyDone(`Deleted “${name}”.`);
      await navigate({ to: paths.dataSources, params: { orgId: organizationId } });
      client.removeQueries({ queryKey: ['data-sources', id] });
      await client.invalidateQueries({ queryKey: ['data-sources', 'of', organizationId] });
    },
  });
  const uses = usesIn(remove.error);
  return (
    <Modal opened onClose={close} title="Delete the data source?">
      <Stack>
        <Text style={{ overflowWrap: 'anywhere' }}>
          “{name}” is deleted permanently
          {sourceKinds[kind].deletionNote}
        </Text>
        {uses !== undefined && <Uses uses={uses} />}
        {remove.isError && uses === undefined && <Failure error={remove.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close} data-autofocus>
            {uses === undefined ? 'Cancel' : 'Close'}
          </Button>
          {uses === undefined && (
            <Button color="red.9" loading={remove.isPending} onClick={() => remove.mutate()}>
              Delete permanently
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

const Uses = ({ uses: { reports, reportCount } }: { readonly uses: SourceUses }): ReactNode => (
  <Alert color="orange" variant="default" role="alert" title={`Used by ${counted(reportCount, 'report')}`}>
    <Stack gap="xs">
      <Text size="sm">
        Delete {reportCount === 1 ? 'this report' : 'these reports'} first, or choose another data source for{' '}
        {reportCount === 1 ? 'it' : 'them'}.
      </Text>
      <List size="sm">
        {reports.map((report) => (
          <List.Item key={report.id}>
            <Anchor
              size="sm"
              renderRoot={(props) => <Link {...props} to={paths.report} params={{ reportId: report.id }} />}
            >
              {report.name}
            </Anchor>
          </List.Item>
        ))}
      </List>
    </Stack>
  </Alert>
);

function usesIn(error: unknown): SourceUses | undefined {
  if (!(error instanceof ApiProblem) || error.code !== 'data_source_in_use') return undefined;
  // Sound because the contract has these members in this problem.
  return error.problem as unknown as SourceUses;
}
