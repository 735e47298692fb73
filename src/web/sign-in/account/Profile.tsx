import { Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { User } from '#contract/accounts/sessions.ts';
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
      notifyDone('Name saved.');
      await Promise.all([
        client.invalidateQueries({ queryKey: ['account'] }),
        client.invalidateQueries({ queryKey: ['session'] }),
      ]);
    },
  });
  return (
    <Form
      error={rename.error}
      action="Save name"
      reason={reason}
      isPending={rename.isPending}
      onSubmit={(field) => rename.mutate(field('name'))}
    >
      <TextInput
        label="Name"
        name="name"
        autoComplete="name"
        required
        maxLength={200}
        defaultValue={user.name}
        readOnly={reason !== undefined}
      />
      <TextInput
        label="Email"
        value={user.email}
        readOnly
        description={
          isEmailVerified
            ? 'You sign in with this address. It can’t be changed.'
            : 'Not verified: your directory doesn’t confirm that this address is yours.'
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
