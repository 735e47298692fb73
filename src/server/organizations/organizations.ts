import type { Organization, OrganizationChange } from '#contract/organizations/organizations.ts';
import type { Fault } from '#contract/problem.ts';
import type { Calendar } from '#shared/dates/days.ts';
import { defaultTimeZone, isTimeZone } from '#shared/dates/time-zones.ts';
import { defaultBranding, type Branding } from '#shared/branding/branding.ts';
import { isCurrency } from '#shared/region/currencies.ts';
import { defaultRegion, type Region } from '#shared/region/region.ts';
import { recordAudit } from '../audit/audit.ts';
import { requireFullScope, type Actor } from '../base/actor.ts';
import { timestamp, type Clock } from '../base/clock.ts';
import { AtriumError, invalidBody, invalidFaults, notFound } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { toPage, type Page, type PageRequest } from '../base/paging.ts';
import type { OrganizationCreation } from '../settings/table.ts';
import type { Database, Reader, Transaction } from '../storage/database.ts';
import { insertMember } from './member-store.ts';
import { listOrganizationIds, requirePermission, requirePermissionToChange } from './authorization.ts';
import { isOperator } from './operators.ts';
import { lockAccount } from './users.ts';
import {
  countOwned,
  findOrganization,
  findAppearance,
  findRequireSso,
  findTimes,
  insertOrganization,
  selectOrganizations,
  selectOrganizationsNamed,
  updateOrganization,
  updateRequireSso,
} from './store.ts';

/** Dependencies of creating an organization. */
export interface OrganizationCreationDependencies {
  readonly clock: Clock;
  readonly organizationCreation: OrganizationCreation;
  /** How many organizations a person who creates one may own, with those in the trash. */
  readonly maxOwnedOrganizations: number;
}

/** More than anyone needs, and few enough that a list across all of them stays fast. */
const maxOrganizations = 200;

/** Whether the actor may create organizations in this session. */
export const mayCreateOrganizations = async (
  reader: Reader,
  actor: Actor,
  creation: OrganizationCreation,
): Promise<boolean> =>
  actor.scope === 'all' && (creation === 'everyone' || (await isOperator(reader, actor)));

/**
 * Creates an organization; the actor becomes its owner. Throws `forbidden` if the actor may not create organizations,
 * or is a member of 200, `quota_exceeded` if the actor owns as many as a person may, and `unauthenticated` if the account was deleted or disabled since the request began.
 */
export async function createOrganization(
  transaction: Transaction,
  { clock, organizationCreation, maxOwnedOrganizations }: OrganizationCreationDependencies,
  actor: Actor,
  input: { name: string },
): Promise<Organization> {
  requireFullScope(actor, 'Sign in with your password to create another organization.');
  // Nobody could manage the organization of an account that is being deleted.
  if ((await lockAccount(transaction, actor.userId)).disabledAt !== null) throw accountEnded();
  if (!(await mayCreateOrganizations(transaction, actor, organizationCreation))) {
    throw new AtriumError(
      'forbidden',
      'Only operators of this server can create organizations. Ask an operator to create one and invite you.',
    );
  }
  if ((await listOrganizationIds(transaction, actor)).length >= maxOrganizations) {
    throw new AtriumError(
      'forbidden',
      `You are a member of ${maxOrganizations} organizations, which is the maximum.`,
    );
  }
  // The lock of the account makes others that the actor creates at the same time wait.
  if ((await countOwned(transaction, actor.userId)) >= maxOwnedOrganizations)
    throw tooManyOwned(maxOwnedOrganizations);
  return foundOrganization(transaction, clock, actor.userId, input.name);
}

const tooManyOwned = (limit: number): AtriumError =>
  new AtriumError(
    'quota_exceeded',
    `You own ${limit} organizations, with those in the trash, which is the limit of this server. Delete one that is no longer needed, or ask the operator of the server to raise the limit.`,
    { extension: { quota: 'organizations', limit } },
  );

const accountEnded = (): AtriumError =>
  new AtriumError('unauthenticated', 'The account of this session was just deleted or disabled.');

/** Creates an organization with its first owner. */
export async function foundOrganization(
  transaction: Transaction,
  clock: Clock,
  ownerId: string,
  name: string,
): Promise<Organization> {
  const at = timestamp(clock());
  const id = newId();
  const organization = {
    id,
    name,
    timeZone: defaultTimeZone,
    weekStart: 'monday',
    ...defaultRegion,
    ...newBranding(),
  } as const;
  await insertOrganization(transaction, { ...organization, at });
  await insertMember(transaction, { organizationId: id, userId: ownerId, role: 'owner', at, by: ownerId });
  await recordAudit(transaction, clock, {
    organizationId: id,
    action: 'organization.created',
    actor: { userId: ownerId },
    details: { name },
  });
  return { ...organization, role: 'owner', createdAt: at, updatedAt: at };
}

/** Returns an organization of the actor. Throws `not_found` for any other, and `sso_required`. */
export async function getOrganization(
  reader: Reader,
  actor: Actor,
  organizationId: string,
): Promise<Organization> {
  await requirePermission(reader, actor, organizationId, 'organization.view');
  const organization = await findOrganization(reader, organizationId, actor.userId);
  if (organization === undefined) throw notFound();
  return organization;
}

