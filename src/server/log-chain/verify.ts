import type { Database, Transaction } from '../storage/database.ts';
import { accessContent, auditContent, chainedHash, firstHash, hashOfDetails } from './content.ts';
import { logs, removedDetails, type AuditRow, type Log, type Sealed, type SealedDetails } from './rows.ts';
import {
  lockChain,
  selectChainedOrganizations,
  selectSealedAccess,
  selectSealedAudit,
  type Chain,
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

const pageSize = 500;
/** The chain begins at 1, but somebody may have inserted an entry before. */
const leastSequence = -(2 ** 31);

/** Verifies both chains of an organization, or of all. While a chain is read, it is neither continued nor shortened. */
export async function verifyLogs(database: Database, organizationId?: string): Promise<VerifiedChain[]> {
  const organizations =
    organizationId === undefined ? await selectChainedOrganizations(database) : [organizationId];
  const verified: VerifiedChain[] = [];
  for (const id of organizations) {
    for (const log of logs) {
      verified.push(
        await database.writeSlowly((transaction) => verifyChain(transaction, { organizationId: id, log })),
      );
    }
  }
  return verified;
}

/** An entry, and what follows from it. */
type Checked = Sealed & {
  readonly id: string;
  readonly content: string;
  readonly isRemoved: boolean;
  /** What is wrong with it, whatever the chain says. */
  readonly fault?: string;
};

async function verifyChain(
  transaction: Transaction,
  key: { readonly organizationId: string; readonly log: Log },
): Promise<VerifiedChain> {
  const stored = await lockChain(transaction, key);
  const chain: Chain = stored ?? { sequence: 0, hash: firstHash, anchorSequence: 0, anchorHash: firstHash };
  let count = 0;
  let removedCount = 0;
  let last = { sequence: chain.anchorSequence, hash: chain.anchorHash };
  const found = (sequence: number, reason: string, entryId?: string): VerifiedChain => ({
    ...key,
    count,
    removedCount,
    ...last,
    break: { sequence, ...(entryId !== undefined && { entryId }), reason },
  });
  const seen = new Set<string>();
  // From the same number again, since a copy of the last entry may follow it.
  let from = leastSequence;
  for (;;) {
    const rows = await readPage(transaction, key, from);
    for (const row of rows) {
      if (seen.has(row.id)) continue;
      const next = last.sequence + 1;
      if (stored === undefined) return found(row.sequence, 'the record of the chain is missing', row.id);
      if (row.sequence < next) return found(row.sequence, 'an entry was inserted', row.id);
      if (row.sequence > next) return found(next, 'an entry is missing');
      if (row.sequence > chain.sequence) return found(next, 'an entry was added after the end', row.id);
      if (row.fault !== undefined) return found(next, row.fault, row.id);
      const hash = chainedHash(last.hash, row.content);
      if (hash !== row.hash) return found(next, 'an entry was changed, moved or replaced', row.id);
      last = { sequence: next, hash };
      count += 1;
      if (row.isRemoved) removedCount += 1;
    }
    if (rows.length < pageSize) break;
    from = last.sequence;
    seen.clear();
    for (const row of rows) if (row.sequence === from) seen.add(row.id);
  }
  if (last.sequence < chain.sequence) return found(last.sequence + 1, 'the newest entries are missing');
  if (last.hash !== chain.hash) return found(last.sequence, 'the record of the chain was changed');
  return { ...key, count, removedCount, ...last };
}

async function readPage(
  transaction: Transaction,
  { organizationId, log }: { readonly organizationId: string; readonly log: Log },
  from: number,
): Promise<Checked[]> {
  const page = { organizationId, from, limit: pageSize };
  if (log === 'audit') return (await selectSealedAudit(transaction, page)).map(checkAudit);
  return (await selectSealedAccess(transaction, page)).map((row) => ({
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
