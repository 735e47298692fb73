import { Anchor, Button, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { ApiProblem, call } from '../app/api.ts';
import { paths } from '../app/paths.ts';
import { Form } from '../ui/forms/Form.tsx';
import { BarePage } from './BarePage.tsx';
import { NewPasswordField } from './NewPasswordField.tsx';
import { useLinkToken } from './use-link-token.ts';

/** Asks for a new password, for the token of a mailed link. */
export function ResetPasswordPage(): ReactNode {
  const token = useLinkToken();
  const client = useQueryClient();
  const reset = useMutation({
    mutationFn: (newPassword: string) =>
      call('POST /api/auth/reset-password', { body: { token, newPassword } }),
    onSuccess: () => {
      client.clear();
      // The token is used up: remove it from the history, too.
      history.replaceState(history.state, '', location.pathname);
    },
  });
  if (reset.isSuccess) {
    return (
      <BarePage title={t('Your password was changed')}>
        <Text role="status">
          {reset.data.endedSessions === 0
            ? t('Sign in with the new password.')
            : t(
                'You were signed out of {endedSessions, plural, one {# session} other {# sessions}}. Sign in with the new password.',
                { endedSessions: reset.data.endedSessions },
              )}
        </Text>
        {reset.data.endedTokens + reset.data.endedDisplayLinks > 0 && (
          <Text>
            {t(
              'Your tokens, the programs that you authorized and your links for wall displays no longer work. Create those again that you need.',
            )}
          </Text>
        )}
        <Button component={Link} to={paths.signIn}>
          {t('Sign in')}
        </Button>
      </BarePage>
    );
  }
  const isInvalid = reset.error instanceof ApiProblem && reset.error.code === 'link_not_valid';
  if (token === '' || isInvalid) return <InvalidLink />;
  return (
    <BarePage title={t('Choose a new password')}>
      <Form
        error={reset.error}
        pointers={['/newPassword']}
        action={t('Change password')}
        isPending={reset.isPending}
        isFullWidth
        onSubmit={(field) => reset.mutate(field('password'))}
      >
        <Text>
          {t(
            'You’ll be signed out everywhere and can then sign in with the new password. Your tokens, the programs that you authorized and your links for wall displays stop working.',
          )}
        </Text>
        <NewPasswordField
          label={t('New password')}
          name="password"
          pointer="/newPassword"
          error={reset.error}
        />
      </Form>
    </BarePage>
  );
}

const InvalidLink = (): ReactNode => (
  <BarePage title={t('This link is not valid')}>
    <div role="alert">
      <Text mb="md">
        {t(
          'A link works once and expires after an hour, and a newer one replaces it. Open the complete link from your latest email, or request a new one.',
        )}
      </Text>
      <Button component={Link} to={paths.forgotPassword}>
        {t('Request a new link')}
      </Button>
    </div>
    <Text size="sm" ta="center">
      <Anchor component={Link} to={paths.signIn} size="sm">
        {t('Back to sign-in')}
      </Anchor>
    </Text>
  </BarePage>
);
