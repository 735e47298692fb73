import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { ServiceAccount } from '#contract/credentials/service-accounts.ts';
import type { Organization } from '#contract/organizations/organizations.ts';
import { t } from '#shared/language/messages.ts';
import { ExpiringTokens } from '../../tokens/ExpiringTokens.tsx';
import { organizationTokensQuery } from '../../tokens/queries.ts';
import { SuspendedTokens } from '../../tokens/SuspendedTokens.tsx';
import { Waiting } from '../../ui/page/Waiting.tsx';
import { Failure } from '../../ui/problems/Failure.tsx';
import { allMembersQuery } from '../../ui/server-data/member-list-queries.ts';
import { reasonAgainst } from '../../ui/text/permissions.ts';
import { RemoveMember } from '../members/RemoveMember.tsx';
import { serviceAccountsQuery } from './queries.ts';
import { ServiceAccountDialog } from './ServiceAccountDialog.tsx';
import { ServiceAccountItem } from './ServiceAccountItem.tsx';
import classes from './ServiceAccounts.module.css';

/** Lists, creates, changes and deletes the service accounts of an organization and their tokens, for its owners and admins. */
export function ServiceAccounts({ organization }: { readonly organization: Organization }): ReactNode {
  const reason = reasonAgainst('member.manage', organization.role);
  return reason === undefined ? <List organization={organization} /> : <Text size="sm">{reason}</Text>;
}

function List({ organization }: { readonly organization: Organization }): ReactNode {
  const { id: orgId } = organization;
  const accounts = useQuery(serviceAccountsQuery(orgId));
  const tokens = useQuery(organizationTokensQuery(orgId));
  const members = useQuery(allMembersQuery(orgId));
  const [edited, setEdited] = useState<'new' | ServiceAccount>();
  const [deletedId, setDeletedId] = useState<string>();
  const error = accounts.error ?? tokens.error ?? members.error;
  if (error !== null) {
    return (
      <Failure
        error={error}
        retry={() => {
          for (const query of [accounts, tokens, members]) void query.refetch();
        }}
      />
    );
  }
  if (accounts.data === undefined || tokens.data === undefined || members.data === undefined)
    return <Waiting height={60} />;
  const deleted = members.data.find(({ userId }) => userId === deletedId);
  const names = new Map(accounts.data.map(({ id, name }) => [id, name]));
  return (
    <Stack gap="md">
      <SuspendedTokens organization={organization} tokens={tokens.data} />
      <ExpiringTokens
        tokens={tokens.data.filter(({ userId }) => names.has(userId))}
        ownerOf={({ userId }) => names.get(userId) ?? ''}
      />
      {accounts.data.length === 0 ? (
        <Text size="sm">{t('There are no service accounts.')}</Text>
      ) : (
        <ul className={classes['list']} aria-label={t('Service accounts')}>
          {accounts.data.map((account) => (
            <ServiceAccountItem
              key={account.id}
              organization={organization}
              account={account}
              makerName={members.data.find(({ userId }) => userId === account.createdBy)?.name}
              tokens={tokens.data.filter(({ userId }) => userId === account.id)}
              onEdit={() => setEdited(account)}
              onDelete={() => setDeletedId(account.id)}
            />
          ))}
        </ul>
      )}
      <Group>
        <Button variant="default" onClick={() => setEdited('new')}>
          {t('Create a service account')}
        </Button>
      </Group>
      <ServiceAccountDialog orgId={orgId} edited={edited} onClose={() => setEdited(undefined)} />
      {deleted !== undefined && (
        <RemoveMember
          orgId={orgId}
          member={deleted}
          members={members.data}
          onClose={() => setDeletedId(undefined)}
        />
      )}
    </Stack>
  );
}
