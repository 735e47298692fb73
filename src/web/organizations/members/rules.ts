import type { Member } from '#contract/organizations/members.ts';
import { t } from '#shared/language/messages.ts';
import { mayGive, roles, type Role } from '#shared/permissions.ts';
import { reasonAgainst } from '../../ui/text/permissions.ts';

/** Describes what each role can do. */
export const roleDescriptions: Readonly<Record<Role, string>> = {
  owner: t('Has full access and can manage other owners'),
  admin: t('Manages people and single sign-on, and can do everything that editors can'),
  editor: t('Creates and edits dashboards, reports and data sources'),
  viewer: t('Views dashboards and reports'),
};

/** The facts that decide whether you can change a member. */
interface Case {
  readonly myRole: Role | undefined;
  readonly member: Pick<Member, 'role' | 'userId'>;
  readonly members: readonly Pick<Member, 'role' | 'userId'>[];
}

const isLastOwner = ({ member, members }: Case): boolean =>
  member.role === 'owner' &&
  members.every(({ role, userId }) => role !== 'owner' || userId === member.userId);

const lastOwner = t('An organization needs at least one owner. Make someone else an owner first.');

/** Returns why you can't change the role of a member or remove them; undefined when you can. */
export function reasonAgainstManaging(of: Case): string | undefined {
  const { myRole, member } = of;
  const reason = reasonAgainst('member.manage', myRole);
  if (reason !== undefined) return reason;
  if (!mayGive(myRole, member.role)) return t('Only an owner can change or remove an owner.');
  return isLastOwner(of) ? lastOwner : undefined;
}

/** Returns why you can't leave; undefined when you can. */
export const reasonAgainstLeaving = (of: Omit<Case, 'myRole'>): string | undefined =>
  isLastOwner({ ...of, myRole: of.member.role }) ? lastOwner : undefined;

/** Returns the roles that you can give, to a member if there is one already. A service account can't be an owner. */
export const rolesToGive = (
  myRole: Role | undefined,
  member?: Pick<Member, 'isServiceAccount'>,
): readonly Role[] =>
  roles.filter((role) => mayGive(myRole, role) && !(role === 'owner' && member?.isServiceAccount === true));
