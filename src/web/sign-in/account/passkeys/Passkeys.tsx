import { Badge, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Passkey } from '#contract/accounts/passkeys.ts';
import { t } from '#shared/language/messages.ts';
import { call, type ResponseOf } from '../../../app/api.ts';
import { ActionButton } from '../../../ui/actions/ActionButton.tsx';
import { ConfirmDialog } from '../../../ui/actions/ConfirmDialog.tsx';
import { notifyDone, notifyError } from '../../../ui/notifications/notify.ts';
import { passkeyReason } from '../../../ui/passkeys/ceremonies.ts';
import { rich } from '../../../ui/text/rich.tsx';
import { TimeAgo } from '../../../ui/text/TimeAgo.tsx';
import classes from '../Sessions.module.css';
import { AddPasskeyDialog } from './AddPasskeyDialog.tsx';
import { RenamePasskeyDialog } from './RenamePasskeyDialog.tsx';

type Question = { readonly kind: 'rename' | 'remove'; readonly passkey: Passkey };

/** Your passkeys, and buttons to add, rename and remove them. `reason`: why they can't be changed. */
export function Passkeys({
  passkeys,
  hasApp,
  reason,
  onAdded,
  onChanged,
}: {
  readonly passkeys: readonly Passkey[];
  /** Whether the account has an authenticator app. */
  readonly hasApp: boolean;
  readonly reason: string | undefined;
  readonly onAdded: (result: ResponseOf<'POST /api/auth/passkeys'>) => unknown;
  readonly onChanged: () => unknown;
}): ReactNode {
  const [isAdding, setAdding] = useState(false);
  const [question, setQuestion] = useState<Question>();
  const close = () => setQuestion(undefined);
  const remove = useMutation({
    mutationFn: (passkeyId: string) =>
      call('DELETE /api/auth/passkeys/{passkeyId}', { params: { passkeyId } }),
    onSuccess: () => notifyDone(t('Passkey removed.')),
    onError: notifyError,
    onSettled: () => {
      close();
      return onChanged();
    },
  });
  const isLast = passkeys.length === 1 && !hasApp;
  return (
    <Stack gap="sm">
      {passkeys.length === 0 ? (
        <Text size="sm">{t('You have no passkeys.')}</Text>
      ) : (
        <ul className={classes['list']} aria-label={t('Passkeys')}>
          {passkeys.map((passkey) => (
            <li key={passkey.id} className={classes['item']}>
              <PasskeyText passkey={passkey} />
              <Group gap="xs">
                <ActionButton
                  variant="default"
                  size="xs"
                  reason={reason}
                  aria-label={t('Rename “{name}”', { name: passkey.name })}
                  onClick={() => setQuestion({ kind: 'rename', passkey })}
                >
                  {t('Rename')}
                </ActionButton>
                <ActionButton
                  variant="default"
                  size="xs"
                  reason={reason}
                  aria-label={t('Remove “{name}”', { name: passkey.name })}
                  onClick={() => setQuestion({ kind: 'remove', passkey })}
                >
                  {t('Remove…')}
                </ActionButton>
              </Group>
            </li>
          ))}
        </ul>
      )}
      <Group>
        <ActionButton variant="default" reason={reason ?? passkeyReason()} onClick={() => setAdding(true)}>
          {t('Add a passkey')}
        </ActionButton>
      </Group>
      {isAdding && (
        <AddPasskeyDialog
          isFirst={passkeys.length === 0 && !hasApp}
          onClose={() => setAdding(false)}
          onAdded={(result) => {
            setAdding(false);
            return onAdded(result);
          }}
        />
      )}
      {question?.kind === 'rename' && (
        <RenamePasskeyDialog
          passkey={question.passkey}
          onClose={close}
          onRenamed={() => {
            close();
            return onChanged();
          }}
        />
      )}
      <ConfirmDialog
        title={t('Remove the passkey “{name}”?', { name: question?.passkey.name ?? '' })}
        sentences={[
          t('You can no longer sign in with it. Remove it from your device, too.'),
          ...(isLast
            ? [
                t('Your password is then enough to sign in to your account.'),
                t('Your recovery codes stop working.'),
              ]
            : []),
        ]}
        action={t('Remove')}
        opened={question?.kind === 'remove'}
        onClose={close}
        onConfirm={() => question !== undefined && remove.mutate(question.passkey.id)}
        isPending={remove.isPending}
      />
    </Stack>
  );
}

const PasskeyText = ({
  passkey: { name, host, isUsable, createdAt, lastUsedAt },
}: {
  readonly passkey: Passkey;
}): ReactNode => (
  <div>
    <Group gap="xs">
      <Text fw={500}>{name}</Text>
      {!isUsable && (
        <Badge variant="light" color="orange" tt="none">
          {t('For {host}', { host })}
        </Badge>
      )}
    </Group>
    <Text size="sm" c="dimmed">
      {lastUsedAt === undefined
        ? rich('Added {time} · never used', { time: <TimeAgo at={createdAt} /> })
        : rich('Added {time} · last used {lastUsed}', {
            time: <TimeAgo at={createdAt} />,
            lastUsed: <TimeAgo at={lastUsedAt} />,
          })}
    </Text>
    {!isUsable && (
      <Text size="sm" c="dimmed">
        {t(
          'The address of this server has changed, so this passkey doesn’t work. Add a new one, and remove this one.',
        )}
      </Text>
    )}
  </div>
);
