import { Modal, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { call, type ResponseOf } from '../../../app/api.ts';
import { Form } from '../../../ui/forms/Form.tsx';
import { makePasskey } from '../../../ui/passkeys/ceremonies.ts';
import { deviceName } from '../device.ts';

/** Asks for the name of a new passkey, and makes it. */
export function AddPasskeyDialog({
  isFirst,
  onClose,
  onAdded,
}: {
  /** Whether the account has no second factor yet. */
  readonly isFirst: boolean;
  readonly onClose: () => void;
  readonly onAdded: (result: ResponseOf<'POST /api/auth/passkeys'>) => unknown;
}): ReactNode {
  const addition = useMutation({
    mutationFn: async (name: string) => {
      const credential = await makePasskey(await call('POST /api/auth/passkeys/options'));
      return call('POST /api/auth/passkeys', { body: { name, credential } });
    },
    onSuccess: onAdded,
  });
  return (
    <Modal opened onClose={onClose} title={t('Add a passkey')} centered closeOnClickOutside={false}>
      <Form
        error={addition.error}
        action={t('Continue')}
        isPending={addition.isPending}
        onCancel={onClose}
        onSubmit={(field) => addition.mutate(field('name'))}
      >
        <Text size="sm">
          {t(
            'A passkey is stored by this device, your password manager or a security key. You unlock it with a PIN, your fingerprint or your face, and it can’t be used on a fake page.',
          )}
        </Text>
        <TextInput
          label={t('Name')}
          description={t('To tell it apart from your other passkeys')}
          name="name"
          required
          maxLength={100}
          defaultValue={deviceName(navigator.userAgent)}
          data-autofocus
        />
        {isFirst && (
          <Text size="sm" c="dimmed">
            {t(
              'Your password is then no longer enough to sign in, and you’ll be signed out of your other sessions.',
            )}
          </Text>
        )}
      </Form>
    </Modal>
  );
}
