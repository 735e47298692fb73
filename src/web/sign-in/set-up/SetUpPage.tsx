import { Button, Code, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { ApiProblem, call } from '../../app/api.ts';
import { paths } from '../../app/paths.ts';
import { Failure } from '../../ui/problems/Failure.tsx';
import { BarePage } from '../BarePage.tsx';
import { SetUpForm } from './SetUpForm.tsx';
import { useLinkToken } from '../use-link-token.ts';
import { rich } from '../../ui/text/rich.tsx';

const title = t('Set up Atrium');

/** Creates the first owner and organization, for the token of a one-time link. */
export function SetUpPage(): ReactNode {
  const token = useLinkToken();
  const [linkIsRefused, setLinkIsRefused] = useState(token === '');
  const setUp = useQuery({
    queryKey: ['set-up'],
    queryFn: ({ signal }) => call('GET /api/set-up', { signal }),
    staleTime: Infinity,
  });
  if (setUp.error !== null) {
    return (
      <BarePage title={title}>
        <Failure error={setUp.error} retry={() => void setUp.refetch()} />
      </BarePage>
    );
  }
  if (setUp.data === undefined) {
    return (
      <BarePage title={title}>
        <Skeleton h={380} />
      </BarePage>
    );
  }
  if (!setUp.data.required) {
    return (
      <BarePage title={t('Atrium is already set up')}>
        <Text>
          {t(
            'Sign in to continue. If you don’t have an account, ask an owner or admin of your organization to invite you.',
          )}
        </Text>
        <Button component={Link} to={paths.signIn}>
          {t('Sign in')}
        </Button>
      </BarePage>
    );
  }
  return (
    <BarePage title={title}>
      {linkIsRefused ? (
        <NewLinkNeeded />
      ) : (
        <SetUpForm
          token={token}
          onRefused={(error) => {
            if (error instanceof ApiProblem && error.code === 'link_not_valid') setLinkIsRefused(true);
          }}
        />
      )}
    </BarePage>
  );
}

const NewLinkNeeded = (): ReactNode => (
  <Stack gap="sm" role="alert">
    <Text fw={600}>{t('This link is not valid')}</Text>
    <Text>
      {rich(
        'A set-up link works once and expires after a day. To get a new one, restart the server. Open the complete link that it prints, including the part after <code>#</code>.',
        { code: (text) => <Code>{text}</Code> },
      )}
    </Text>
  </Stack>
);
