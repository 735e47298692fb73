import { Group, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { mayOn } from '#shared/permissions.ts';
import { ActionButton } from '../ui/actions/ActionButton.tsx';
import { forgetDeleted } from '../ui/notifications/notify-deleted.tsx';
import { notifyDone, notifyError } from '../ui/notifications/notify.ts';
import { sessionQuery, useOrganization } from '../ui/server-data/session.ts';
import { refreshRecords, trashOf, type Deleted, type RecordKind } from '../ui/server-data/trash.ts';
import { SelectBox } from '../ui/selection/SelectBox.tsx';
import type { Selection } from '../ui/selection/use-selection.ts';
import { TimeAgo } from '../ui/text/TimeAgo.tsx';
import { exactTime } from '../ui/text/times.ts';
import classes from './TrashRow.module.css';
import { rich } from '../ui/text/rich.tsx';

/** A deleted record: who deleted it, until when it can be restored, and its actions. */
export function TrashRow({
  kind,
  item,
  selection,
  onPurge,
}: {
  readonly kind: RecordKind;
  readonly item: Deleted;
  readonly selection: Selection<Deleted>;
  readonly onPurge: () => void;
}): ReactNode {
  const { id, name, userId, organizationId, deletedAt, deletedByName, purgeAt } = item;
  const client = useQueryClient();
  const { data: signedIn } = useQuery(sessionQuery);
  const role = useOrganization(organizationId)?.role;
  const restore = useMutation({
    mutationFn: () => trashOf[kind].restore(id),
    onSuccess: () => {
      forgetDeleted(id);
      notifyDone(t('Restored “{name}”.', { name }));
    },
    onError: notifyError,
    onSettled: () => refreshRecords(client),
  });
  const standing = {
    isPersonal: organizationId === undefined,
    role,
    isOwner: userId === signedIn?.user.id,
    share: undefined,
    isRestricted: false,
  };
  const reason = mayOn(standing, `${kind}.manage`)
    ? undefined
    : kind === 'dashboard'
      ? t('Only its owner and admins of the organization can delete a dashboard permanently.')
      : t('Only its owner and admins of the organization can delete a report permanently.');
  return (
    <Group component="li" className={classes['row'] ?? ''} gap="sm">
      <SelectBox item={item} selection={selection} />
      <div className={classes['words']}>
        <Text fw={500} size="sm">
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {deletedByName === undefined
            ? rich('Deleted {time}. Can be restored until {purgeAt}.', {
                time: <TimeAgo at={deletedAt} />,
                purgeAt: exactTime(purgeAt),
              })
            : rich('Deleted by {name} {time}. Can be restored until {purgeAt}.', {
                name: deletedByName,
                time: <TimeAgo at={deletedAt} />,
                purgeAt: exactTime(purgeAt),
              })}
        </Text>
      </div>
      <ActionButton
        variant="default"
        size="xs"
        aria-label={t('Restore {name}', { name })}
        loading={restore.isPending}
        onClick={() => restore.mutate()}
      >
        {t('Restore')}
      </ActionButton>
      <ActionButton
        variant="subtle"
        color="gray"
        size="xs"
        aria-label={t('Delete permanently: {name}', { name })}
        reason={reason}
        onClick={onPurge}
      >
        {t('Delete permanently')}
      </ActionButton>
    </Group>
  );
}
