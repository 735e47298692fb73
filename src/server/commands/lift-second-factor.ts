import { liftSecondFactor } from '../sessions/policy/authentication.ts';
import { UsageError, required } from '../../cli/usage/usage.ts';
import type { Command } from './command.ts';

export const liftSecondFactorCommand: Command = {
  name: 'organization lift-second-factor',
  summary:
    'Allows members to use an organization without a second factor, and to change single sign-on without confirming their identity.',
  options: [{ name: 'organization', placeholder: 'ID', help: 'the organization', required: true }],
  async run({ database, clock }, values) {
    const wasRequired = await liftSecondFactor(database, clock, required(values, 'organization'));
    if (wasRequired === undefined) throw new UsageError('There is no organization with this id.');
    return {
      text: wasRequired
        ? 'the organization no longer requires a second factor or a confirmation of SSO changes'
        : 'the organization requires neither a second factor nor a confirmation of SSO changes',
      data: { wasRequired },
    };
  },
};
