import { Skeleton, Stack } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Role } from '#contract/organizations/organizations.ts';
import { t } from '#shared/language/messages.ts';
import { paths } from '../app/paths.ts';
import { Failure } from '../ui/problems/Failure.tsx';
import { Page } from '../ui/page/Page.tsx';
import { ForAdministrators } from './ForAdministrators.tsx';
import { SsoGuide } from './SsoGuide.tsx';
import { useSso } from './queries.ts';

/** Sets up and maintains single sign-on, step by step. */
export function SsoPage(): ReactNode {
  const { orgId } = useParams({ from: paths.sso });
  return (
    <Page
      title={t('Single sign-on')}
      description={t('Let people sign in with their account in your Active Directory.')}
    >
      <ForAdministrators orgId={orgId}>
        {(role) => <Guide key={orgId} orgId={orgId} role={role} />}
      </ForAdministrators>
    </Page>
  );
}

function Guide({ orgId, role }: { readonly orgId: string; readonly role: Role }): ReactNode {
  const { sso, error, retry } = useSso(orgId, role);
  if (error !== null) return <Failure error={error} retry={retry} />;
  if (sso !== undefined) return <SsoGuide sso={sso} />;
  return (
    <Stack gap="sm" aria-busy aria-label={t('Loading')}>
      <Skeleton h={92} />
      {Array.from({ length: 7 }, (_, index) => (
        <Skeleton key={index} h={58} />
      ))}
    </Stack>
  );
}
