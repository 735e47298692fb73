import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AccessGrant } from '#contract/organizations/access-review.ts';
import type { Member } from '#contract/organizations/members.ts';
import { t } from '#shared/language/messages.ts';
import { ConfirmDialog } from '../ui/actions/ConfirmDialog.tsx';
import { notifyDone } from '../ui/notifications/notify.ts';
import { RemoveMember } from '../organizations/members/RemoveMember.tsx';
import { reviewKey } from './queries.ts';
import { consequencesOf, removeGrant } from './removal.ts';

/** Asks before a grant is removed. A role is removed with the membership. */
export function RemoveGrant({
  orgId,
  grant,
  members,
  onClose,
}: {
  readonly orgId: string;
  readonly grant: AccessGrant;
  readonly members: readonly Member[];
  readonly onClose: () => void;
}): ReactNode {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => removeGrant(grant, orgId),
    onSuccess: () => {
      notifyDone(t('Access removed.'));
      onClose();
    },
    // What changed is shown by many pages.
    onSettled: () => client.invalidateQueries(),
  });
  const { grantee, object, reason } = grant;
  if (reason === 'role' || reason === 'directory') {
    const member = members.find(({ userId }) => userId === grantee.id);
    if (member === undefined) return null;
    const close = () => {
      void client.invalidateQueries({ queryKey: reviewKey });
      onClose();
    };
    return <RemoveMember orgId={orgId} member={member} members={members} onClose={close} />;
  }
  const names = { grantee: grantee.name, object: object.name };
  return (
    <ConfirmDialog
      title={
        reason === 'token'
          ? t('Revoke the token “{name}”?', { name: grant.tokenName ?? '' })
          : t('Remove the access of {grantee} to {object}?', names)
      }
      sentences={consequencesOf(grant)}
      action={t('Remove')}
      opened
      onClose={onClose}
      onConfirm={() => remove.mutate()}
      isPending={remove.isPending}
      error={remove.error}
    />
  );
}
