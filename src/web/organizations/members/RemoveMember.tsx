import { NativeSelect, Skeleton, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Member } from '#contract/organizations/members.ts';
import { t } from '#shared/language/messages.ts';
import { may } from '#shared/permissions.ts';
import { call } from '../../app/api.ts';
import { ConfirmDialog } from '../../ui/actions/ConfirmDialog.tsx';
import { Failure } from '../../ui/problems/Failure.tsx';
import { notifyDone } from '../../ui/notifications/notify.ts';
import { dashboardsOfMemberQuery } from './queries.ts';

const nameOf = ({ name, email, isServiceAccount }: Member): string =>
  isServiceAccount === true ? t('{name} (service account)', { name }) : `${name} (${email})`;

/** Asks before a member is removed, and offers to transfer their dashboards, which otherwise stay without an active owner. */
export function RemoveMember({
  orgId,
  member,
  members,
  onClose,
}: {
  readonly orgId: string;
  readonly member: Member;
  readonly members: readonly Member[];
  readonly onClose: () => void;
}): ReactNode {
  const { userId, name, isServiceAccount = false } = member;
  const client = useQueryClient();
  const owned = useQuery(dashboardsOfMemberQuery(orgId, userId));
  const [newOwnerId, setNewOwnerId] = useState('');
  const candidates = members.filter(
    (other) => other.userId !== userId && may(other.role, 'dashboard.create'),
  );
  const remove = useMutation({
    mutationFn: async () => {
      // One after the other: if one can't be transferred, the member is not removed and the error is shown.
      for (const { id } of newOwnerId === '' ? [] : (owned.data ?? [])) {
        await call('POST /api/dashboards/{dashboardId}/transfer', {
          params: { dashboardId: id },
          body: { userId: newOwnerId },
        });
      }
      await call('DELETE /api/organizations/{orgId}/members/{userId}', { params: { orgId, userId } });
    },
    onSuccess: () => {
      notifyDone(isServiceAccount ? t('Deleted {name}.', { name }) : t('Removed {name}.', { name }));
      onClose();
    },
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['members', orgId] }),
        client.invalidateQueries({ queryKey: ['dashboards'] }),
        client.invalidateQueries({ queryKey: ['tokens'] }),
      ]),
  });
  const count = owned.data?.length ?? 0;
  return (
    <ConfirmDialog
      title={
        isServiceAccount ? t('Delete the service account {name}?', { name }) : t('Remove {name}?', { name })
      }
      sentences={
        isServiceAccount
          ? [
              t('Its tokens stop working immediately. You can’t undo this.'),
              t(
                'The reports, folders and data sources that it owns stay. Owners and admins can manage them.',
              ),
            ]
          : [
              t(
                '{name} ({email}) loses access immediately. Their account and their access to other organizations stay.',
                { name, email: member.email },
              ),
            ]
      }
      action={newOwnerId !== '' ? t('Transfer and remove') : isServiceAccount ? t('Delete') : t('Remove')}
      opened
      onClose={onClose}
      onConfirm={() => remove.mutate()}
      isPending={remove.isPending}
      isLoading={owned.isPending}
      error={remove.error}
    >
      {owned.error !== null && <Failure error={owned.error} retry={() => void owned.refetch()} />}
      {owned.isPending && <Skeleton h={56} />}
      {owned.data !== undefined && count === 0 && (
        <Text size="sm">{t('{name} owns no dashboards in this organization.', { name })}</Text>
      )}
      {count > 0 && (
        <>
          <Text size="sm">
            {t(
              '{count, plural, one {{name} owns # dashboard in this organization. Transfer it to another member, or leave it for owners and admins to manage.} other {{name} owns # dashboards in this organization. Transfer them to another member, or leave them for owners and admins to manage.}}',
              { count, name },
            )}
          </Text>
          <NativeSelect
            label={t('Transfer ownership to')}
            value={newOwnerId}
            onChange={(event) => setNewOwnerId(event.currentTarget.value)}
            data={[
              { value: '', label: t('Nobody') },
              ...candidates.map((candidate) => ({
                value: candidate.userId,
                label: nameOf(candidate),
              })),
            ]}
          />
        </>
      )}
    </ConfirmDialog>
  );
}
