import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { call } from '../../app/api.ts';
import { ExpiringTokens } from '../../tokens/ExpiringTokens.tsx';
import { myTokensQuery } from '../../tokens/queries.ts';
import { TokenDialog, type TokenOrigin } from '../../tokens/TokenDialog.tsx';
import { TokenList } from '../../tokens/TokenList.tsx';
import { ActionButton } from '../../ui/actions/ActionButton.tsx';
import { Waiting } from '../../ui/page/Waiting.tsx';
import { Failure } from '../../ui/problems/Failure.tsx';
import { organizationsQuery } from '../../ui/server-data/session.ts';

/** Lists, creates, replaces and revokes your personal tokens. */
export function PersonalTokens(): ReactNode {
  const tokens = useQuery(myTokensQuery);
  const organizations = useQuery(organizationsQuery);
  const [origin, setOrigin] = useState<TokenOrigin>();
  const error = tokens.error ?? organizations.error;
  if (error !== null) {
    return (
      <Failure
        error={error}
        retry={() => {
          void tokens.refetch();
          void organizations.refetch();
        }}
      />
    );
  }
  if (tokens.data === undefined || organizations.data === undefined) return <Waiting height={60} />;
  const names = new Map(organizations.data.map(({ id, name }) => [id, name]));
  return (
    <Stack gap="md">
      <ExpiringTokens tokens={tokens.data} />
      {tokens.data.length === 0 ? (
        <Text size="sm">{t('You have no tokens.')}</Text>
      ) : (
        <TokenList
          label={t('Personal tokens')}
          tokens={tokens.data}
          isMine
          // Without a sign-in through its directory, the name of an organization that requires SSO is not shown.
          detailOf={({ organizationId }) =>
            names.get(organizationId) ?? t('An organization that requires single sign-on')
          }
          confirm={({ id }) => call('POST /api/auth/tokens/{tokenId}/confirm', { params: { tokenId: id } })}
          revoke={({ id }) => call('DELETE /api/auth/tokens/{tokenId}', { params: { tokenId: id } })}
          onReplace={setOrigin}
        />
      )}
      <Group>
        <ActionButton
          variant="default"
          reason={
            organizations.data.length === 0
              ? t('A token is for one organization, and this session has access to none.')
              : undefined
          }
          onClick={() => setOrigin('new')}
        >
          {t('Create a token')}
        </ActionButton>
      </Group>
      <TokenDialog
        origin={origin}
        organizations={organizations.data}
        create={(organizationId, { input }) =>
          call('POST /api/auth/tokens', { body: { organizationId, ...input } })
        }
        onClose={() => setOrigin(undefined)}
      />
    </Stack>
  );
}
