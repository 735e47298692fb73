import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Token } from '#contract/credentials/tokens.ts';
import { t } from '#shared/language/messages.ts';
import { paths } from '../app/paths.ts';
import { expiresSoon } from '../tokens/state.ts';
import { organizationTokensQuery } from '../tokens/queries.ts';
import { CopyField } from '../ui/forms/CopyField.tsx';
import { Section } from '../ui/page/Section.tsx';
import { rich } from '../ui/text/rich.tsx';
import { TimeAgo } from '../ui/text/TimeAgo.tsx';

/** Shows where the directory sends people and groups by SCIM, and when it last did. `redirectUri` is at the same server. */
export function Provisioning({
  orgId,
  redirectUri,
}: {
  readonly orgId: string;
  readonly redirectUri: string;
}): ReactNode {
  const tokens = useQuery(organizationTokensQuery(orgId));
  const credentials = tokens.data?.filter(({ scopes }) => scopes.includes('scim'));
  return (
    <Section
      title={t('Provisioning')}
      description={t(
        'Your directory can add people and groups by SCIM 2.0, and end the access of people at once when they leave. It needs the token or the client secret of a service account with the permission “Provision”.',
      )}
    >
      <CopyField label={t('SCIM URL')} value={`${new URL(redirectUri).origin}/scim/v2/${orgId}`} />
      {credentials?.length === 0 && (
        <Text size="sm">
          {rich('No service account has this permission yet. Create one in the <link>settings</link>.', {
            link: (text) => (
              <Anchor
                renderRoot={(props) => <Link {...props} to={paths.organization} params={{ orgId }} />}
                inherit
                underline="always"
              >
                {text}
              </Anchor>
            ),
          })}
        </Text>
      )}
      {credentials?.map((credential) => (
        <Credential key={credential.id} credential={credential} />
      ))}
    </Section>
  );
}

/** When a credential was last used, and when it expires. */
function Credential({ credential }: { readonly credential: Token }): ReactNode {
  const { name, lastUsedAt, lastUsedAddress = '', expiresAt } = credential;
  const time = <TimeAgo at={expiresAt} />;
  return (
    <Text size="sm">
      {lastUsedAt === undefined
        ? rich('<b>{name}</b>: no request yet.', { name, b: bold })
        : rich('<b>{name}</b>: last request {time} from {address}.', {
            name,
            b: bold,
            time: <TimeAgo at={lastUsedAt} />,
            address: lastUsedAddress,
          })}{' '}
      {credential.state === 'expired' ? (
        <Text span c="red.9">
          {rich('Expired {time}. The directory can’t send anything until you store a new one there.', {
            time,
          })}
        </Text>
      ) : (
        <Text span {...(!expiresSoon(credential) && { c: 'dimmed' })}>
          {rich('Expires {time}.', { time })}
        </Text>
      )}
    </Text>
  );
}

const bold = (text: ReactNode) => <b>{text}</b>;