/** Returns the name of an organization that a user is a member of, or undefined. */
export const findOrganizationName = async (
  reader: Reader,
  organizationId: string,
  userId: string,
): Promise<string | undefined> => (await findOrganization(reader, organizationId, userId))?.name;

/** Returns whether members must sign in through the directory; undefined for an unknown organization. */
export const findSsoRequirement = (reader: Reader, organizationId: string): Promise<boolean | undefined> =>
  findRequireSso(reader, organizationId);

/** Returns what relative dates depend on in an organization; in UTC with weeks from Monday if it is undefined or unknown. */
export async function getCalendar(
  reader: Reader,
  clock: Clock,
  organizationId: string | undefined,
): Promise<Calendar> {
  const times = organizationId === undefined ? undefined : await findTimes(reader, organizationId);
  return { now: clock(), ...(times ?? { timeZone: defaultTimeZone, weekStart: 'monday' }) };
}

/** Returns how an organization writes values, and its colors; the defaults if it is undefined or unknown. */
export async function getAppearance(
  reader: Reader,
  organizationId: string | undefined,
): Promise<{ region: Region; branding: Branding }> {
  const found = organizationId === undefined ? undefined : await findAppearance(reader, organizationId);
  return found ?? { region: defaultRegion, branding: defaultBranding };
}

/** Whether an organization with this id exists. */
export const isOrganization = async (reader: Reader, organizationId: string): Promise<boolean> =>
  (await findRequireSso(reader, organizationId)) !== undefined;

/** Returns the ids of the organizations with this id or name, for the operator. */
export const findOrganizationsNamed = (reader: Reader, text: string): Promise<string[]> =>
  selectOrganizationsNamed(reader, text);

/** Turns the SSO requirement on or off. The caller has checked that this is allowed. */
export async function setSsoRequirement(
  transaction: Transaction,
  organizationId: string,
  requireSso: boolean,
): Promise<void> {
  await updateRequireSso(transaction, organizationId, requireSso);
}

/** Lists the organizations in the actor's scope. */
export async function listOrganizations(
  reader: Reader,
  actor: Actor,
  page: PageRequest,
): Promise<Page<Organization>> {
  if (actor.scope !== 'all') {
    const only = await findOrganization(reader, actor.scope.organizationId, actor.userId);
    return { items: only === undefined ? [] : [only] };
  }
  const rows = await selectOrganizations(reader, actor.userId, page);
  return toPage(rows, ({ id }) => id);
}

/** Changes the name, the regional settings or the colors of an organization. Owner or admin. */
export function changeOrganization(
  database: Database,
  clock: Clock,
  actor: Actor,
  organizationId: string,
  { name, accentColor, chartColors, ...region }: OrganizationChange,
): Promise<Organization> {
  return database.write(async (transaction) => {
    await requirePermissionToChange(transaction, actor, organizationId, 'organization.change');
    checkRegion(region);
    const isRegionGiven = Object.values(region).some((value) => value !== undefined);
    const isBrandingGiven = accentColor !== undefined || chartColors !== undefined;
    if (name === undefined && !isRegionGiven && !isBrandingGiven) throw nothingToChange();
    const before = await getOrganization(transaction, actor, organizationId);
    const branding = {
      accentColor: accentColor ?? before.accentColor,
      chartColors: chartColors ?? before.chartColors,
    };
    const details = {
      timeZone: region.timeZone ?? before.timeZone,
      weekStart: region.weekStart ?? before.weekStart,
      locale: region.locale ?? before.locale,
      currency: region.currency ?? before.currency,
    };
    const after = { id: organizationId, name: name ?? before.name, ...details, ...branding };
    await updateOrganization(transaction, { ...after, at: timestamp(clock()) });
    if (name !== undefined) {
      const entry = { organizationId, action: 'organization.renamed', actor, details: { name } } as const;
      await recordAudit(transaction, clock, entry);
    }
    if (isRegionGiven) {
      const entry = { organizationId, action: 'organization.calendar_changed', actor, details } as const;
      await recordAudit(transaction, clock, entry);
    }
    if (isBrandingGiven) {
      const entry = {
        organizationId,
        action: 'organization.colors_changed',
        actor,
        details: branding,
      } as const;
      await recordAudit(transaction, clock, entry);
    }
    return getOrganization(transaction, actor, organizationId);
  });
}

const newBranding = (): Pick<Organization, 'accentColor' | 'chartColors'> => ({
  ...defaultBranding,
  chartColors: [...defaultBranding.chartColors],
});

/** Throws an error that names every invalid member. */
function checkRegion({ timeZone, currency }: OrganizationChange): void {
  const faults: Fault[] = [];
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    const message = `“${timeZone}” is not the name of a time zone, such as Europe/Berlin`;
    faults.push({ pointer: '/timeZone', code: 'time_zone', message });
  }
  if (currency !== undefined && !isCurrency(currency)) {
    const message = `“${currency}” is not the code of a currency, such as EUR`;
    faults.push({ pointer: '/currency', code: 'currency', message });
  }
  if (faults.length > 0) throw invalidFaults(faults);
}

const nothingToChange = (): AtriumError =>
  invalidBody({
    pointer: '',
    code: 'required',
    message: 'must have at least one member that can be changed, such as a name',
  });
