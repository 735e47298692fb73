import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { call, type ResponseOf } from '../../app/api.ts';
import { paths } from '../../app/paths.ts';
import { storeLastLogo } from '../../ui/browser/last-organization.ts';
import { Failure } from '../../ui/problems/Failure.tsx';
import { roleWithArticle } from '../../ui/text/roles.ts';

/** Accepts an invitation with one click, or reports that somebody else was invited. */
export function JoinSignedIn({
  token,
  invitation,
  signedInEmail,
  onJoined,
  onSignedOut,
}: {
  readonly token: string;
  readonly invitation: ResponseOf<'POST /api/invitations/read'>;
  readonly signedInEmail: string;
  readonly onJoined: () => void;
  readonly onSignedOut: () => void;
}): ReactNode {
  const { email, role, organizationName } = invitation;
  const accept = useMutation({
    mutationFn: () => call('POST /api/invitations/accept', { body: { token } }),
    onSuccess: onJoined,
  });
  const signOut = useMutation({
    mutationFn: () => call('POST /api/auth/sign-out'),
    onSuccess: () => {
      storeLastLogo(undefined);
      onSignedOut();
    },
  });
  const error = accept.error ?? signOut.error;
  const isSame = signedInEmail === email;
  return (
    <Stack>
      {isSame ? (
        <Text>
          {t('Join {organizationName} as {role} with your account {email}.', {
            organizationName,
            role: roleWithArticle(role),
            email,
          })}
        </Text>
      ) : (
        <Text>
          {t(
            '{organizationName} invited {email}, but you’re signed in as {signedInEmail}. Sign out to accept as {email}, or ask for an invitation to {signedInEmail}.',
            { organizationName, email, signedInEmail },
          )}
        </Text>
      )}
      {error !== null && <Failure error={error} />}
      <Group>
        {isSame && (
          <Button onClick={() => accept.mutate()} loading={accept.isPending || accept.isSuccess}>
            {t('Join')}
          </Button>
        )}
        <Button
          variant={isSame ? 'default' : 'filled'}
          onClick={() => signOut.mutate()}
          loading={signOut.isPending}
        >
          {t('Sign out')}
        </Button>
        {!isSame && (
          <Button component={Link} to={paths.home} variant="default">
            {t('Not now')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
