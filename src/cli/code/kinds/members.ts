import type { Invitation } from '#contract/organizations/invitations.ts';
import type { Member } from '#contract/organizations/members.ts';
import type { Role } from '#contract/organizations/organizations.ts';
import { CommandFailure } from '../../failure.ts';
import { membersFormat } from '../formats.ts';
import type { CodeFile } from '../names.ts';
import type { PlanContext, Section, Step } from '../plan.ts';
import { requiresConfirmation } from './confirmation.ts';

type Scope = Pick<PlanContext, 'server' | 'organizationId'>;

/** The roles of people. Service accounts belong to their server. */
export const members: Section = {
  formats: [membersFormat],

  async read(context) {
    const list = [...(await listMembers(context)).values()].map(({ email, role }) => ({ email, role }));
    return [
      { format: membersFormat, members: list.toSorted((one, other) => (one.email < other.email ? -1 : 1)) },
    ];
  },

  async plan(context, files) {
    const none = { steps: [], unchanged: 0, faults: [] };
    const file = files.find(({ document }) => document.format === membersFormat);
    if (file?.document.format !== membersFormat) return none;
    const wanted = new Map(
      file.document.members.map(({ email, role }) => [email.trim().toLowerCase(), role]),
    );
    const faults: string[] = [];
    if (wanted.size < file.document.members.length) faults.push(`${file.name}: lists an email address twice`);
    const present = await listMembers(context);
    const open = [...wanted.keys()].every((email) => present.has(email))
      ? new Map<string, Role>()
      : await listInvited(context);
    const steps: Step[] = [];
    const newAdmins: string[] = [];
    let unchanged = 0;
    for (const [email, role] of wanted) {
      const member = present.get(email);
      if (member?.role === role || open.get(email) === role) {
        unchanged += 1;
        continue;
      }
      if (role === 'owner' || member?.role === 'owner') faults.push(ownerFault(file, email));
      else if (role === 'admin' && (member !== undefined || context.invites)) newAdmins.push(email);
      steps.push(member === undefined ? invitation(context, email, role) : change(context, member, role));
    }
    if (context.prunes)
      for (const [email, member] of present)
        if (!wanted.has(email)) {
          if (member.role === 'owner') faults.push(ownerFault(file, email));
          steps.push(removal(context, member));
        }
    if (newAdmins.length > 0 && (await requiresConfirmation(context)))
      faults.push(...newAdmins.map((email) => adminFault(file, email)));
    return { steps, unchanged, faults };
  },
};

const ownerFault = ({ name }: CodeFile, email: string): string =>
  `${name}: ${email}: only an owner can make or remove an owner, after confirming their identity in the browser`;

const adminFault = ({ name }: CodeFile, email: string): string =>
  `${name}: ${email}: the organization requires a confirmation of identity before somebody becomes an admin, in the browser`;

const change = (context: PlanContext, member: Member, role: Role): Step => ({
  isDeletion: false,
  changes: [
    { kind: 'member', action: 'update', name: member.email, details: [`role: ${member.role} → ${role}`] },
  ],
  async apply() {
    await requireUnchanged(context, member);
    const params = { orgId: context.organizationId, userId: member.userId };
    const path = 'PATCH /api/organizations/{orgId}/members/{userId}';
    await context.server.client.call(path, { params, body: { role } });
  },
});

/** An invitation sends a mail, so that it is only made if it is asked for. */
function invitation({ server, organizationId, invites }: PlanContext, email: string, role: Role): Step {
  if (!invites)
    return {
      isDeletion: false,
      changes: [
        {
          kind: 'member',
          action: 'missing',
          name: email,
          details: [`Is not a member. Use --invite, or invite them as ${role} in the browser.`],
        },
      ],
    };
  return {
    isDeletion: false,
    changes: [{ kind: 'member', action: 'invite', name: email, details: [`role: ${role}`] }],
    async apply() {
      const params = { orgId: organizationId };
      await server.client.call('POST /api/organizations/{orgId}/invitations', {
        params,
        body: { email, role },
      });
    },
  };
}

const removal = (context: PlanContext, member: Member): Step => ({
  isDeletion: true,
  changes: [
    { kind: 'member', action: 'delete', name: member.email, details: ['Is removed from the organization.'] },
  ],
  async apply() {
    await requireUnchanged(context, member);
    const params = { orgId: context.organizationId, userId: member.userId };
    await context.server.client.call('DELETE /api/organizations/{orgId}/members/{userId}', { params });
  },
});

async function requireUnchanged(scope: Scope, { email, role }: Member): Promise<void> {
  if ((await listMembers(scope)).get(email)?.role !== role)
    throw new CommandFailure(
      `Others have changed the role of ${email} since the plan. Look at their change, and push again.`,
    );
}

async function listMembers({ server, organizationId }: Scope): Promise<Map<string, Member>> {
  const found = new Map<string, Member>();
  const params = { orgId: organizationId };
  for await (const member of server.client.items('GET /api/organizations/{orgId}/members', { params }))
    if (member.isServiceAccount !== true) found.set(member.email, member);
  return found;
}

async function listInvited({ server, organizationId }: Scope): Promise<Map<string, Role>> {
  const found = new Map<string, Role>();
  const params = { orgId: organizationId };
  const add = ({ email, role }: Invitation) => found.set(email, role);
  for await (const one of server.client.items('GET /api/organizations/{orgId}/invitations', { params }))
    add(one);
  return found;
}
