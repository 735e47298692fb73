import { ActionIcon, Badge, Group, NativeSelect, Table, Text } from '@mantine/core';
import { IconUserMinus } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Member } from '#contract/organizations/members.ts';
import type { Role } from '#contract/organizations/organizations.ts';
import { t } from '#shared/language/messages.ts';
import { listFormat } from '#shared/region/intl.ts';
import { call } from '../../app/api.ts';
import { notifyDone, notifyError } from '../../ui/notifications/notify.ts';
import { sessionQuery } from '../../ui/server-data/session.ts';
import { TimeAgo } from '../../ui/text/TimeAgo.tsx';
import { Unavailable } from '../../ui/actions/Unavailable.tsx';
import { reasonAgainstManaging, rolesToGive } from './rules.ts';
import { roleNames, roleWithArticle } from '../../ui/text/roles.ts';

/** A member, with a choice of roles and a button to remove them. */
export function MemberRow({
  orgId,
  myRole,
  member,
  members,
  showsSignIn,
  onRemove,
}: {
  readonly orgId: string;
  readonly myRole: Role | undefined;
  readonly member: Member;
  readonly members: readonly Member[];
  readonly showsSignIn: boolean;
  readonly onRemove: () => void;
}): ReactNode {
  const { data: signedIn } = useQuery(sessionQuery);
  const { name, email, userId, isServiceAccount = false } = member;
  const isMe = signedIn?.user.id === userId;
  const removal = isMe
    ? t('To leave, go to the settings of the organization.')
    : reasonAgainstManaging({ myRole, member, members });
  return (
    <Table.Tr>
      <Table.Td>
        <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
          {name}
          {isMe && (
            <Text span c="dimmed" fw={400}>
              {` ${t('(you)')}`}
            </Text>
          )}
        </Text>
        {isServiceAccount ? (
          <Badge variant="light" color="gray" tt="none">
            {t('Service account')}
          </Badge>
        ) : (
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {member.emailVerified === false ? t('{email} (not verified)', { email }) : email}
          </Text>
        )}
        <Text size="xs" c="dimmed" hiddenFrom="md">
          {signInWords(member)}
        </Text>
      </Table.Td>
      <Table.Td>
        <RoleChoice orgId={orgId} myRole={myRole} member={member} members={members} />
      </Table.Td>
      {showsSignIn && <Table.Td visibleFrom="md">{signInWords(member)}</Table.Td>}
      <Table.Td visibleFrom="sm">
        <TimeAgo at={member.createdAt} />
      </Table.Td>
      <Table.Td>
        <Group justify="flex-end">
          <Unavailable reason={removal}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('Remove {name}', { name })}
              {...(removal !== undefined && { 'data-disabled': true, 'aria-disabled': true })}
              onClick={(event) => (removal === undefined ? onRemove() : event.preventDefault())}
            >
              <IconUserMinus size={18} aria-hidden />
            </ActionIcon>
          </Unavailable>
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

const signInMethodNames = { password: t('password'), directory: t('directory') };

function signInWords({ signInMethods, isServiceAccount, hasSecondFactor }: Member): string {
  if (signInMethods === undefined) return '';
  if (isServiceAccount === true) return t('token');
  return signInMethods.length === 0
    ? t('no sign-in method yet')
    : listFormat({ type: 'disjunction' }).format(
        signInMethods.map((method) =>
          method === 'password' && hasSecondFactor === false
            ? t('password without a second factor')
            : signInMethodNames[method],
        ),
      );
}

function RoleChoice({
  orgId,
  myRole,
  member,
  members,
}: {
  readonly orgId: string;
  readonly myRole: Role | undefined;
  readonly member: Member;
  readonly members: readonly Member[];
}): ReactNode {
  const client = useQueryClient();
  const { userId, name } = member;
  const change = useMutation({
    mutationFn: (role: Role) =>
      call('PATCH /api/organizations/{orgId}/members/{userId}', {
        params: { orgId, userId },
        body: { role },
      }),
    onSuccess: ({ role }) => notifyDone(t('{name} is now {role}.', { name, role: roleWithArticle(role) })),
    onError: notifyError,
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['members', orgId] }),
        client.invalidateQueries({ queryKey: ['organizations'] }),
      ]),
  });
  const reason = reasonAgainstManaging({ myRole, member, members });
  if (reason !== undefined) {
    return (
      <Unavailable reason={reason}>
        {/* A control of its own, so that the keyboard reaches the reason. */}
        <Text
          component="span"
          role="note"
          tabIndex={0}
          size="sm"
          aria-label={t('Role of {name}: {role}. {reason}', { name, role: roleNames[member.role], reason })}
        >
          {roleNames[member.role]}
        </Text>
      </Unavailable>
    );
  }
  const role = change.isPending ? change.variables : member.role;
  return (
    <NativeSelect
      aria-label={t('Role of {name}', { name })}
      size="xs"
      w={104}
      data={rolesToGive(myRole, member).map((value) => ({ value, label: roleNames[value] }))}
      value={role}
      disabled={change.isPending}
      onChange={(event) => change.mutate(event.currentTarget.value as Role)}
    />
  );
}
