import { PasswordInput, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { call } from '../../app/api.ts';
import { Form } from '../../ui/forms/Form.tsx';
import { notifyDone } from '../../ui/notifications/notify.ts';
import { counted } from '../../ui/text/nouns.ts';
import { NewPasswordField } from '../NewPasswordField.tsx';

/** Changes your password. `reason`: why it can't be changed. */
export function PasswordChange({
  email,
  reason,
}: {
  readonly email: string;
  readonly reason: string | undefined;
}): ReactNode {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (body: { readonly currentPassword: string; readonly newPassword: string }) =>
      call('POST /api/auth/change-password', { body }),
    onSuccess: async ({ endedSessions }) => {
      const others =
        endedSessions === 0 ? '' : ` You were signed out of ${counted(endedSessions, 'other session')}.`;
      notifyDone(`Your password was changed.${others}`);
      await client.invalidateQueries({ queryKey: ['sessions'] });
    },
  });
  if (reason !== undefined) return <Text size="sm">{reason}</Text>;
  return (
    <Form
      error={change.error}
      pointers={['/newPassword']}
      action="Change password"
      isPending={change.isPending}
      onSubmit={(field, form) =>
        change.mutate(
          { currentPassword: field('current'), newPassword: field('new') },
          { onSuccess: () => form.reset() },
        )
      }
    >
      {/* For password managers, which look for the account beside its password. */}
      <input type="hidden" name="email" value={email} autoComplete="username" />
      <PasswordInput label="Current password" name="current" autoComplete="current-password" required />
      <NewPasswordField label="New password" name="new" pointer="/newPassword" error={change.error} />
      <Text size="sm" c="dimmed">
        You’ll be signed out of your other sessions.
      </Text>
    </Form>
  );
}
