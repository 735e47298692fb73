/** What every field for a password that is being chosen says and takes, as the contract does. */
export const newPassword = {
  description: 'At least 12 characters',
  autoComplete: 'new-password',
  required: true,
  minLength: 12,
  maxLength: 1024,
} as const;
