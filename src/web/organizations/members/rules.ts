import type { Member } from '#contract/organizations/members.ts';
import type { Role } from '#contract/organizations/organizations.ts';

/** The roles, the most powerful first, with what each may do. */
export const roleWords: Readonly<Record<Role, string>> = {
  owner: 'Everything, and the other owners too',
  admin: 'People, single sign-on and all that editors do',
  editor: 'Create and change dashboards, reports and data',
  viewer: 'Look at dashboards and reports',
};
const roleNames = Object.keys(roleWords) as readonly Role[];

/** Who acts, and on whom: what the rules of membership look at. */
interface Case {
  readonly myRole: Role | undefined;
  readonly member: Pick<Member, 'role' | 'userId'>;
  readonly members: readonly Pick<Member, 'role' | 'userId'>[];
}

const isLastOwner = ({ member, members }: Case): boolean =>
  member.role === 'owner' &&
  members.every(({ role, userId }) => role !== 'owner' || userId === member.userId);

const lastOwner = 'An organization keeps at least one owner: make somebody else an owner first.';

/** Why you may not change the role of a member; undefined when you may. */
export function reasonAgainstRoleChange(of: Case): string | undefined {
  const { myRole, member } = of;
  if (myRole !== 'owner' && myRole !== 'admin') return 'Owners and admins change roles.';
  if (myRole !== 'owner' && member.role === 'owner') return 'Only an owner changes the role of an owner.';
  return isLastOwner(of) ? lastOwner : undefined;
}

/** Why you may not remove a member; undefined when you may. */
export function reasonAgainstRemoval(of: Case): string | undefined {
  const { myRole, member } = of;
  if (myRole !== 'owner' && myRole !== 'admin') return 'Owners and admins remove members.';
  if (myRole !== 'owner' && member.role === 'owner') return 'Only an owner removes an owner.';
  return isLastOwner(of) ? lastOwner : undefined;
}

/** Why you may not leave; undefined when you may. */
export const reasonAgainstLeaving = (of: Omit<Case, 'myRole'>): string | undefined =>
  isLastOwner({ ...of, myRole: of.member.role }) ? lastOwner : undefined;

/** The roles that you may give. */
export const rolesToGive = (myRole: Role | undefined): readonly Role[] =>
  myRole === 'owner' ? roleNames : roleNames.filter((role) => role !== 'owner');
