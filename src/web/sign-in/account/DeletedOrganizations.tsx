import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { call } from '../../app/api.ts';
import { notifyDone, notifyError } from '../../ui/notifications/notify.ts';
import { Section } from '../../ui/page/Section.tsx';
import { exactTime } from '../../ui/text/times.ts';

/** The deleted organizations that you can restore; nothing if there are none. */
export function DeletedOrganizations(): ReactNode {
  const client = useQueryClient();
  const { data } = useQuery({
    queryKey: ['deleted-organizations'],
    queryFn: async ({ signal }) => (await call('GET /api/deleted-organizations', { signal })).items,
  });
  const restore = useMutation({
    mutationFn: ({ id: orgId }: { readonly id: string; readonly name: string }) =>
      call('POST /api/deleted-organizations/{orgId}/restore', { params: { orgId } }),
    onSuccess: (_, { name }) => notifyDone(t('Restored {name}.', { name })),
    onError: notifyError,
    onSettled: () => client.invalidateQueries(),
  });
  if (data === undefined || data.length === 0) return undefined;
  return (
    <Section title={t('Deleted organizations')}>
      {data.map(({ id, name, endsAt }) => (
        <Group key={id} justify="space-between">
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {t('{name}: its data will be deleted on {time}.', { name, time: exactTime(endsAt) })}
          </Text>
          <Button
            variant="default"
            size="xs"
            aria-label={t('Restore {name}', { name })}
            loading={restore.isPending && restore.variables.id === id}
            onClick={() => restore.mutate({ id, name })}
          >
            {t('Restore')}
          </Button>
        </Group>
      ))}
    </Section>
  );
}
