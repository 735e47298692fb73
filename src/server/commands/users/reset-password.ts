import { createPasswordReset, resetLink } from '../../accounts/password-reset/password-reset.ts';
import { required } from '../../../cli/usage/usage.ts';
import type { Command } from '../command.ts';
import { getAccount } from './account.ts';

export const userResetPassword: Command = {
  name: 'user reset-password',
  summary: 'Prints a link for choosing a new password. It works once and expires after an hour.',
  options: [
    { name: 'email', placeholder: 'ADDRESS', help: 'the email address of the account', required: true },
  ],
  async run({ database, clock, publicUrl }, values) {
    const { id } = await getAccount(database, required(values, 'email'));
    const token = await database.write((transaction) => createPasswordReset(transaction, clock, id));
    const link = resetLink(publicUrl, token);
    return { text: link, data: { link } };
  },
};
