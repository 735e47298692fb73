import { listAccounts } from '../../organizations/users.ts';
import { printable } from '../../../cli/usage/printable.ts';
import type { Command } from '../command.ts';

export const userList: Command = {
  name: 'user list',
  summary: 'Lists the accounts of the server, sorted by email address.',
  options: [],
  async run({ database }) {
    const accounts = (await listAccounts(database)).map((account) => ({
      id: account.id,
      email: account.email,
      name: account.name,
      createdAt: account.createdAt,
      hasPassword: account.passwordHash !== null,
      isOperator: account.isOperator === 1,
      ...(account.organizationId !== null && { directoryOf: account.organizationId }),
      ...(account.disabledAt !== null && { disabledAt: account.disabledAt }),
    }));
    const lines = accounts.map((account) => {
      const notes = [
        ...(account.isOperator ? ['operator'] : []),
        ...(account.directoryOf === undefined
          ? []
          : [`from the directory of organization ${account.directoryOf}`]),
        ...(account.disabledAt === undefined ? [] : [`disabled since ${account.disabledAt}`]),
      ];
      return [account.id, account.email, account.name, notes.join(', ')].map(printable).join('  ').trimEnd();
    });
    return { text: lines.length === 0 ? 'no accounts' : lines.join('\n'), data: { items: accounts } };
  },
};
