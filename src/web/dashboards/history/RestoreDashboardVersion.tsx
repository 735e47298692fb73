import { Group } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { call } from '../../app/api.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { notifyDone, notifyError } from '../../ui/notify.ts';

/** Makes the newest version one that is as an old one was; nothing between them is lost. */
export function RestoreDashboardVersion({
  dashboardId,
  version,
  newest,
}: {
  readonly dashboardId: string;
  readonly version: number;
  readonly newest: number;
}): ReactNode {
  const client = useQueryClient();
  const restore = useMutation({
    mutationFn: () =>
      call('POST /api/dashboards/{dashboardId}/versions/{version}/restore', {
        params: { dashboardId, version: `${version}` },
      }),
    onSuccess: () => notifyDone(`The dashboard is as in version ${version} again.`),
    onError: notifyError,
    onSettled: () => client.invalidateQueries({ queryKey: ['dashboards'] }),
  });
  return (
    <Group>
      <ActionButton
        variant="default"
        size="xs"
        reason={version === newest ? 'It is the version there is.' : undefined}
        loading={restore.isPending}
        onClick={() => restore.mutate()}
      >
        {`Restore version ${version}`}
      </ActionButton>
    </Group>
  );
}
