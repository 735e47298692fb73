import { unlockOrganization } from '../sso/configuration/policies.ts';
import { required, UsageError, type Command } from './command.ts';

export const ssoUnlock: Command = {
  name: 'sso unlock',
  summary: 'Lets the members of an organization that requires SSO sign in by password again.',
  options: [{ name: 'organization', placeholder: 'ID', help: 'the organization', required: true }],
  async run({ database, clock }, values) {
    const before = await unlockOrganization(database, clock, required(values, 'organization'));
    if (before === undefined) throw new UsageError('There is no such organization.');
    return before ? 'passwords are taken again' : 'passwords were taken already';
  },
};
