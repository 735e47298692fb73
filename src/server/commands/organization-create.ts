import { foundOrganization } from '../organizations/organizations.ts';
import { getAccount } from './users/account.ts';
import { required } from '../../cli/usage/usage.ts';
import type { Command } from './command.ts';

export const organizationCreate: Command = {
  name: 'organization create',
  summary: 'Creates an organization with its first owner.',
  options: [
    { name: 'name', placeholder: 'NAME', help: 'the name of the organization', required: true },
    {
      name: 'owner',
      placeholder: 'ADDRESS',
      help: 'the email address of the account that becomes the owner',
      required: true,
    },
  ],
  async run({ database, clock }, values) {
    const name = required(values, 'name');
    const owner = await getAccount(database, required(values, 'owner'));
    const organization = await database.write((transaction) =>
      foundOrganization(transaction, clock, owner.id, name),
    );
    return { text: `organization: ${organization.id}`, data: { organization } };
  },
};
