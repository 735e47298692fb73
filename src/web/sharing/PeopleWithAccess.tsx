import { ActionIcon, Group, Paper, Select, Stack, Switch, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { RecordAccess } from '#contract/records/sharing.ts';
import type { ShareLevel } from '#shared/permissions.ts';
import type { Member } from '#contract/organizations/members.ts';
import { t } from '#shared/language/messages.ts';
import { Failure } from '../ui/problems/Failure.tsx';
import { GroupId } from '../ui/text/GroupId.tsx';
import { AddGrantee } from './AddGrantee.tsx';
import { toInput, withGrantee, type Grantee, type Shares } from './grantees.ts';
import { accessQuery } from './queries.ts';
import { keyOf, saveAccess, wordsOf, type SharedRecord } from './shared-records.ts';
import classes from './PeopleWithAccess.module.css';

/** Who a record is shared with, and whether it is restricted to them. Each change is saved at once. */
export function PeopleWithAccess({
  record,
  organizationId,
  access,
  members,
  reason,
}: {
  readonly record: SharedRecord;
  readonly organizationId: string;
  readonly access: RecordAccess;
  readonly members: readonly Member[];
  readonly reason: string | undefined;
}): ReactNode {
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: (shares: Shares) => saveAccess(record, shares),
    onSuccess: (saved) => {
      client.setQueryData(accessQuery(record).queryKey, saved);
      // The lists of folders say which are restricted, also because of one around them.
      const [noun] = keyOf(record);
      void client.invalidateQueries({ queryKey: record.kind === 'folder' ? [noun] : keyOf(record) });
    },
  });
  const stored = toInput(access);
  const words = wordsOf[record.kind];
  const isDisabled = reason !== undefined || save.isPending;
  const named = new Set(access.members.map(({ userId }) => userId));
  const set = (grantee: Grantee, level: ShareLevel | undefined) =>
    save.mutate(withGrantee(stored, grantee, level));
  const row = (grantee: Grantee, entry: { name: string; about: string; groupId?: string; level: string }) => (
    <AccessRow
      key={`${grantee.kind} ${grantee.id}`}
      {...entry}
      levels={words.levels}
      isDisabled={isDisabled}
      onChange={(level) => set(grantee, level)}
    />
  );
  return (
    <Stack gap="sm">
      <Switch
        label={t('Restrict to people listed below')}
        description={access.restricted ? words.whenRestricted : words.whenOpen}
        checked={access.restricted}
        disabled={isDisabled}
        onChange={(event) => save.mutate({ ...stored, restricted: event.currentTarget.checked })}
      />
      {reason !== undefined && <Text size="sm">{reason}</Text>}
      <Paper
        withBorder
        p="xs"
        component="ul"
        aria-label={t('People with access')}
        className={classes['list'] ?? ''}
      >
        {access.members.length + access.groups.length === 0 && (
          <Text component="li" size="sm" c="dimmed">
            {access.restricted
              ? t('Only its owner and the admins of the organization have access.')
              : t('No extra access granted.')}
          </Text>
        )}
        {access.groups.map(({ groupId, name, memberCount, access: level }) =>
          row(
            { kind: 'group', id: groupId },
            {
              name,
              about: t('Directory group, {memberCount, plural, one {# member} other {# members}}', {
                memberCount,
              }),
              groupId,
              level,
            },
          ),
        )}
        {access.members.map(({ userId, name, email, access: level }) =>
          row({ kind: 'user', id: userId }, { name, about: email, level }),
        )}
      </Paper>
      <AddGrantee
        organizationId={organizationId}
        members={members.filter(({ userId }) => userId !== record.userId && !named.has(userId))}
        granted={new Set(access.groups.map(({ groupId }) => groupId))}
        isDisabled={isDisabled}
        onChoose={(grantee) => set(grantee, words.firstLevel)}
      />
      {save.error !== null && <Failure error={save.error} />}
    </Stack>
  );
}

/** Someone with access, whose access can be changed or removed. */
const AccessRow = ({
  name,
  about,
  groupId,
  level,
  levels,
  isDisabled,
  onChange,
}: {
  readonly name: string;
  readonly about: string;
  readonly groupId?: string;
  readonly level: string;
  readonly levels: (typeof wordsOf)['report']['levels'];
  readonly isDisabled: boolean;
  readonly onChange: (level: ShareLevel | undefined) => void;
}): ReactNode => (
  <Group component="li" wrap="nowrap" py={4}>
    <div className={classes['name']}>
      <Text size="sm" truncate>
        {name}
      </Text>
      <Text size="xs" c="dimmed" truncate>
        {about}
      </Text>
      <GroupId id={groupId} name={name} />
    </div>
    <Select
      aria-label={t('Access of {name}', { name })}
      data={levels}
      value={level}
      w={120}
      size="xs"
      allowDeselect={false}
      disabled={isDisabled}
      onChange={(value) => onChange(levels.find((each) => each.value === value)?.value)}
    />
    <ActionIcon
      aria-label={t('Remove {name}', { name })}
      variant="subtle"
      color="gray"
      disabled={isDisabled}
      onClick={() => onChange(undefined)}
    >
      <IconX size={16} />
    </ActionIcon>
  </Group>
);
