import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { call } from '../api.ts';
import { Failure } from '../ui/Failure.tsx';
import { notifyDone } from '../ui/notify.ts';
import type { InBin } from './bin-queries.ts';

/** Asks whether something in the bin shall go for good. */
export function PurgeDialog({
  item,
  onClose,
}: {
  readonly item: InBin | undefined;
  readonly onClose: () => void;
}): ReactNode {
  const client = useQueryClient();
  const purge = useMutation({
    mutationFn: purgeItem,
    onSuccess: (_, { name }) => {
      notifyDone(`“${name}” is gone for good.`);
      onClose();
      return client.invalidateQueries({ queryKey: ['bin'] });
    },
  });
  const close = () => {
    purge.reset();
    onClose();
  };
  return (
    <Modal opened={item !== undefined} onClose={close} title="Delete for good?" centered>
      {item !== undefined && (
        <Stack>
          <Text style={{ overflowWrap: 'anywhere' }}>
            {`“${item.name}” goes with its history. Nobody can bring it back.`}
          </Text>
          {purge.error !== null && <Failure error={purge.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>
              Keep it
            </Button>
            <Button color="red.9" loading={purge.isPending} onClick={() => purge.mutate(item)}>
              Delete for good
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

async function purgeItem({ kind, id }: InBin): Promise<void> {
  if (kind === 'dashboard') {
    await call('DELETE /api/bin/dashboards/{dashboardId}', { params: { dashboardId: id } });
  } else {
    await call('DELETE /api/bin/reports/{reportId}', { params: { reportId: id } });
  }
}
