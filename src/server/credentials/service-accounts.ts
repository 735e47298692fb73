import type { ServiceAccount, ServiceAccountInput } from '#contract/credentials/service-accounts.ts';
import type { NewToken, TokenInput } from '#contract/credentials/tokens.ts';
import { recordAudit } from '../audit/audit.ts';
import type { Actor, SessionActor } from '../base/actor.ts';
import type { Clock } from '../base/clock.ts';
import { requireConfirmation } from '../base/credentials/confirmation.ts';
import { AtriumError, notFound } from '../base/errors.ts';
import { mapRows, type Page, type PageRequest, toPage } from '../base/paging.ts';
import { requirePermission, requirePermissionToChange } from '../organizations/authorization.ts';
import { addServiceAccount } from '../organizations/members.ts';
import { getUser, renameUser } from '../organizations/users.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { selectServiceAccounts } from './service-accounts-store.ts';
import { issueToken, type CredentialDependencies } from './tokens.ts';

/** More than anyone needs, and few enough for a list. */
const maxServiceAccounts = 50;

/** Sound because nothing makes a service account an owner. */
const toServiceAccount = (
  row: Awaited<ReturnType<typeof selectServiceAccounts>>['rows'][number],
): ServiceAccount => row as ServiceAccount;

/** Lists the service accounts of an organization. Requires permission to manage members. */
export async function listServiceAccounts(
  reader: Reader,
  actor: Actor,
  organizationId: string,
  page: PageRequest,
): Promise<Page<ServiceAccount>> {
  await requirePermission(reader, actor, organizationId, 'member.manage');
  const rows = await selectServiceAccounts(reader, organizationId, page);
  return toPage(mapRows(rows, toServiceAccount), ({ id }) => id);
}

/**
 * Creates a service account in a transaction. Requires permission to manage members and a recent confirmation. Throws
 * `too_many_tokens`.
 */
export async function createServiceAccount(
  transaction: Transaction,
  clock: Clock,
  actor: SessionActor,
  organizationId: string,
  { name, role }: ServiceAccountInput,
): Promise<ServiceAccount> {
  await requirePermissionToChange(transaction, actor, organizationId, 'member.manage');
  requireConfirmation(actor, clock);
  const known = await selectServiceAccounts(transaction, organizationId, {
    limit: maxServiceAccounts,
    after: undefined,
  });
  if (known.hasMore || known.rows.length >= maxServiceAccounts) {
    throw new AtriumError(
      'too_many_tokens',
      `An organization can have up to ${maxServiceAccounts} service accounts.`,
    );
  }
  const { id, createdAt } = await addServiceAccount(transaction, clock, {
    organizationId,
    name,
    role,
    createdBy: actor.userId,
  });
  await recordAudit(transaction, clock, {
    organizationId,
    action: 'service_account.created',
    actor,
    details: { userId: id, name, role },
  });
  return { id, name, role, createdAt, createdBy: actor.userId };
}

/** Renames a service account. Requires permission to manage members. Throws `not_found`. */
export function renameServiceAccount(
  { database, clock }: CredentialDependencies,
  actor: Actor,
  { organizationId, userId }: { readonly organizationId: string; readonly userId: string },
  name: string,
): Promise<ServiceAccount> {
  return database.write(async (transaction) => {
    await requirePermissionToChange(transaction, actor, organizationId, 'member.manage');
    const account = await getServiceAccount(transaction, organizationId, userId);
    if (account.name === name) return account;
    await renameUser(transaction, clock, await getUser(transaction, userId), name);
    const details = { userId, before: account.name, after: name };
    await recordAudit(transaction, clock, {
      organizationId,
      action: 'service_account.renamed',
      actor,
      details,
    });
    return { ...account, name };
  });
}

/** Returns a service account of an organization. Throws `not_found`. */
export async function getServiceAccount(
  reader: Reader,
  organizationId: string,
  userId: string,
): Promise<ServiceAccount> {
  const all = await selectServiceAccounts(reader, organizationId, {
    limit: maxServiceAccounts,
    after: undefined,
  });
  const found = all.rows.find(({ id }) => id === userId);
  if (found === undefined) throw notFound();
  return toServiceAccount(found);
}

/** Creates a token of a service account. Requires permission to manage members and a recent confirmation. Throws `not_found`. */
export function createServiceAccountToken(
  { database, clock }: CredentialDependencies,
  actor: SessionActor,
  { organizationId, userId }: { readonly organizationId: string; readonly userId: string },
  input: TokenInput,
): Promise<NewToken> {
  return database.write(async (transaction) => {
    await requirePermissionToChange(transaction, actor, organizationId, 'member.manage');
    await getServiceAccount(transaction, organizationId, userId);
    requireConfirmation(actor, clock);
    const owner = { kind: 'serviceAccount', userId, organizationId } as const;
    return issueToken(transaction, clock, actor, { ...owner, input });
  });
}
