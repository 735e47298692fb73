import { Badge, Button, Code, Group, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { ServiceAccount } from '#contract/credentials/service-accounts.ts';
import type { Token } from '#contract/credentials/tokens.ts';
import type { Organization } from '#contract/organizations/organizations.ts';
import { t } from '#shared/language/messages.ts';
import { call } from '../../app/api.ts';
import { createCredential } from './create-credential.ts';
import { confirming } from '../../tokens/confirming.ts';
import { TokenDialog, type TokenOrigin } from '../../tokens/TokenDialog.tsx';
import { TokenList } from '../../tokens/TokenList.tsx';
import { rich } from '../../ui/text/rich.tsx';
import { roleNames } from '../../ui/text/roles.ts';
import { TimeAgo } from '../../ui/text/TimeAgo.tsx';
import classes from './ServiceAccounts.module.css';

/** A service account with its tokens. */
export function ServiceAccountItem({
  organization,
  account: { id: userId, name, role, createdAt },
  makerName,
  tokens,
  onEdit,
  onDelete,
}: {
  readonly organization: Organization;
  readonly account: ServiceAccount;
  /** Undefined if the person who created it is no longer a member. */
  readonly makerName: string | undefined;
  readonly tokens: readonly Token[];
  readonly onEdit: () => void;
  readonly onDelete: () => void;
}): ReactNode {
  const [origin, setOrigin] = useState<TokenOrigin>();
  const time = <TimeAgo at={createdAt} />;
  return (
    <li className={classes['account']}>
      <Group justify="space-between" align="flex-start" gap="xs">
        <div>
          <Group gap="xs">
            <Text fw={600}>{name}</Text>
            <Badge variant="light" tt="none">
              {roleNames[role]}
            </Badge>
          </Group>
          <Text size="sm" c="dimmed">
            {makerName === undefined
              ? rich('Created {time} by a former member', { time })
              : rich('Created {time} by {name}', { time, name: makerName })}
          </Text>
          {tokens.some(({ type }) => type !== 'bearer') && (
            <Text size="sm" c="dimmed">
              {rich('Client ID: <code>{id}</code>', { id: userId, code: (text) => <Code>{text}</Code> })}
            </Text>
          )}
        </div>
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            aria-label={t('Create a credential of {name}', { name })}
            onClick={() => setOrigin('new')}
          >
            {t('Create a credential')}
          </Button>
          <Button
            size="xs"
            variant="default"
            aria-label={t('Edit the service account {name}', { name })}
            onClick={onEdit}
          >
            {t('Edit')}
          </Button>
          <Button
            size="xs"
            variant="default"
            aria-label={t('Delete the service account {name}', { name })}
            onClick={onDelete}
          >
            {t('Delete')}
          </Button>
        </Group>
      </Group>
      <div className={classes['tokens']}>
        {tokens.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t('No tokens yet.')}
          </Text>
        ) : (
          <TokenList
            label={t('Tokens of {name}', { name })}
            tokens={tokens}
            {...confirming(organization)}
            revoke={({ id: tokenId }) =>
              call('DELETE /api/organizations/{orgId}/tokens/{tokenId}', {
                params: { orgId: organization.id, tokenId },
              })
            }
            onReplace={setOrigin}
          />
        )}
      </div>
      <TokenDialog
        origin={origin}
        organizations={[organization]}
        ofServiceAccount={name}
        create={(orgId, wanted) => createCredential({ orgId, userId }, wanted)}
        onClose={() => setOrigin(undefined)}
      />
    </li>
  );
}
