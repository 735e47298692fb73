import { Button, Group, Select, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Member } from '#contract/organizations/members.ts';
import { t } from '#shared/language/messages.ts';
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
      notifyDone(t('Transferred ownership.'));
      void client.invalidateQueries({ queryKey: keyOf(record).slice(0, 1) });
    },
  });
  const owner = members.find(({ userId }) => userId === record.userId)?.name ?? t('a former member');
  const next = members.find(({ userId }) => userId === chosen);
  const candidates = members.filter(
    ({ userId, role }) => userId !== record.userId && may(role, `${record.kind}.create`),
  );
  return (
    <Stack gap="xs" component="section">
      <Title order={3} fz="md">
        {t('Owner')}
      </Title>
      <Text size="sm">{t('Owned by {owner}.', { owner })}</Text>
      <Group align="flex-end" wrap="nowrap">
        <Select
          label={t('Transfer ownership to')}
          placeholder={t('Editor or admin')}
          style={{ flex: 1 }}
          searchable
          nothingFoundMessage={t('No matching members with the role editor or higher')}
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
          reason={reason ?? (next === undefined ? t('Choose the new owner first.') : undefined)}
          onClick={() => setIsConfirming(true)}
        >
          {t('Transfer…')}
        </ActionButton>
      </Group>
      {isConfirming && next !== undefined && (
        <Group role="group" aria-label={t('Confirm')}>
          <Text size="sm" flex={1}>
            {record.kind === 'dashboard'
              ? t('{name} will own this dashboard and manage who has access.', { name: next.name })
              : t('{name} will own this report and manage who has access.', { name: next.name })}
          </Text>
          <Button size="xs" variant="default" onClick={() => setIsConfirming(false)}>
            {t('Cancel')}
          </Button>
          <Button size="xs" loading={transfer.isPending} onClick={() => transfer.mutate(next.userId)}>
            {t('Transfer to {name}', { name: next.name })}
          </Button>
        </Group>
      )}
      {transfer.error !== null && <Failure error={transfer.error} />}
    </Stack>
  );
}
