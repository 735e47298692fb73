import { eachRow, type FirstRows, mapRows } from '../base/paging.ts';
import { keyOfOrganization } from '../base/tenant.ts';
import type { Database, Reader } from '../storage/database.ts';
import { accessContent, auditContent, chainedHash, firstHash, hashOfDetails } from './content.ts';
import {
  logs,
  removedDetails,
  type AuditRow,
  type ChainKey,
  type Log,
  type Sealed,
  type SealedDetails,
} from './rows.ts';
import {
  countUnsealed,
  findChain,
  lockChain,
  selectChainedOrganizations,
  selectSealedAccess,
  selectSealedAudit,
  type Chain,
  type ChainPage,
} from './store.ts';

/** What a verification of a chain has found. */
export interface VerifiedChain {
  readonly organizationId: string;
  readonly log: Log;
  /** How many entries were verified, up to the first break. */
  readonly count: number;
  /** How many of them have no details any more. */
  readonly removedCount: number;
  /** The number and the hash of the last entry that was verified. */
  readonly sequence: number;
  readonly hash: string;
  readonly break?: { readonly sequence: number; readonly entryId?: string; readonly reason: string };
}

/** Returns how many entries of an organization, or of all, can't be verified yet, since they are not in a chain. */
export const countUnverified = (reader: Reader, organizationId: string | undefined): Promise<number> =>
  countUnsealed(reader, organizationId);

const pageSize = 500;
/** The chain begins at 1, but somebody may have inserted an entry before. */
const minSequence = -(2 ** 31);

/**
 * Verifies both chains of an organization, or of all. Entries in a chain don't change, so nobody has to wait while they are read:
 * each chain is verified up to the end that it had at first.
 */
export async function verifyLogs(database: Database, organizationId?: string): Promise<VerifiedChain[]> {
  const organizations =
    organizationId === undefined ? await selectChainedOrganizations(database) : [organizationId];
  const verified: VerifiedChain[] = [];
  for (const id of organizations) {
    for (const log of logs) {
      verified.push(await verifyLog(database, { organizationId: id, log }));
    }
  }
  return verified;
}

async function verifyLog(database: Database, key: ChainKey): Promise<VerifiedChain> {
  for (;;) {
    const chain = await findChain(database, key);
    const verified = await verifyChain(database, key, chain);
    if (verified.break === undefined)
      return chain === undefined ? verified : await verifyEnd(database, verified);
    // Meanwhile the retention may have deleted the start, or the first entries may have got their numbers.
    const current = await findChain(database, key);
    if (current?.anchorSequence === chain?.anchorSequence) return verified;
  }
}

/** Returns what was verified, or that there is an entry after the end of the chain, which may have been continued meanwhile. */
async function verifyEnd(database: Database, verified: VerifiedChain): Promise<VerifiedChain> {
  const added = await database.write(async (transaction) => {
    const chain = await lockChain(transaction, verified);
    if (chain === undefined) return undefined;
    return (await readPage(transaction, verified, { from: chain.sequence + 1, limit: 1 })).rows[0];
  });
  if (added === undefined) return verified;
  const { sequence, id } = added;
  return { ...verified, break: { sequence, entryId: id, reason: 'an entry was added after the end' } };
}

/** An entry, and what follows from it. */
type Checked = Sealed & {
  readonly id: string;
  readonly content: string;
  readonly isRemoved: boolean;
  /** What is wrong with it, whatever the chain says. */
  readonly fault?: string;
};

const emptyChain: Chain = { sequence: 0, hash: firstHash, anchorSequence: 0, anchorHash: firstHash };

async function verifyChain(reader: Reader, key: ChainKey, stored: Chain | undefined): Promise<VerifiedChain> {
  const chain = stored ?? emptyChain;
  let count = 0;
  let removedCount = 0;
  // The audit log is never shortened. An anchor in it could only hide that somebody has deleted its start.
  let last =
    key.log === 'audit'
      ? { sequence: 0, hash: firstHash }
      : { sequence: chain.anchorSequence, hash: chain.anchorHash };
  const found = (sequence: number, reason: string, entryId?: string): VerifiedChain => ({
    ...key,
    count,
    removedCount,
    ...last,
    break: { sequence, ...(entryId !== undefined && { entryId }), reason },
  });
  // From the same number again, since a copy of the last entry may follow it.
  const read = (previous: Checked | undefined) =>
    readPage(reader, key, {
      from: previous?.sequence ?? minSequence,
      afterId: previous?.id,
      limit: pageSize,
    });
  for await (const row of eachRow(keyOfOrganization(key.organizationId), read)) {
    const next = last.sequence + 1;
    if (stored === undefined) return found(row.sequence, 'the record of the chain is missing', row.id);
    if (row.sequence > chain.sequence) break;
    if (row.sequence < next) return found(row.sequence, 'an entry was inserted', row.id);
    if (row.sequence > next) return found(next, 'an entry is missing');
    if (row.fault !== undefined) return found(next, row.fault, row.id);
    const hash = chainedHash(last.hash, row.content);
    if (hash !== row.hash) return found(next, 'an entry was changed, moved or replaced', row.id);
    last = { sequence: next, hash };
    count += 1;
    if (row.isRemoved) removedCount += 1;
  }
  if (last.sequence < chain.sequence) return found(last.sequence + 1, 'the newest entries are missing');
  if (last.hash !== chain.hash) return found(last.sequence, 'the record of the chain was changed');
  return { ...key, count, removedCount, ...last };
}

async function readPage(
  reader: Reader,
  { organizationId, log }: ChainKey,
  range: Omit<ChainPage, 'organizationId'>,
): Promise<FirstRows<Checked>> {
  const page = { organizationId, ...range };
  if (log === 'audit') return mapRows(await selectSealedAudit(reader, page), checkAudit);
  return mapRows(await selectSealedAccess(reader, page), (row) => ({
    ...row,
    content: accessContent(row, row.sequence),
    isRemoved: false,
  }));
}

/** Details that were removed leave their hash, and nothing else in their place. */
function checkAudit(row: AuditRow & Sealed & SealedDetails): Checked {
  const { id, sequence, hash, details, detailsSalt, detailsHash } = row;
  const isRemoved = detailsSalt === null && details === removedDetails;
  const isKept = detailsSalt !== null && hashOfDetails(detailsSalt, details) === detailsHash;
  return {
    id,
    sequence,
    hash,
    content: auditContent(row, sequence, detailsHash ?? ''),
    isRemoved,
    ...(!isRemoved && !isKept && { fault: 'the details of an entry were changed' }),
  };
}
