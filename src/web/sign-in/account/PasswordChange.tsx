import { PasswordInput, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { call } from '../../app/api.ts';
import { Form } from '../../ui/forms/Form.tsx';
import { notifyDone } from '../../ui/notifications/notify.ts';
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
      notifyDone(
        t(
          '{endedSessions, plural, =0 {Your password was changed.} one {Your password was changed. You were signed out of # other session.} other {Your password was changed. You were signed out of # other sessions.}}',
          { endedSessions },
        ),
      );
      await client.invalidateQueries({ queryKey: ['sessions'] });
    },
  });
  if (reason !== undefined) return <Text size="sm">{reason}</Text>;
  return (
    <Form
      error={change.error}
      pointers={['/newPassword']}
      action={t('Change password')}
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
      <PasswordInput label={t('Current password')} name="current" autoComplete="current-password" required />
      <NewPasswordField label={t('New password')} name="new" pointer="/newPassword" error={change.error} />
      <Text size="sm" c="dimmed">
        {t(
          'You’ll be signed out of your other sessions. Your tokens, authorized programs and links for wall displays keep working: revoke those that you don’t know, tokens and programs on this page, and links under Present on each dashboard.',
        )}
      </Text>
    </Form>
  );
}
