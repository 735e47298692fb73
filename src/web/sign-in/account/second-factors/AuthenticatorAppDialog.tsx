import { Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { QRCodeSVG } from 'qrcode.react';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { call, type ResponseOf } from '../../../app/api.ts';
import { CopyField } from '../../../ui/forms/CopyField.tsx';
import { Form } from '../../../ui/forms/Form.tsx';
import classes from './AuthenticatorAppDialog.module.css';

/** Shows the secret of a new authenticator app as a QR code, and asks for the first code from the app. */
export function AuthenticatorAppDialog({
  app: { secret, uri },
  isFirst,
  onClose,
  onConfirmed,
}: {
  readonly app: ResponseOf<'POST /api/auth/authenticator-app'>;
  /** Whether the account has no second factor yet. */
  readonly isFirst: boolean;
  readonly onClose: () => void;
  readonly onConfirmed: (result: ResponseOf<'POST /api/auth/authenticator-app/confirm'>) => unknown;
}): ReactNode {
  const confirmation = useMutation({
    mutationFn: (code: string) => call('POST /api/auth/authenticator-app/confirm', { body: { code } }),
    onSuccess: onConfirmed,
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('Set up an authenticator app')}
      centered
      closeOnClickOutside={false}
    >
      <Form
        error={confirmation.error}
        action={t('Set up')}
        isPending={confirmation.isPending}
        onCancel={onClose}
        onSubmit={(field) => confirmation.mutate(field('code'))}
      >
        <Text size="sm">
          {t(
            'Scan the QR code with an app for one-time passwords, such as one that stores your passwords. Then enter the code that the app shows.',
          )}
        </Text>
        <Stack align="center">
          {/* Black on white in both themes: some cameras don't recognize the inverse. */}
          <QRCodeSVG value={uri} size={200} marginSize={4} title={t('QR code')} className={classes['code']} />
        </Stack>
        <CopyField label={t('Setup key, if you can’t scan the code')} value={secret} />
        <TextInput
          label={t('Code from the app')}
          name="code"
          required
          autoComplete="one-time-code"
          inputMode="numeric"
          placeholder="123456"
          data-autofocus
        />
        {isFirst && (
          <Text size="sm" c="dimmed">
            {t('You’ll be signed out of your other sessions.')}
          </Text>
        )}
      </Form>
    </Modal>
  );
}
