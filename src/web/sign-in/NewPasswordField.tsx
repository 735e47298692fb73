import { PasswordInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { faultAt } from '../ui/problems/field-faults.ts';

/** A field for choosing a new password; shows why the server refused one. */
export function NewPasswordField({
  label,
  name,
  pointer,
  error,
}: {
  readonly label: string;
  readonly name: string;
  /** The JSON pointer to the password in the request body. */
  readonly pointer: '/password' | '/newPassword';
  readonly error: unknown;
}): ReactNode {
  return (
    <PasswordInput
      label={label}
      name={name}
      description={t('At least 12 characters. Several words that you can remember make a good password.')}
      autoComplete="new-password"
      required
      minLength={12}
      maxLength={1024}
      error={faultAt(error, pointer)}
    />
  );
}
