import type { Clock } from './base/clock.ts';
import { deleteSharesOfMember } from './access/store.ts';
import { deleteTokensOfMember } from './credentials/deletion-store.ts';
import { deleteDisplayLinksOfMember } from './dashboards/display/store.ts';
import type { EndMembership } from './organizations/ended-membership.ts';
import { listOrganizationIdsOfUser } from './organizations/members.ts';
import { isOperatorUser } from './organizations/user-store.ts';
import { deleteProposalsOfMember } from './proposals/store.ts';
import type { ScimDependencies } from './scim/dependencies.ts';
import { endSessionsOfDeactivated } from './sessions/sessions.ts';
import { endProvisioning } from './sso/provisioning/people.ts';
import { endSignInsOfMember } from './sso/sign-in/sign-in.ts';

/**
 * Ends the sessions and tokens of a person that the directory of an organization has deactivated or deleted. Sessions that
 * aren't limited to any organization end, too, unless they open more than this one: another organization, or the server to an operator.
 */
export const endCredentials =
  (clock: Clock): ScimDependencies['endCredentials'] =>
  async (transaction, person) => {
    await deleteTokensOfMember(transaction, person);
    const organizationIds = await listOrganizationIdsOfUser(transaction, person.userId);
    const isElsewhere = organizationIds.some((id) => id !== person.organizationId);
    const alsoUnlimited = !isElsewhere && !(await isOperatorUser(transaction, person.userId));
    return endSessionsOfDeactivated(transaction, clock, { ...person, alsoUnlimited });
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
