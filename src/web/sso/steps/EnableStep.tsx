import { Group, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Failure } from '../../ui/problems/Failure.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { bodyOf } from '../connection/connection.ts';
import { consequencesOf, lockOutReason } from './consequences.ts';
import type { Sso } from '../sso-queries.ts';
import { blockingReasons, listed, provenDomains } from '../status-words.ts';
import { TurnOnButton } from './TurnOnButton.tsx';
import { useDoer } from '../use-doer.ts';
import { useDeletion, useSaving } from '../connection/use-saving.ts';

/** Turns it on, off, or takes it away; what ends by that is said before. */
export function EnableStep({ sso, isTested }: { readonly sso: Sso; readonly isTested: boolean }): ReactNode {
  const { orgId, status, configuration } = sso;
  const doer = useDoer(orgId);
  const [asked, setAsked] = useState<'turn off' | 'delete'>();
  const saving = useSaving(orgId);
  const deletion = useDeletion(orgId);
  const proven = provenDomains(status);
  const isOn = configuration?.enabled === true;
  const isReady = blockingReasons(status).length === 0;
  const close = () => setAsked(undefined);
  const confirm = () => {
    if (configuration === undefined) return;
    if (asked === 'delete') deletion.mutate(undefined, { onSuccess: () => done('deleted') });
    else saving.mutate({ body: bodyOf(configuration, { enabled: false }) }, { onSuccess: () => done('off') });
  };
  const done = (word: string) => {
    close();
    notifyDone(`Single sign-on is ${word}.`);
  };
  const begin = (change: 'turn off' | 'delete') => {
    saving.reset();
    deletion.reset();
    setAsked(change);
  };
  const lockedOut = lockOutReason(sso, doer);
  return (
    <Stack>
      <Text size="sm">
        {isOn
          ? `It is on. People of ${listed(proven) || 'proven domains'} are led to the directory when they sign in by email.`
          : isReady
            ? `People of ${listed(proven)} are then led to the directory when they sign in by email. Passwords go on working${
                isTested ? '.' : ', but test a sign-in first.'
              }`
            : 'It can be turned on once people can come in.'}
      </Text>
      <Group>
        {isOn ? (
          <ActionButton variant="default" reason={lockedOut} onClick={() => begin('turn off')}>
            Turn off…
          </ActionButton>
        ) : (
          <TurnOnButton sso={sso} />
        )}
        <ActionButton
          variant="subtle"
          color="red"
          reason={configuration === undefined ? 'Nothing is stored.' : isOn ? lockedOut : undefined}
          onClick={() => begin('delete')}
        >
          Delete the configuration…
        </ActionButton>
      </Group>
      {saving.error !== null && asked === undefined && <Failure error={saving.error} />}
      <ConfirmDialog
        title={asked === 'delete' ? 'Delete the configuration?' : 'Turn single sign-on off?'}
        sentences={asked === undefined ? [] : consequencesOf(sso, asked, doer)}
        action={asked === 'delete' ? 'Delete' : 'Turn off'}
        opened={asked !== undefined}
        onClose={close}
        onConfirm={confirm}
        isPending={saving.isPending || deletion.isPending}
        error={saving.error ?? deletion.error}
      />
    </Stack>
  );
}
