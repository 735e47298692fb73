import { hashPassword } from '../../accounts/passwords.ts';
import { findPasswordFault } from '../../base/credentials/new-password.ts';
import { newToken } from '../../base/credentials/tokens.ts';
import { createUser, requireEmail } from '../../organizations/users.ts';
import { required, UsageError } from '../../../cli/usage/usage.ts';
import type { Command } from '../command.ts';

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
      name: 'password-stdin',
      placeholder: '',
      help:
        'reads the password from standard input: 12 to 1,024 characters, not a common password; by default, one is ' +
        'generated and printed',
      required: false,
    },
  ],
  async run({ database, clock, readInput }, values) {
    const email = requireEmail(required(values, 'email'));
    const isGenerated = values['password-stdin'] === undefined;
    const password = isGenerated ? newToken() : toPassword(await readInput());
    const fault = await findPasswordFault(password, email);
    if (fault !== undefined) throw new UsageError(`The password ${fault.message}.`);
    const passwordHash = await hashPassword(password);
    const user = await database.write((transaction) =>
      createUser(transaction, clock, { email, name: values['name'] ?? email, passwordHash }),
    );
    return {
      text: `user: ${user.id}\nemail: ${user.email}${isGenerated ? `\npassword: ${password}` : ''}`,
      data: { user, ...(isGenerated && { password }) },
    };
  },
};

/** The last line end isn't part of the password: `echo` writes one. */
const toPassword = (input: Buffer): string => input.toString('utf8').replace(/\r?\n$/, '');
