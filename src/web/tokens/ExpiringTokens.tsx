import { Alert, List } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Token } from '#contract/credentials/tokens.ts';
import { t } from '#shared/language/messages.ts';
import { rich } from '../ui/text/rich.tsx';
import { TimeAgo } from '../ui/text/TimeAgo.tsx';
import { expiresSoon } from './state.ts';

/** Warns before tokens expire; nothing if none does soon. */
export function ExpiringTokens({
  tokens,
  ownerOf,
}: {
  readonly tokens: readonly Token[];
  /** Returns whose a token is, unless all are the reader's. */
  readonly ownerOf?: (token: Token) => string;
}): ReactNode {
  const soon = tokens.filter(expiresSoon).toSorted((a, b) => a.expiresAt.localeCompare(b.expiresAt));
  if (soon.length === 0) return null;
  return (
    <Alert
      color="orange"
      icon={<IconAlertTriangle aria-hidden />}
      title={t('Replace these before they expire')}
    >
      <List size="sm">
        {soon.map((token) => (
          <List.Item key={token.id}>
            {ownerOf === undefined
              ? rich('“{name}” expires {time}', { name: token.name, time: <TimeAgo at={token.expiresAt} /> })
              : rich('“{name}” of {owner} expires {time}', {
                  name: token.name,
                  owner: ownerOf(token),
                  time: <TimeAgo at={token.expiresAt} />,
                })}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
