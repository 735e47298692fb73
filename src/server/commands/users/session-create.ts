import { startRecordedSession } from '../../sessions/recorded-session.ts';
import { getAccount } from './account.ts';
import { required } from '../../../cli/usage/usage.ts';
import type { Command } from '../command.ts';

export const sessionCreate: Command = {
  name: 'session create',
  summary:
    'Starts a session for an account and prints its token, the value of the cookie auth.session_token.',
  options: [
    { name: 'email', placeholder: 'ADDRESS', help: 'the email address of the account', required: true },
  ],
  async run({ database, clock }, values) {
    const user = await getAccount(database, required(values, 'email'));
    const { token } = await database.write((transaction) =>
      startRecordedSession(transaction, clock, user, { method: 'operator' }),
    );
    return { text: token, data: { token } };
  },
};
