import { verifyDomainAsOperator } from '../sso/domains/proofs.ts';
import { required } from '../../cli/usage/usage.ts';
import type { Command } from './command.ts';

export const domainVerify: Command = {
  name: 'domain verify',
  summary: 'Marks an email domain of an organization as verified, without checking DNS.',
  options: [
    { name: 'organization', placeholder: 'ID', help: 'the organization', required: true },
    { name: 'domain', placeholder: 'DOMAIN', help: 'a domain of its SSO configuration', required: true },
  ],
  async run({ database, clock }, values) {
    const organizationId = required(values, 'organization');
    const { domain } = await verifyDomainAsOperator(database, clock, {
      organizationId,
      domain: required(values, 'domain'),
    });
    return { text: `verified: ${domain}`, data: { domain } };
  },
};
