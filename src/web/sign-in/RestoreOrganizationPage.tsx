import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { ApiProblem, call } from '../app/api.ts';
import { paths } from '../app/paths.ts';
import { Failure } from '../ui/problems/Failure.tsx';
import { BarePage } from './BarePage.tsx';
import { useLinkToken } from './use-link-token.ts';

/** Restores a deleted organization, for the token of a link that its owners have. */
export function RestoreOrganizationPage(): ReactNode {
  const token = useLinkToken();
  const restore = useMutation({
    mutationFn: () => call('POST /api/organizations/restore', { body: { token } }),
    onSuccess: () => history.replaceState(history.state, '', location.pathname),
  });
  const signIn = (
    <Button component={Link} to={paths.signIn} variant={restore.isSuccess ? 'filled' : 'default'}>
      {t('Sign in')}
    </Button>
  );
  if (restore.isSuccess) {
    return (
      <BarePage title={t('The organization was restored')}>
        <Text role="status">{t('{name} can be used again.', { name: restore.data.organizationName })}</Text>
        {signIn}
      </BarePage>
    );
  }
  const isInvalid = restore.error instanceof ApiProblem && restore.error.code === 'link_not_valid';
  if (token === '' || isInvalid) {
    return (
      <BarePage title={t('This link is not valid')}>
        <Text role="alert">
          {t(
            'The organization was already restored, its data has been deleted, or you are no longer an owner. The operator of the server can list the deleted organizations.',
          )}
        </Text>
        {signIn}
      </BarePage>
    );
  }
  return (
    <BarePage title={t('Restore the organization')}>
      <Text>
        {t('Members, tokens and webhooks work again as before the deletion. You have to sign in afterwards.')}
      </Text>
      {restore.error !== null && <Failure error={restore.error} />}
      <Button onClick={() => restore.mutate()} loading={restore.isPending}>
        {t('Restore')}
      </Button>
    </BarePage>
  );
}
