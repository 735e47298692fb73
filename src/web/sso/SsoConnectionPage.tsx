import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Role } from '#contract/organizations/organizations.ts';
import { t } from '#shared/language/messages.ts';
import { paths } from '../app/paths.ts';
import { Failure } from '../ui/problems/Failure.tsx';
import { Page } from '../ui/page/Page.tsx';
import { nameOf } from './directories/DirectoryList.tsx';
import { ForAdministrators } from './ForAdministrators.tsx';
import { LoadingGuide } from './LoadingGuide.tsx';
import { connectionsQuery, useSso, type DirectoryKey } from './queries.ts';
import { SsoGuide } from './SsoGuide.tsx';

/** Sets up and maintains one of the directories beside the first one. */
export function SsoConnectionPage(): ReactNode {
  const { orgId, connectionId } = useParams({ from: paths.ssoConnection });
  const { data: connections } = useQuery(connectionsQuery(orgId));
  const connection = connections?.find(({ id }) => id === connectionId);
  return (
    <Page
      title={connection === undefined ? t('Directory') : nameOf(connection)}
      description={
        <Anchor
          renderRoot={(props) => <Link {...props} to={paths.sso} params={{ orgId }} />}
          size="sm"
          underline="always"
        >
          {t('All directories of the organization')}
        </Anchor>
      }
    >
      <ForAdministrators orgId={orgId}>
        {(role) => <Guide key={connectionId} directory={{ orgId, connectionId }} role={role} />}
      </ForAdministrators>
    </Page>
  );
}

function Guide({ directory, role }: { readonly directory: DirectoryKey; readonly role: Role }): ReactNode {
  const { sso, error, retry } = useSso(directory, role);
  if (error !== null) return <Failure error={error} retry={retry} />;
  return sso === undefined ? <LoadingGuide /> : <SsoGuide sso={sso} />;
}
