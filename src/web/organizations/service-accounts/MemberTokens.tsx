import { Button, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Token } from '#contract/credentials/tokens.ts';
import type { Organization } from '#contract/organizations/organizations.ts';
import { t } from '#shared/language/messages.ts';
import { may, mayGive } from '#shared/permissions.ts';
import { call } from '../../app/api.ts';
import { confirming } from '../../tokens/confirming.ts';
import { organizationTokensQuery } from '../../tokens/queries.ts';
import { TokenList } from '../../tokens/TokenList.tsx';
import { Waiting } from '../../ui/page/Waiting.tsx';
import { Failure } from '../../ui/problems/Failure.tsx';
import { allMembersQuery } from '../../ui/server-data/member-list-queries.ts';

const shownAtFirst = 10;

/** The personal tokens of the members, which owners and admins can revoke. Others see nothing. */
export function MemberTokens({ organization }: { readonly organization: Organization }): ReactNode {
  return may(organization.role, 'member.manage') ? <List organization={organization} /> : null;
}

function List({ organization: { id: orgId, role } }: { readonly organization: Organization }): ReactNode {
  const tokens = useQuery(organizationTokensQuery(orgId));
  const members = useQuery(allMembersQuery(orgId));
  const [shown, setShown] = useState(shownAtFirst);
  const error = tokens.error ?? members.error;
  if (error !== null) {
    return (
      <Failure
        error={error}
        retry={() => {
          void tokens.refetch();
          void members.refetch();
        }}
      />
    );
  }
  if (tokens.data === undefined || members.data === undefined) return <Waiting height={60} />;
  const people = new Map(
    members.data
      .filter(({ isServiceAccount }) => isServiceAccount !== true)
      .map((member) => [member.userId, member]),
  );
  const personal = tokens.data.filter(({ userId }) => people.has(userId));
  const ownerOf = ({ userId }: Token) => people.get(userId);
  return (
    <Stack gap="sm">
      <Title order={3} fz="h6">
        {t('Personal tokens of members')}
      </Title>
      {personal.length === 0 ? (
        <Text size="sm">{t('No member has a token for this organization.')}</Text>
      ) : (
        <TokenList
          label={t('Personal tokens of members')}
          tokens={personal.slice(0, shown)}
          detailOf={(token) => {
            const owner = ownerOf(token);
            return owner === undefined ? '' : `${owner.name} (${owner.email})`;
          }}
          reasonAgainstRevoking={(token) =>
            mayGive(role, ownerOf(token)?.role ?? 'owner')
              ? undefined
              : t('Only an owner can revoke the token of an owner.')
          }
          {...confirming({ id: orgId, role })}
          revoke={({ id: tokenId }) =>
            call('DELETE /api/organizations/{orgId}/tokens/{tokenId}', { params: { orgId, tokenId } })
          }
        />
      )}
      {personal.length > shown && (
        <div>
          <Button variant="default" onClick={() => setShown(shown + shownAtFirst)}>
            {t('Show {count} more', { count: Math.min(shownAtFirst, personal.length - shown) })}
          </Button>
        </div>
      )}
    </Stack>
  );
}
