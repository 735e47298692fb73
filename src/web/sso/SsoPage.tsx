import { Stack, Title } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Role } from '#contract/organizations/organizations.ts';
import { t } from '#shared/language/messages.ts';
import { paths } from '../app/paths.ts';
import { Failure } from '../ui/problems/Failure.tsx';
import { Page } from '../ui/page/Page.tsx';
import { ForAdministrators } from './ForAdministrators.tsx';
import { SsoGuide } from './SsoGuide.tsx';
import { AddDirectory } from './directories/AddDirectory.tsx';
import { DirectoryList } from './directories/DirectoryList.tsx';
import { LoadingGuide } from './LoadingGuide.tsx';
import { Provisioning } from './Provisioning.tsx';
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
  const { sso, error, retry } = useSso({ orgId, connectionId: undefined }, role);
  if (error !== null) return <Failure error={error} retry={retry} />;
  if (sso === undefined) return <LoadingGuide />;
  // With one directory, the page is about that; other directories have pages of their own.
  if (!sso.hasOthers)
    return (
      <Stack gap="xl">
        <SsoGuide sso={sso} />
        {sso.configuration !== undefined && (
          <>
            <Provisioning orgId={orgId} redirectUri={sso.status.redirectUri} />
            <AddDirectory orgId={orgId} />
          </>
        )}
      </Stack>
    );
  return (
    <Stack gap="xl">
      <DirectoryList orgId={orgId} />
      <Stack gap="md">
        <Title order={2} fz="h5">
          {t('The first directory')}
        </Title>
        <SsoGuide sso={sso} />
        <Provisioning orgId={orgId} redirectUri={sso.status.redirectUri} />
      </Stack>
    </Stack>
  );
}
