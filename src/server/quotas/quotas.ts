import { AtriumError } from '../base/errors.ts';
import { keyOfTenant, type Tenant } from '../base/tenant.ts';
import type { Allowances, Amount, StorageLimits } from '../storage/allowances.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { measureUsage } from './usage.ts';

/** The part of what is left that a process may store before it measures again. With several processes, each may exceed a limit by it. */
const share = 20;

const limitOf = (limits: StorageLimits, { kind }: Tenant): Amount =>
  kind === 'organization' ? limits.organization : limits.person;

/** What is stored for a tenant, and the most that may be. */
interface Measured {
  readonly usage: Amount;
  readonly limit: Amount;
}

/** Returns how much is stored, and the limits, which the metrics show, too. The server must have quotas. */
export async function measure(reader: Reader, allowances: Allowances, tenant: Tenant): Promise<Measured> {
  const { limits } = allowances;
  if (limits === undefined) throw new Error('The server has no quotas.');
  const limit = limitOf(limits, tenant);
  const usage = await allowances.usage(keyOfTenant(tenant), () => measureUsage(reader, tenant));
  allowances.onMeasured(tenant, {
    records: usage.records / limit.records,
    bytes: usage.bytes / limit.bytes,
  });
  return { usage, limit };
}

/**
 * Makes sure that something may be stored, as part of the transaction that stores it. Most calls need no query: what is stored is only measured
 * once the allowance from the last measurement is used up. Throws `quota_exceeded`.
 */
export async function requireRoom(transaction: Transaction, tenant: Tenant, added: Amount): Promise<void> {
  const { allowances } = transaction;
  if (allowances.limits === undefined) return;
  const key = keyOfTenant(tenant);
  if (allowances.take(key, added)) return;
  const { usage, limit } = await measure(transaction, allowances, tenant);
  const left = {
    records: limit.records - usage.records - added.records,
    bytes: limit.bytes - usage.bytes - added.bytes,
  };
  if (added.records > 0 && left.records < 0) throw refused(allowances, tenant, 'records', limit);
  if (left.bytes < 0) throw refused(allowances, tenant, 'bytes', limit);
  allowances.add(key, added);
  allowances.grant(key, {
    records: Math.max(0, Math.floor(left.records / share)),
    bytes: Math.floor(left.bytes / share),
  });
}

function refused(
  allowances: Allowances,
  { kind }: Tenant,
  quota: 'records' | 'bytes',
  limit: Amount,
): AtriumError {
  allowances.onRefused(quota);
  const whose = kind === 'organization' ? 'The organization has' : 'You have';
  const what =
    quota === 'records'
      ? `${limit.records} dashboards, reports, folders and data sources`
      : `${Math.round(limit.bytes / 1024 ** 2)} MiB of content and its versions`;
  return new AtriumError(
    'quota_exceeded',
    `${whose} reached the limit of ${what}. Delete what is no longer needed, and delete it permanently in the trash, or ask the operator of the server to raise the limit.`,
    { extension: { quota, limit: limit[quota] } },
  );
}
