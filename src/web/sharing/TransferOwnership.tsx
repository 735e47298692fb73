import { Button, Group, Select, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Member } from '#contract/organizations/members.ts';
import { may } from '#shared/permissions.ts';
import { ActionButton } from '../ui/actions/ActionButton.tsx';
import { Failure } from '../ui/problems/Failure.tsx';
import { notifyDone } from '../ui/notifications/notify.ts';
import { keyOf, transferTo, type OwnedRecord } from './shared-records.ts';

/** Shows who owns a record, and transfers it to another member. */
export function TransferOwnership({
  record,
  members,
  reason,
}: {
  readonly record: OwnedRecord;
  readonly members: readonly Member[];
  readonly reason: string | undefined;
}): ReactNode {
  const client = useQueryClient();
  const [chosen, setChosen] = useState<string | null>(null);
  const [isConfirming, setIsConfirming] = useState(false);
  const transfer = useMutation({
    mutationFn: (userId: string) => transferTo(record, userId),
    onSuccess: () => {
      setChosen(null);
      setIsConfirming(false);
      notifyDone('Transferred ownership.');
      void client.invalidateQueries({ queryKey: keyOf(record).slice(0, 1) });
    },
  });
  const owner = members.find(({ userId }) => userId === record.userId)?.name ?? 'a former member';
  const next = members.find(({ userId }) => userId === chosen);
  const candidates = members.filter(
    ({ userId, role }) => userId !== record.userId && may(role, `${record.kind}.create`),
  );
  return (
    <Stack gap="xs" component="section">
      <Title order={3} fz="md">
        Owner
      </Title>
      <Text size="sm">{`Owned by ${owner}.`}</Text>
      <Group align="flex-end" wrap="nowrap">
        <Select
          label="Transfer ownership to"
          placeholder="Editor or admin"
          style={{ flex: 1 }}
          searchable
          nothingFoundMessage="No matching members with the role editor or higher"
          data={candidates.map(({ userId, name, email }) => ({
            value: userId,
            label: `${name} (${email})`,
          }))}
          value={chosen}
          disabled={reason !== undefined}
          onChange={setChosen}
        />
        <ActionButton
          variant="default"
          reason={reason ?? (next === undefined ? 'Choose the new owner first.' : undefined)}
          onClick={() => setIsConfirming(true)}
        >
          Transfer…
        </ActionButton>
      </Group>
      {isConfirming && next !== undefined && (
        <Group role="group" aria-label="Confirm">
          <Text size="sm" flex={1}>
            {`${next.name} will own this ${record.kind} and manage who has access.`}
          </Text>
          <Button size="xs" variant="default" onClick={() => setIsConfirming(false)}>
            Cancel
          </Button>
          <Button size="xs" loading={transfer.isPending} onClick={() => transfer.mutate(next.userId)}>
            {`Transfer to ${next.name}`}
          </Button>
        </Group>
      )}
      {transfer.error !== null && <Failure error={transfer.error} />}
    </Stack>
  );
}
