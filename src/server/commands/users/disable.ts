import { disableAccount, enableAccount } from '../../accounts/disabled-accounts.ts';
import { required } from '../../../cli/usage/usage.ts';
import type { Command } from '../command.ts';
import { getAccountByEmailOrId } from './account.ts';

const options = [
  {
    name: 'user',
    placeholder: 'USER',
    help: 'the email address or the id of the account; that of a directory has only an id',
    required: true,
  },
];

export const userDisable: Command = {
  name: 'user disable',
  summary: 'Ends the sessions of an account and prevents it from signing in. What belongs to it stays.',
  options,
  async run({ database, clock }, values) {
    const user = await getAccountByEmailOrId(database, required(values, 'user'));
    const endedSessions = await disableAccount(database, clock, user.id);
    return {
      text:
        endedSessions === undefined
          ? `${user.email} is already disabled`
          : `${user.email} is disabled; sessions ended: ${endedSessions}`,
      data: { user, endedSessions: endedSessions ?? 0 },
    };
  },
};

export const userEnable: Command = {
  name: 'user enable',
  summary: 'Lets a disabled account sign in again.',
  options,
  async run({ database, clock }, values) {
    const user = await getAccountByEmailOrId(database, required(values, 'user'));
    const wasDisabled = await enableAccount(database, clock, user.id);
    return { text: `${user.email} is ${wasDisabled ? 'enabled' : 'not disabled'}`, data: { user } };
  },
};
