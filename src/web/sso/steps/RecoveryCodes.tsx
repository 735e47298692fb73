import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { call } from '../../app/api.ts';
import { ActionButton } from '../../ui/actions/ActionButton.tsx';
import { ConfirmDialog } from '../../ui/actions/ConfirmDialog.tsx';
import { notifyError } from '../../ui/notifications/notify.ts';
import { saveFile } from '../../ui/browser/save-file.ts';
import { useOrganization } from '../../ui/server-data/session.ts';
import { printText } from '../print-text.ts';
import classes from '../sso.module.css';

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

/** Can't be closed by accident: neither Escape nor a click outside closes it, because the codes would be lost. */
function ShownCodes({
  orgId,
  codes,
  onKept,
}: {
  readonly orgId: string;
  readonly codes: readonly string[];
  readonly onKept: () => void;
}): ReactNode {
  const [isKept, setKept] = useState(false);
  const clipboard = useClipboard({ timeout: 3_000 });
  const name = useOrganization(orgId)?.name ?? '';
  const text = [
    t('Recovery codes of {name} on {host}', { name, host: location.host }),
    t('Each code signs you in once if you can’t sign in through the directory.'),
    '',
    ...codes,
    '',
  ].join('\n');
  return (
    <Modal
      opened
      onClose={onKept}
      title={t('Recovery codes')}
      size="lg"
      centered
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
    >
      <Stack>
        <Text>
          {t(
            'Each code signs you in once if you can’t sign in through the directory. Every owner creates their own. The codes are shown only now: store them in a safe place that you can reach without Atrium.',
          )}
        </Text>
        <ul className={classes['codes']} aria-label={t('Recovery codes')}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <Group gap="xs">
          <Button variant="default" onClick={() => clipboard.copy(text)}>
            {clipboard.copied ? t('Copied') : t('Copy')}
          </Button>
          <Button
            variant="default"
            onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), 'atrium-recovery-codes.txt')}
          >
            {t('Download')}
          </Button>
          <Button variant="default" onClick={() => printText(text)}>
            {t('Print')}
          </Button>
        </Group>
        <Checkbox
          label={t('I have stored the codes')}
          checked={isKept}
          onChange={(event) => setKept(event.currentTarget.checked)}
        />
        <Group justify="flex-end">
          <ActionButton
            reason={isKept ? undefined : t('Store the codes, then check the box.')}
            onClick={onKept}
          >
            {t('Done')}
          </ActionButton>
        </Group>
      </Stack>
    </Modal>
  );
}
