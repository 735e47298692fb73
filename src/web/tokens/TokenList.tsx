import { Badge, Button, Group, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Token } from '#contract/credentials/tokens.ts';
import { t } from '#shared/language/messages.ts';
import { ActionButton } from '../ui/actions/ActionButton.tsx';
import { notifyDone, notifyError } from '../ui/notifications/notify.ts';
import { rich } from '../ui/text/rich.tsx';
import { TimeAgo } from '../ui/text/TimeAgo.tsx';
import { RevokeTokenDialog } from './RevokeTokenDialog.tsx';
import { typeNames } from './kinds.ts';
import { tokensKey } from './queries.ts';
import { scopesText } from './scopes.ts';
import { stateOf } from './state.ts';
import classes from './Tokens.module.css';

/** Tokens, each with its state, its use, and what can be done with it. */
export function TokenList({
  label,
  tokens,
  isMine = false,
  detailOf,
  reasonAgainstRevoking = () => undefined,
  revoke,
  confirm,
  onReplace,
}: {
  readonly label: string;
  readonly tokens: readonly Token[];
  /** Whether the reader is the person that the tokens act as. */
  readonly isMine?: boolean;
  /** Returns the name of the organization or the person, if the list doesn't have the same for all. */
  readonly detailOf?: (token: Token) => string;
  readonly reasonAgainstRevoking?: (token: Token) => string | undefined;
  readonly revoke: (token: Token) => Promise<unknown>;
  /** If given, tokens that a restore has suspended can be confirmed. */
  readonly confirm?: (token: Token) => Promise<unknown>;
  /** If given, tokens can be replaced. */
  readonly onReplace?: (token: Token) => void;
}): ReactNode {
  const [revoked, setRevoked] = useState<Token>();
  const client = useQueryClient();
  const confirmation = useMutation({
    mutationFn: async (token: Token) => confirm?.(token),
    onSuccess: () => notifyDone(t('Token confirmed.')),
    onError: notifyError,
    onSettled: () => client.invalidateQueries({ queryKey: tokensKey }),
  });
  return (
    <>
      <ul className={classes['list']} aria-label={label}>
        {tokens.map((token) => (
          <TokenItem
            key={token.id}
            token={token}
            isMine={isMine}
            detail={detailOf?.(token)}
            reasonAgainstRevoking={reasonAgainstRevoking(token)}
            onRevoke={() => setRevoked(token)}
            onConfirm={
              token.state === 'suspended' ? confirm && (() => confirmation.mutate(token)) : undefined
            }
            // The program asks the person again.
            onReplace={token.type === 'authorization' ? undefined : onReplace && (() => onReplace(token))}
          />
        ))}
      </ul>
      <RevokeTokenDialog token={revoked} revoke={revoke} onClose={() => setRevoked(undefined)} />
    </>
  );
}

function TokenItem({
  token,
  isMine,
  detail,
  reasonAgainstRevoking,
  onRevoke,
  onConfirm,
  onReplace,
}: {
  readonly token: Token;
  readonly isMine: boolean;
  readonly detail: string | undefined;
  readonly reasonAgainstRevoking: string | undefined;
  readonly onRevoke: () => void;
  readonly onConfirm: (() => void) | undefined;
  readonly onReplace: (() => void) | undefined;
}): ReactNode {
  const { name, state, expiresAt, lastUsedAt, lastUsedAddress = '' } = token;
  const shown = stateOf(token, { isMine });
  const time = <TimeAgo at={expiresAt} />;
  return (
    <li className={classes['item']}>
      <div className={classes['details']}>
        <Group gap="xs">
          <Text fw={500}>{name}</Text>
          <Badge variant="dot" color={shown.color} tt="none">
            {shown.text}
          </Badge>
        </Group>
        {token.type !== 'bearer' && <Text size="sm">{typeNames[token.type]}</Text>}
        {detail !== undefined && <Text size="sm">{detail}</Text>}
        <Text size="sm">{scopesText(token.scopes)}</Text>
        <Text size="sm" c="dimmed">
          {state === 'expired' ? rich('Expired {time}', { time }) : rich('Expires {time}', { time })}
          {' · '}
          {lastUsedAt === undefined
            ? t('not used yet')
            : rich('last used {time} from {address}', {
                time: <TimeAgo at={lastUsedAt} />,
                address: lastUsedAddress,
              })}
        </Text>
        {shown.reason !== undefined && <Text size="sm">{shown.reason}</Text>}
      </div>
      <Group gap="xs">
        {onConfirm !== undefined && (
          <Button
            size="xs"
            variant="default"
            aria-label={t('Confirm the token {name}', { name })}
            onClick={onConfirm}
          >
            {t('Confirm')}
          </Button>
        )}
        {onReplace !== undefined && (
          <Button
            size="xs"
            variant="default"
            aria-label={t('Replace the token {name}', { name })}
            onClick={onReplace}
          >
            {t('Replace')}
          </Button>
        )}
        <ActionButton
          size="xs"
          variant="default"
          aria-label={t('Revoke the token {name}', { name })}
          reason={reasonAgainstRevoking}
          onClick={onRevoke}
        >
          {t('Revoke')}
        </ActionButton>
      </Group>
    </li>
  );
}
