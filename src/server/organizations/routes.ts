import { listGroups as listGroupsRoute } from '#contract/organizations/groups.ts';
import * as invitationContract from '#contract/organizations/invitations.ts';
import * as memberContract from '#contract/organizations/members.ts';
import * as organizationContract from '#contract/organizations/organizations.ts';
import * as usageContract from '#contract/organizations/usage.ts';
import { pageRequest } from '../base/paging.ts';
import type { Serve } from '../http/serve.ts';
import type { CreateOnce } from '../idempotency/idempotency.ts';
import type { ReservingMailer } from '../mail/mailer.ts';
import { nameInMail } from '../mail/texts.ts';
import { listGroups } from './groups/groups.ts';
import {
  acceptInvitation,
  type AcceptanceDependencies,
  createInvitation,
  getInvitation,
  listInvitations,
  revokeInvitation,
} from './invitations/invitations.ts';
import type { EndMembership } from './ended-membership.ts';
import { changeMemberRole, listMembers, removeMember } from './members.ts';
import {
  changeOrganization,
  createOrganization,
  getOrganization,
  listOrganizations,
  type OrganizationCreationDependencies,
} from './organizations.ts';
import { listSuspendedMembers, endSuspension } from './suspension/suspension.ts';
import { getAccountUsage, getOrganizationUsage } from './usage/usage.ts';
import { findAccount } from './users.ts';

/** Dependencies of the routes for organizations, members and invitations. */
export interface OrganizationRouteDependencies
  extends OrganizationCreationDependencies, AcceptanceDependencies {
  readonly publicUrl: string;
  readonly mailer: ReservingMailer;
  readonly endMembership: EndMembership;
  readonly createOnce: CreateOnce;
}

/** The form of a group in a cursor. */
const groupKey = /^.{1,256}$/su;

/** Serves organizations, members and invitations. */
export function serveOrganizations(serve: Serve, dependencies: OrganizationRouteDependencies): void {
  const { database, clock, publicUrl, mailer, createOnce } = dependencies;
  serve(organizationContract.createOrganization, ({ actor, body }, reply) =>
    createOnce<organizationContract.Organization, organizationContract.Organization>(reply, actor, {
      create: (transaction) => createOrganization(transaction, dependencies, actor, body),
      respond: (organization) => organization,
      requireReadable: (reader, id) => getOrganization(reader, actor, id),
    }),
  );

  serve(usageContract.getOrganizationUsage, ({ actor, params }) =>
    getOrganizationUsage(database, actor, params.orgId),
  );
  serve(usageContract.getAccountUsage, async ({ actor }) => getAccountUsage(database, actor));

  serve(organizationContract.listOrganizations, ({ actor, query }) =>
    listOrganizations(database, actor, pageRequest(query)),
  );

  serve(organizationContract.getOrganization, ({ actor, params }) =>
    getOrganization(database, actor, params.orgId),
  );

  serve(organizationContract.changeOrganization, ({ actor, params, body }) =>
    changeOrganization(database, clock, actor, params.orgId, body),
  );

  serve(memberContract.listMembers, ({ actor, params, query }) =>
    listMembers(database, actor, params.orgId, pageRequest(query)),
  );

  serve(listGroupsRoute, ({ actor, params, query }) => {
    const filter = { organizationId: params.orgId, ...(query.q !== undefined && { q: query.q }) };
    return listGroups(database, actor, filter, pageRequest(query, groupKey));
  });

  serve(memberContract.changeMemberRole, ({ actor, params, body }) =>
    changeMemberRole(database, clock, actor, {
      organizationId: params.orgId,
      userId: params.userId,
      role: body.role,
    }),
  );

  serve(memberContract.listSuspendedMembers, ({ actor, params, query }) =>
    listSuspendedMembers(database, actor, params.orgId, pageRequest(query)),
  );

  serve(memberContract.endSuspension, async ({ actor, params }) => {
    const { orgId: organizationId, userId } = params;
    await endSuspension(dependencies, actor, { organizationId, userId });
    return undefined;
  });

  serve(memberContract.removeMember, async ({ actor, params }) => {
    await removeMember(dependencies, actor, { organizationId: params.orgId, userId: params.userId });
    return undefined;
  });

  serve(invitationContract.createInvitation, async ({ actor, params, body }) => {
    const input = { organizationId: params.orgId, email: body.email, role: body.role };
    const { invitation, token, organizationName, reservation } = await createInvitation(
      dependencies,
      actor,
      input,
    );
    // After `#`, the token never reaches a server's log.
    const link = `${publicUrl}/invitation#${token}`;
    // Only people who can read the address's email may join. With a mail server, nobody else ever sees the link.
    if (reservation === undefined) return { ...invitation, link, mailed: false };
    const text =
      `You are invited to join the organization “${nameInMail(organizationName)}” on Atrium as ${invitation.role}.\n\n` +
      `Accept here, within seven days:\n${link}\n\nAfterwards, sign in at:\n${publicUrl}/sign-in\n\n` +
      'If you don’t know who invites you, ignore this email.\n';
    const delivery = await mailer.sendReserved(reservation, text);
    if (delivery.isSent) return { ...invitation, mailed: true };
    const mailFailure = `The email could not be sent: ${delivery.reason}. The invitation stays open: send it again.`;
    return { ...invitation, mailed: false, mailFailure };
  });

  serve(invitationContract.listInvitations, ({ actor, params, query }) =>
    listInvitations(database, clock, actor, params.orgId, pageRequest(query)),
  );

  serve(invitationContract.revokeInvitation, async ({ actor, params }) => {
    await revokeInvitation(database, clock, actor, {
      organizationId: params.orgId,
      invitationId: params.invitationId,
    });
    return undefined;
  });

  serve(invitationContract.readInvitation, async ({ body }) => {
    const invitation = await getInvitation(database, clock, body.token);
    const { email, role, organizationName, logoId, expiresAt } = invitation;
    const account = await findAccount(database, email);
    const shown = { email, role, organizationName, ...(logoId !== null && { logoId }), expiresAt };
    return { ...shown, hasAccount: account !== undefined };
  });

  serve(invitationContract.acceptInvitation, ({ actor, body }) =>
    acceptInvitation(dependencies, actor, body.token),
  );
}
