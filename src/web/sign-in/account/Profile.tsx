import { Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { User } from '#contract/accounts/sessions.ts';
import { t } from '#shared/language/messages.ts';
import { call } from '../../app/api.ts';
import { Form } from '../../ui/forms/Form.tsx';
import { notifyDone } from '../../ui/notifications/notify.ts';

/** Your name and email address. `reason`: why the name can't be changed here. */
export function Profile({
  user,
  isEmailVerified,
  reason,
}: {
  readonly user: User;
  readonly isEmailVerified: boolean;
  readonly reason: string | undefined;
}): ReactNode {
  const client = useQueryClient();
  const rename = useMutation({
    mutationFn: (name: string) => call('POST /api/auth/update-user', { body: { name } }),
    onSuccess: async () => {
      notifyDone(t('Name saved.'));
      await Promise.all([
        client.invalidateQueries({ queryKey: ['account'] }),
        client.invalidateQueries({ queryKey: ['session'] }),
      ]);
    },
  });
  return (
    <Form
      error={rename.error}
      action={t('Save name')}
      reason={reason}
      isPending={rename.isPending}
      onSubmit={(field) => rename.mutate(field('name'))}
    >
      <TextInput
        label={t('Name')}
        name="name"
        autoComplete="name"
        required
        maxLength={200}
        defaultValue={user.name}
        readOnly={reason !== undefined}
      />
      <TextInput
        label={t('Email')}
        value={user.email}
        readOnly
        description={
          isEmailVerified
            ? t('You sign in with this address. It can’t be changed.')
            : t('Not verified: your directory doesn’t confirm that this address is yours.')
        }
      />
      {reason !== undefined && (
        <Text size="sm" c="dimmed">
          {reason}
        </Text>
      )}
    </Form>
  );
}
