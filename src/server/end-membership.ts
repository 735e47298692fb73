import type { Clock } from './base/clock.ts';
import { deleteSharesOfMember } from './access/store.ts';
import { deleteTokensOfMember } from './credentials/deletion-store.ts';
import { deleteDisplayLinksOfMember } from './dashboards/display/store.ts';
import type { EndMembership } from './organizations/ended-membership.ts';
import { deleteProposalsOfMember } from './proposals/store.ts';
import type { ScimDependencies } from './scim/dependencies.ts';
import { endSessionsOfMember, endSessionsOfUser } from './sessions/sessions.ts';
import { endProvisioning } from './sso/provisioning/people.ts';
import { endSignInsOfMember } from './sso/sign-in/sign-in.ts';

/**
 * Ends the sessions and tokens of a person that the directory of an organization has deactivated. `isMember`: the last owner, who stays
 * a member, also in sessions that are not limited to the organization.
 */
export const endCredentials =
  (clock: Clock): ScimDependencies['endCredentials'] =>
  async (transaction, { isMember, ...person }) => {
    const count = await endSessionsOfMember(transaction, person);
    await deleteTokensOfMember(transaction, person);
    return isMember ? count + (await endSessionsOfUser(transaction, clock, person.userId)) : count;
  };

/** Ends what the features gave a former member access to. */
export const endMembership: EndMembership = async (transaction, member) => {
  await endSignInsOfMember(transaction, member);
  await endProvisioning(transaction, member);
  await deleteSharesOfMember(transaction, member);
  await deleteDisplayLinksOfMember(transaction, member);
  await deleteTokensOfMember(transaction, member);
  await deleteProposalsOfMember(transaction, member);
};
