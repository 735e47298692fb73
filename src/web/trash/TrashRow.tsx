import { Group, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { call } from '../app/api.ts';
import { ActionButton } from '../ui/ActionButton.tsx';
import { notifyDone, notifyError } from '../ui/notify.ts';
import { forgetDeleted } from '../ui/notify-undo.tsx';
import { mayAs, sessionQuery, useOrganization } from '../ui/server-data/session.ts';
import { TimeAgo } from '../ui/text/TimeAgo.tsx';
import { exactTime } from '../ui/text/times.ts';
import classes from './TrashRow.module.css';
import type { InBin } from './trash-queries.ts';

/** One thing in the bin: who deleted it, until when it can be restored, and what can be done with it. */
export function BinRow({
  item,
  orgId,
  onPurge,
}: {
  readonly item: InBin;
  readonly orgId: string | undefined;
  readonly onPurge: () => void;
}): ReactNode {
  const client = useQueryClient();
  const { data: signedIn } = useQuery(sessionQuery);
  const role = useOrganization(orgId)?.role;
  const restore = useMutation({
    mutationFn: () => restoreItem(item),
    onSuccess: () => {
      forgetDeleted(item.id);
      notifyDone(`“${item.name}” is back.`);
    },
    onError: notifyError,
    onSettled: () =>
      Promise.all(
        ['bin', 'dashboards', 'reports'].map((key) => client.invalidateQueries({ queryKey: [key] })),
      ),
  });
  const isOwner = item.userId === signedIn?.user.id && (orgId === undefined || mayAs(role, 'editor'));
  const reason =
    isOwner || mayAs(role, 'admin')
      ? undefined
      : `Only its owner and the admins of the organization may delete a ${item.kind} for good.`;
  return (
    <Group component="li" className={classes['row'] ?? ''} gap="sm">
      <div className={classes['words']}>
        <Text fw={500} size="sm">
          {item.name}
        </Text>
        <Text size="xs" c="dimmed">
          Deleted{item.deletedByName !== undefined && ` by ${item.deletedByName}`}{' '}
          <TimeAgo at={item.deletedAt} />, to be restored until {exactTime(item.purgeAt)}
        </Text>
      </div>
      <ActionButton
        variant="default"
        size="xs"
        aria-label={`Restore ${item.name}`}
        loading={restore.isPending}
        onClick={() => restore.mutate()}
      >
        Restore
      </ActionButton>
      <ActionButton
        variant="subtle"
        color="gray"
        size="xs"
        aria-label={`Delete for good: ${item.name}`}
        reason={reason}
        onClick={onPurge}
      >
        Delete for good
      </ActionButton>
    </Group>
  );
}

async function restoreItem({ kind, id }: InBin): Promise<void> {
  if (kind === 'dashboard') {
    await call('POST /api/bin/dashboards/{dashboardId}/restore', { params: { dashboardId: id } });
  } else {
    await call('POST /api/bin/reports/{reportId}/restore', { params: { reportId: id } });
  }
}
