import { Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { call } from '../../../app/api.ts';
import { ActionButton } from '../../../ui/actions/ActionButton.tsx';
import { ConfirmDialog } from '../../../ui/actions/ConfirmDialog.tsx';
import { RecoveryCodesDialog } from '../../../ui/codes/RecoveryCodesDialog.tsx';
import { notifyDone, notifyError } from '../../../ui/notifications/notify.ts';
import { Waiting } from '../../../ui/page/Waiting.tsx';
import { Failure } from '../../../ui/problems/Failure.tsx';
import { rich } from '../../../ui/text/rich.tsx';
import { TimeAgo } from '../../../ui/text/TimeAgo.tsx';
import { secondFactorsQuery } from '../queries.ts';
import { Passkeys } from '../passkeys/Passkeys.tsx';
import { AuthenticatorAppDialog } from './AuthenticatorAppDialog.tsx';

/** Your passkeys, authenticator app and recovery codes. `reason`: why they can't be changed. */
export function SecondFactors({
  email,
  reason,
}: {
  readonly email: string;
  readonly reason: string | undefined;
}): ReactNode {
  const client = useQueryClient();
  const factors = useQuery(secondFactorsQuery);
  const [codes, setCodes] = useState<readonly string[]>();
  const [question, setQuestion] = useState<'remove' | 'codes'>();
  const refresh = () =>
    Promise.all(
      ['second-factors', 'account', 'sessions'].map((key) => client.invalidateQueries({ queryKey: [key] })),
    );
  const start = useMutation({
    mutationFn: () => call('POST /api/auth/authenticator-app'),
    onError: notifyError,
  });
  const remove = useMutation({
    mutationFn: () => call('DELETE /api/auth/authenticator-app'),
    onSuccess: () => notifyDone(t('Authenticator app removed.')),
    onError: notifyError,
    onSettled: () => {
      setQuestion(undefined);
      return refresh();
    },
  });
  const renew = useMutation({
    mutationFn: () => call('POST /api/auth/recovery-codes'),
    onSuccess: ({ items }) => setCodes(items),
    onError: notifyError,
    onSettled: () => {
      setQuestion(undefined);
      return refresh();
    },
  });
  if (factors.error !== null) return <Failure error={factors.error} retry={() => void factors.refetch()} />;
  if (factors.data === undefined) return <Waiting height={60} />;
  const { authenticatorApp, passkeys, recoveryCodes } = factors.data;
  const hasFactor = authenticatorApp !== undefined || passkeys.length > 0;
  return (
    <Stack gap="sm">
      <Passkeys
        passkeys={passkeys}
        hasApp={authenticatorApp !== undefined}
        reason={reason}
        onAdded={({ recoveryCodes: created, endedSessions }) => {
          setCodes(created);
          notifyDone(
            endedSessions === 0
              ? t('Passkey added.')
              : t(
                  'Passkey added. You were signed out of {endedSessions, plural, one {# other session} other {# other sessions}}.',
                  { endedSessions },
                ),
          );
          return refresh();
        }}
        onChanged={refresh}
      />
      <Text size="sm">
        {authenticatorApp === undefined
          ? t('You have no authenticator app.')
          : rich('Authenticator app: set up {when}.', { when: <TimeAgo at={authenticatorApp.createdAt} /> })}
      </Text>
      {hasFactor && (
        <Text size="sm">
          {t('{count, plural, one {# recovery code} other {# recovery codes}} left.', {
            count: recoveryCodes,
          })}
        </Text>
      )}
      {reason !== undefined && (
        <Text size="sm" c="dimmed">
          {reason}
        </Text>
      )}
      <Group gap="xs">
        <ActionButton
          variant="default"
          reason={reason}
          loading={start.isPending}
          onClick={() => start.mutate()}
        >
          {authenticatorApp === undefined ? t('Set up an authenticator app') : t('Replace the app')}
        </ActionButton>
        {hasFactor && (
          <ActionButton variant="default" reason={reason} onClick={() => setQuestion('codes')}>
            {t('Replace your recovery codes…')}
          </ActionButton>
        )}
        {authenticatorApp !== undefined && (
          <ActionButton variant="default" reason={reason} onClick={() => setQuestion('remove')}>
            {t('Remove the app…')}
          </ActionButton>
        )}
      </Group>
      {start.data !== undefined && (
        <AuthenticatorAppDialog
          app={start.data}
          isFirst={!hasFactor}
          onClose={() => start.reset()}
          onConfirmed={({ recoveryCodes: created, endedSessions }) => {
            start.reset();
            setCodes(created);
            notifyDone(
              endedSessions === 0
                ? t('Authenticator app set up.')
                : t(
                    'Authenticator app set up. You were signed out of {endedSessions, plural, one {# other session} other {# other sessions}}.',
                    { endedSessions },
                  ),
            );
            return refresh();
          }}
        />
      )}
      <ConfirmDialog
        title={t('Remove your authenticator app?')}
        sentences={
          passkeys.length > 0
            ? [t('Its codes no longer work. Your passkeys stay.')]
            : [
                t('Your password is then enough to sign in to your account.'),
                t('Your recovery codes stop working.'),
              ]
        }
        action={t('Remove')}
        opened={question === 'remove'}
        onClose={() => setQuestion(undefined)}
        onConfirm={() => remove.mutate()}
        isPending={remove.isPending}
      />
      <ConfirmDialog
        title={t('Replace your recovery codes?')}
        sentences={[t('The codes that you have now stop working immediately.')]}
        action={t('Replace')}
        opened={question === 'codes'}
        onClose={() => setQuestion(undefined)}
        onConfirm={() => renew.mutate()}
        isPending={renew.isPending}
      />
      {codes !== undefined && (
        <RecoveryCodesDialog
          description={t(
            'Each code replaces your passkey or authenticator app once, if you don’t have it with you. The codes are shown only now: store them in a safe place that you can reach without your devices.',
          )}
          heading={[
            t('Recovery codes of {email} on {host}', { email, host: location.host }),
            t('Each code replaces your passkey or authenticator app once, after your password.'),
          ]}
          codes={codes}
          onKept={() => setCodes(undefined)}
        />
      )}
    </Stack>
  );
}
