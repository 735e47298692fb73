import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { ActionButton } from '../../ui/actions/ActionButton.tsx';
import { Failure } from '../../ui/problems/Failure.tsx';
import { notifyDone } from '../../ui/notifications/notify.ts';
import { bodyOf } from '../connection/connection.ts';
import type { Sso } from '../queries.ts';
import { blockingReasons } from '../status-message.ts';
import { useSaving } from '../connection/use-saving.ts';

/** Turns on single sign-on, as soon as the configuration is complete. */
export function TurnOnButton({
  sso: { orgId, connectionId, status, configuration },
  onDone,
}: {
  readonly sso: Pick<Sso, 'orgId' | 'connectionId' | 'status' | 'configuration'>;
  readonly onDone?: () => void;
}): ReactNode {
  const saving = useSaving({ orgId, connectionId }, () => {
    notifyDone(t('Single sign-on is on.'));
    onDone?.();
  });
  const [missing] = blockingReasons(status);
  const turnOn = () => {
    if (configuration === undefined) return;
    saving.mutate({ body: bodyOf(configuration, { enabled: true }) });
  };
  return (
    <Stack align="flex-start">
      <ActionButton
        loading={saving.isPending}
        reason={missing && `${missing.message} ${missing.remedy}`}
        onClick={turnOn}
      >
        {t('Turn on')}
      </ActionButton>
      {saving.error !== null && <Failure error={saving.error} />}
    </Stack>
  );
}
