import { unlockOrganization } from '../sso/configuration/policies.ts';
import { required, UsageError } from '../../cli/usage/usage.ts';
import type { Command } from './command.ts';

export const ssoUnlock: Command = {
  name: 'sso unlock',
  summary: 'Allows the members of an organization that requires SSO to sign in with a password again.',
  options: [{ name: 'organization', placeholder: 'ID', help: 'the organization', required: true }],
  async run({ database, clock }, values) {
    const before = await unlockOrganization(database, clock, required(values, 'organization'));
    if (before === undefined) throw new UsageError('There is no organization with this id.');
    return {
      text: before
        ? 'members can sign in with a password again'
        : 'members can already sign in with a password',
      data: { wasRequired: before },
    };
  },
};
