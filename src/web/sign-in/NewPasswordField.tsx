import { PasswordInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { faultAt } from '../ui/field-faults.ts';

/** A field for a password that is being chosen, with what the server says against it. */
export function NewPasswordField({
  label,
  name,
  pointer,
  error,
}: {
  readonly label: string;
  readonly name: string;
  /** Where the password is in the body that is sent. */
  readonly pointer: '/password' | '/newPassword';
  readonly error: unknown;
}): ReactNode {
  return (
    <PasswordInput
      label={label}
      name={name}
      description="At least 12 characters. Several words that you remember are a good password."
      autoComplete="new-password"
      required
      minLength={12}
      maxLength={1024}
      error={faultAt(error, pointer)}
    />
  );
}
