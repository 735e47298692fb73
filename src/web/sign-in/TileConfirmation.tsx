import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { addressOf, ApiProblem, call } from '../app/api.ts';
import { paths } from '../app/paths.ts';
import { storeLastLogo } from '../ui/browser/last-organization.ts';
import { Failure } from '../ui/problems/Failure.tsx';
import { organizationsQuery, sessionQuery } from '../ui/server-data/session.ts';
import { BarePage } from './BarePage.tsx';

/** Asks before a link from elsewhere replaces the current session. */
export function TileConfirmation({
  orgId,
  returnTo,
}: {
  readonly orgId: string;
  readonly returnTo: string | undefined;
}): ReactNode {
  const session = useQuery(sessionQuery);
  const { data: organizations } = useQuery({ ...organizationsQuery, enabled: session.isSuccess });
  const organization = organizations?.find(({ id }) => id === orgId);
  const name = organization?.name ?? t('an organization');
  const proceed = useMutation({
    mutationFn: async () => {
      if (session.isSuccess) await call('POST /api/auth/sign-out');
      storeLastLogo(undefined);
    },
    onSuccess: () =>
      location.assign(
        addressOf('GET /api/sso/start/{orgId}', {
          params: { orgId },
          query: { ...(returnTo !== undefined && { returnTo }) },
        }),
      ),
  });
  const isSignedOut = session.error instanceof ApiProblem && session.error.code === 'unauthenticated';
  return (
    <BarePage title={t('Sign in as someone else?')} logoId={organization?.logoId}>
      {session.data !== undefined ? (
        <Stack>
          <Text>
            {t(
              'You’re signed in as {name} ({email}). The link that you followed signs you out and opens the directory of {name2}.',
              { name: session.data.user.name, email: session.data.user.email, name2: name },
            )}
          </Text>
          <Text size="sm" c="dimmed">
            {t(
              'If you didn’t expect this, stay signed in: the person who sent the link may want you to work in their account.',
            )}
          </Text>
          {proceed.error !== null && <Failure error={proceed.error} />}
          <Button component={Link} to={paths.home}>
            {t('Stay signed in')}
          </Button>
          <Button
            variant="default"
            loading={proceed.isPending || proceed.isSuccess}
            onClick={() => proceed.mutate()}
          >
            {t('Sign out and go to the directory')}
          </Button>
        </Stack>
      ) : isSignedOut ? (
        <Stack>
          <Text>{t('You’re no longer signed in. The link opens the directory of {name}.', { name })}</Text>
          <Button loading={proceed.isSuccess} onClick={() => proceed.mutate()}>
            {t('Go to the directory')}
          </Button>
        </Stack>
      ) : session.error !== null ? (
        <Failure error={session.error} retry={() => void session.refetch()} />
      ) : (
        <Skeleton h={180} />
      )}
    </BarePage>
  );
}
