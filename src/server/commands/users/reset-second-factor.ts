import { resetSecondFactors } from '../../accounts/second-factor/factors.ts';
import { required } from '../../../cli/usage/usage.ts';
import type { Command } from '../command.ts';
import { getAccount } from './account.ts';

export const userResetSecondFactor: Command = {
  name: 'user reset-second-factor',
  summary:
    'Removes the second factors and the recovery codes of an account, for a person who has lost them.\n' +
    'The account then signs in with its password only, until the person sets up a second factor again.',
  options: [
    { name: 'email', placeholder: 'ADDRESS', help: 'the email address of the account', required: true },
  ],
  async run({ database, clock }, values) {
    const user = await getAccount(database, required(values, 'email'));
    const wasSetUp = await resetSecondFactors(database, clock, user.id);
    return {
      text: wasSetUp ? `${user.email} has no second factor now` : `${user.email} had no second factor`,
      data: { user, wasSetUp },
    };
  },
};
