import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { DataSource } from '#contract/data-sources.ts';
import { call } from '../app/api.ts';
import { paths } from '../app/paths.ts';
import { Failure } from '../ui/problems/Failure.tsx';
import { notifyDone } from '../ui/notifications/notify.ts';
import { sourceKinds } from './kinds/registry.ts';
import { sourceUsesQuery } from './source-uses.ts';
import { SourceUses } from './SourceUses.tsx';

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
    // Somebody has added a report in the meantime.
    onError: () => void uses.refetch(),
    onSuccess: async () => {
      notifyDone(`Deleted “${name}”.`);
      await navigate({ to: paths.dataSources, params: { orgId: organizationId } });
      client.removeQueries({ queryKey: ['data-sources', id] });
      await client.invalidateQueries({ queryKey: ['data-sources', 'of', organizationId] });
    },
  });
  const uses = useQuery(sourceUsesQuery(id));
  const isUsed = (uses.data?.reportCount ?? 0) > 0;
  return (
    <Modal opened onClose={close} title="Delete the data source?">
      <Stack>
        <Text style={{ overflowWrap: 'anywhere' }}>
          “{name}” is deleted permanently
          {sourceKinds[kind].deletionNote}
        </Text>
        {uses.data !== undefined && (
          <SourceUses
            uses={uses.data}
            consequence="Delete them first, or choose another data source for them."
          />
        )}
        {uses.isError && <Failure error={uses.error} />}
        {remove.isError && !isUsed && <Failure error={remove.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close} data-autofocus>
            {isUsed ? 'Close' : 'Cancel'}
          </Button>
          {!isUsed && (
            <Button
              color="red.9"
              loading={remove.isPending || uses.isPending}
              onClick={() => remove.mutate()}
            >
              Delete permanently
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
