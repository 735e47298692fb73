import { ActionIcon, Group, Paper, Select, Stack, Switch, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { RecordAccess, RecordAccessInput } from '#contract/sharing.ts';
import type { Member } from '#contract/organizations/members.ts';
import { Failure } from '../ui/problems/Failure.tsx';
import { accessQuery } from './queries.ts';
import { keyOf, saveAccess, type SharedRecord } from './shared-records.ts';

const accessLevels = [
  { value: 'view', label: 'Can view' },
  { value: 'edit', label: 'Can edit' },
];

/** Who a record is shared with, and whether it is restricted to them. Each change is saved at once. */
export function PeopleWithAccess({
  record,
  access,
  members,
  reason,
}: {
  readonly record: SharedRecord;
  readonly access: RecordAccess;
  readonly members: readonly Member[];
  readonly reason: string | undefined;
}): ReactNode {
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: (body: RecordAccessInput) => saveAccess(record, body),
    onSuccess: (saved) => {
      client.setQueryData(accessQuery(record).queryKey, saved);
      void client.invalidateQueries({ queryKey: keyOf(record) });
    },
  });
  const named = access.members.map(({ userId, access }) => ({
    userId,
    access: access === 'edit' ? ('edit' as const) : ('view' as const),
  }));
  const isDisabled = reason !== undefined || save.isPending;
  const others = members.filter(
    ({ userId }) => userId !== record.userId && !named.some((each) => each.userId === userId),
  );
  return (
    <Stack gap="sm">
      <Switch
        label="Restrict to people listed below"
        description={
          access.restricted
            ? 'Its owner and the admins of the organization can also open it.'
            : 'All members of the organization can open it, and its editors can edit it.'
        }
        checked={access.restricted}
        disabled={isDisabled}
        onChange={(event) => save.mutate({ restricted: event.currentTarget.checked, members: named })}
      />
      {reason !== undefined && <Text size="sm">{reason}</Text>}
      <Paper
        withBorder
        p="xs"
        component="ul"
        m={0}
        aria-label="People with access"
        style={{ listStyle: 'none' }}
      >
        {access.members.length === 0 && (
          <Text component="li" size="sm" c="dimmed">
            {access.restricted
              ? 'Only its owner and the admins of the organization have access.'
              : 'No extra access granted.'}
          </Text>
        )}
        {access.members.map(({ userId, name, email, access: level }) => (
          <Group key={userId} component="li" wrap="nowrap" py={4}>
            <div style={{ flex: 1, minWidth: 0 }}>
              <Text size="sm" truncate>
                {name}
              </Text>
              <Text size="xs" c="dimmed" truncate>
                {email}
              </Text>
            </div>
            <Select
              aria-label={`Access of ${name}`}
              data={accessLevels}
              value={level}
              w={120}
              size="xs"
              allowDeselect={false}
              disabled={isDisabled}
              onChange={(value) =>
                save.mutate({
                  restricted: access.restricted,
                  members: named.map((each) =>
                    each.userId === userId ? { userId, access: value === 'edit' ? 'edit' : 'view' } : each,
                  ),
                })
              }
            />
            <ActionIcon
              aria-label={`Remove ${name}`}
              variant="subtle"
              color="gray"
              disabled={isDisabled}
              onClick={() =>
                save.mutate({
                  restricted: access.restricted,
                  members: named.filter((each) => each.userId !== userId),
                })
              }
            >
              <IconX size={16} />
            </ActionIcon>
          </Group>
        ))}
      </Paper>
      <Select
        label="Add a member"
        placeholder="Name or email"
        searchable
        nothingFoundMessage="No matching members"
        data={others.map(({ userId, name, email }) => ({ value: userId, label: `${name} (${email})` }))}
        value={null}
        disabled={isDisabled}
        onChange={(userId) => {
          if (userId !== null) {
            save.mutate({ restricted: access.restricted, members: [...named, { userId, access: 'view' }] });
          }
        }}
      />
      {save.error !== null && <Failure error={save.error} />}
    </Stack>
  );
}
