import { Button, Group, Skeleton, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { ApiProblem, call } from '../../app/api.ts';
import { paths } from '../../app/paths.ts';
import { Failure } from '../../ui/problems/Failure.tsx';
import { BarePage } from '../BarePage.tsx';
import { JoinForm } from './JoinForm.tsx';
import { JoinSignedIn } from './JoinSignedIn.tsx';
import { useLinkToken } from '../use-link-token.ts';

/** Accepts an invitation, for the token of its link. */
export function InvitationPage(): ReactNode {
  const token = useLinkToken();
  const navigate = useNavigate();
  const client = useQueryClient();
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: async ({ signal }) => {
      const [read, email] = await Promise.all([
        call('POST /api/invitations/read', { body: { token }, signal }),
        findSignedInEmail(signal),
      ]);
      return { ...read, signedInEmail: email };
    },
    staleTime: Infinity,
  });
  const { error, data } = invitation;
  if (error !== null) {
    const isOver = error instanceof ApiProblem && error.code === 'link_not_valid';
    return (
      <BarePage title={isOver ? t('This invitation is not valid') : t('You’re invited')}>
        {isOver ? <InvitationIsOver /> : <Failure error={error} retry={() => void invitation.refetch()} />}
      </BarePage>
    );
  }
  const enter = () => {
    client.clear();
    // Replaced, so that the token isn't in the history.
    void navigate({ to: paths.home, replace: true });
  };
  return (
    <BarePage title={t('You’re invited')} logoId={data?.logoId}>
      {data === undefined ? (
        <Skeleton h={240} />
      ) : data.signedInEmail === undefined ? (
        <JoinForm token={token} invitation={data} onJoined={enter} />
      ) : (
        <JoinSignedIn
          token={token}
          invitation={data}
          signedInEmail={data.signedInEmail}
          onJoined={enter}
          onSignedOut={() => void invitation.refetch()}
        />
      )}
    </BarePage>
  );
}

/** Returns the email address of the current session; undefined if nobody is signed in. */
async function findSignedInEmail(signal: AbortSignal): Promise<string | undefined> {
  try {
    return (await call('GET /api/auth/get-session', { signal })).user.email;
  } catch (error) {
    if (error instanceof ApiProblem && error.code === 'unauthenticated') return undefined;
    throw error;
  }
}

const InvitationIsOver = (): ReactNode => (
  <div role="alert">
    <Text mb="md">
      {t(
        'The link has expired, or it was used, revoked or replaced by a newer one. If you already joined with it, sign in. Otherwise, ask the person who invited you for a new link.',
      )}
    </Text>
    <Group>
      <Button component={Link} to={paths.signIn}>
        {t('Sign in')}
      </Button>
    </Group>
  </div>
);
