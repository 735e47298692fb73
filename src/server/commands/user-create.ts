import { findPasswordFault } from '../base/new-password.ts';
import { newToken } from '../base/tokens.ts';
import { createUser, requireEmail } from '../organizations/users.ts';
import { hashPassword } from '../accounts/passwords.ts';
import { UsageError, required, type Command } from './command.ts';

export const userCreate: Command = {
  name: 'user create',
  summary: 'Creates an account that signs in with email and password.',
  options: [
    { name: 'email', placeholder: 'ADDRESS', help: 'the email address to sign in with', required: true },
    {
      name: 'name',
      placeholder: 'NAME',
      help: 'the name of the person; by default, the email address',
      required: false,
    },
    {
      name: 'password',
      placeholder: 'PASSWORD',
      help: '12 to 1,024 characters, not a common password; by default, one is generated and printed',
      required: false,
    },
  ],
  async run({ database, clock }, values) {
    const email = requireEmail(required(values, 'email'));
    const password = values['password'] ?? newToken();
    const fault = await findPasswordFault(password, email);
    if (fault !== undefined) throw new UsageError(`--password ${fault.message}.`);
    const passwordHash = await hashPassword(password);
    const user = await database.write((transaction) =>
      createUser(transaction, clock, { email, name: values['name'] ?? email, passwordHash }),
    );
    const generated = values['password'] === undefined ? `\npassword: ${password}` : '';
    return `user: ${user.id}\nemail: ${user.email}${generated}`;
  },
};
