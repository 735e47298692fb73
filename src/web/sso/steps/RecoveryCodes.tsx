import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { call } from '../../app/api.ts';
import { ActionButton } from '../../ui/actions/ActionButton.tsx';
import { ConfirmDialog } from '../../ui/actions/ConfirmDialog.tsx';
import { notifyError } from '../../ui/notifications/notify.ts';
import { RecoveryCodesDialog } from '../../ui/codes/RecoveryCodesDialog.tsx';
import { useOrganization } from '../../ui/server-data/session.ts';

/** Creates recovery codes, and shows them once, until their owner confirms having stored them. */
export function RecoveryCodes({
  orgId,
  codesLeft,
  reason,
}: {
  readonly orgId: string;
  readonly codesLeft: number;
  readonly reason: string | undefined;
}): ReactNode {
  const client = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  const creation = useMutation({
    mutationFn: () => call('POST /api/sso/orgs/{orgId}/recovery-codes', { params: { orgId } }),
    onSuccess: () => setAsked(false),
    onError: notifyError,
    onSettled: () => client.invalidateQueries({ queryKey: ['sso', orgId] }),
  });
  return (
    <>
      <ActionButton
        variant="default"
        reason={reason}
        loading={creation.isPending}
        onClick={() => (codesLeft > 0 ? setAsked(true) : creation.mutate())}
      >
        {codesLeft > 0 ? t('Replace your recovery codes…') : t('Create recovery codes')}
      </ActionButton>
      <ConfirmDialog
        title={t('Replace your recovery codes?')}
        sentences={[
          t('Your unused codes ({codesLeft}) stop working immediately. Other owners’ codes keep working.', {
            codesLeft,
          }),
        ]}
        action={t('Replace')}
        opened={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={() => creation.mutate()}
        isPending={creation.isPending}
      />
      {creation.data !== undefined && (
        <ShownCodes orgId={orgId} codes={creation.data.items} onKept={() => creation.reset()} />
      )}
    </>
  );
}

function ShownCodes({
  orgId,
  codes,
  onKept,
}: {
  readonly orgId: string;
  readonly codes: readonly string[];
  readonly onKept: () => void;
}): ReactNode {
  const name = useOrganization(orgId)?.name ?? '';
  return (
    <RecoveryCodesDialog
      description={t(
        'Each code signs you in once if you can’t sign in through the directory. Every owner creates their own. The codes are shown only now: store them in a safe place that you can reach without Atrium.',
      )}
      heading={[
        t('Recovery codes of {name} on {host}', { name, host: location.host }),
        t('Each code signs you in once if you can’t sign in through the directory.'),
      ]}
      codes={codes}
      onKept={onKept}
    />
  );
}
