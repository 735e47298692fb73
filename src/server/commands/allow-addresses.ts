import { allowAllAddresses } from '../sessions/policy/policy.ts';
import { UsageError, required } from '../../cli/usage/usage.ts';
import type { Command } from './command.ts';

export const allowAddresses: Command = {
  name: 'organization allow-addresses',
  summary: 'Allows members to use an organization from any address again.',
  options: [{ name: 'organization', placeholder: 'ID', help: 'the organization', required: true }],
  async run({ database, clock }, values) {
    const wasRestricted = await allowAllAddresses(database, clock, required(values, 'organization'));
    if (wasRestricted === undefined) throw new UsageError('There is no organization with this id.');
    return {
      text: wasRestricted
        ? 'members can use it from any address again'
        : 'members can already use it from any address',
      data: { wasRestricted },
    };
  },
};
