import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Token } from '#contract/credentials/tokens.ts';
import type { Organization } from '#contract/organizations/organizations.ts';
import { t } from '#shared/language/messages.ts';
import { may } from '#shared/permissions.ts';
import { call } from '../app/api.ts';
import { ConfirmDialog } from '../ui/actions/ConfirmDialog.tsx';
import { notifyDone } from '../ui/notifications/notify.ts';
import { tokensKey } from './queries.ts';

/** Says how many tokens of an organization a restore has suspended, and lets owners confirm all of them; nothing if there are none. */
export function SuspendedTokens({
  organization: { id: orgId, role },
  tokens,
}: {
  readonly organization: Pick<Organization, 'id' | 'role'>;
  /** All of the organization. */
  readonly tokens: readonly Token[];
}): ReactNode {
  const client = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  const count = tokens.filter(({ state }) => state === 'suspended').length;
  const confirmation = useMutation({
    mutationFn: () => call('POST /api/organizations/{orgId}/tokens/confirm-all', { params: { orgId } }),
    onSuccess: ({ confirmed }) => {
      setIsAsking(false);
      notifyDone(t('{count, plural, one {# token} other {# tokens}} confirmed.', { count: confirmed }));
    },
    onSettled: () => client.invalidateQueries({ queryKey: tokensKey }),
  });
  if (count === 0) return null;
  return (
    <>
      <Alert
        icon={<IconAlertTriangle aria-hidden />}
        color="yellow"
        title={t('{count, plural, one {# token is suspended} other {# tokens are suspended}}', { count })}
      >
        <Stack gap="sm" align="flex-start">
          <Text size="sm">
            {t(
              'The server was restored from a backup. Revoke the tokens below that were revoked after the backup was made, since somebody else may have them. Then confirm the others.',
            )}
          </Text>
          {may(role, 'owner.manage') ? (
            <Button size="xs" variant="default" onClick={() => setIsAsking(true)}>
              {t('Confirm all')}
            </Button>
          ) : (
            <Text size="sm">{t('Only an owner can confirm all of them.')}</Text>
          )}
        </Stack>
      </Alert>
      <ConfirmDialog
        title={t('Confirm {count, plural, one {# token} other {# tokens}}?', { count })}
        sentences={[
          t(
            'All suspended tokens of this organization work again, those of its members and of its service accounts.',
          ),
          t(
            'A token that was revoked after the backup was made works again, too, also for somebody who stole it.',
          ),
        ]}
        action={t('Confirm all')}
        opened={isAsking}
        onClose={() => {
          confirmation.reset();
          setIsAsking(false);
        }}
        onConfirm={() => confirmation.mutate()}
        isPending={confirmation.isPending}
        error={confirmation.error}
      />
    </>
  );
}
