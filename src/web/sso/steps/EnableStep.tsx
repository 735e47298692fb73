import { Group, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { paths } from '../../app/paths.ts';
import { ActionButton } from '../../ui/actions/ActionButton.tsx';
import { ConfirmDialog } from '../../ui/actions/ConfirmDialog.tsx';
import { Failure } from '../../ui/problems/Failure.tsx';
import { notifyDone } from '../../ui/notifications/notify.ts';
import { bodyOf } from '../connection/connection.ts';
import { consequencesOf, lockOutReason } from './consequences.ts';
import type { Sso } from '../queries.ts';
import { blockingReasons, listed, verifiedDomains } from '../status-message.ts';
import { CheckInterval } from './CheckInterval.tsx';
import { TurnOnButton } from './TurnOnButton.tsx';
import { useActor } from '../use-actor.ts';
import { useDeletion, useSaving } from '../connection/use-saving.ts';

/** Turns single sign-on on or off, or deletes the configuration, after listing the consequences. */
export function EnableStep({ sso, isTested }: { readonly sso: Sso; readonly isTested: boolean }): ReactNode {
  const { orgId, connectionId, status, configuration } = sso;
  const navigate = useNavigate();
  const actor = useActor(orgId);
  const [asked, setAsked] = useState<'turn off' | 'delete'>();
  const saving = useSaving(sso);
  const deletion = useDeletion(sso);
  const verified = verifiedDomains(status);
  const isOn = configuration?.enabled === true;
  const isReady = blockingReasons(status).length === 0;
  const close = () => setAsked(undefined);
  const confirm = () => {
    if (configuration === undefined) return;
    if (asked === 'delete')
      deletion.mutate(undefined, {
        onSuccess: () => {
          done(t('The single sign-on configuration was deleted.'));
          // Its page no longer exists.
          if (connectionId !== undefined) void navigate({ to: paths.sso, params: { orgId } });
        },
      });
    else
      saving.mutate(
        { body: bodyOf(configuration, { enabled: false }) },
        { onSuccess: () => done(t('Single sign-on is off.')) },
      );
  };
  const done = (message: string) => {
    close();
    notifyDone(message);
  };
  const begin = (change: 'turn off' | 'delete') => {
    saving.reset();
    deletion.reset();
    setAsked(change);
  };
  const lockedOut = lockOutReason(sso, actor);
  return (
    <Stack>
      <Text size="sm">
        {isOn
          ? t('Single sign-on is on. People in {domains} sign in through the directory.', {
              domains: listed(verified) || t('verified domains'),
            })
          : isReady
            ? isTested
              ? t('People in {domains} will sign in through the directory. Passwords keep working.', {
                  domains: listed(verified),
                })
              : t(
                  'People in {domains} will sign in through the directory. Passwords keep working. Test a sign-in first.',
                  { domains: listed(verified) },
                )
            : t('You can turn it on once the configuration is complete and a domain is verified.')}
      </Text>
      <Group>
        {isOn ? (
          <ActionButton variant="default" reason={lockedOut} onClick={() => begin('turn off')}>
            {t('Turn off…')}
          </ActionButton>
        ) : (
          <TurnOnButton sso={sso} />
        )}
        <ActionButton
          variant="subtle"
          color="red"
          reason={
            configuration === undefined ? t('There is no configuration.') : isOn ? lockedOut : undefined
          }
          onClick={() => begin('delete')}
        >
          {t('Delete the configuration…')}
        </ActionButton>
      </Group>
      {saving.error !== null && asked === undefined && <Failure error={saving.error} />}
      <CheckInterval sso={sso} />
      <ConfirmDialog
        title={asked === 'delete' ? t('Delete the configuration?') : t('Turn off single sign-on?')}
        sentences={asked === undefined ? [] : consequencesOf(sso, asked, actor)}
        action={asked === 'delete' ? t('Delete') : t('Turn off')}
        opened={asked !== undefined}
        onClose={close}
        onConfirm={confirm}
        isPending={saving.isPending || deletion.isPending}
        error={saving.error ?? deletion.error}
      />
    </Stack>
  );
}
