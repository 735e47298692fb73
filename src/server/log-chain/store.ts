import { sql } from 'kysely';
import type { FirstRows } from '../base/paging.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';
import type { AccessRow, AuditRow, ChainKey, Log, Sealed, SealedDetails } from './rows.ts';

const auditColumns = [
  'id',
  'organization_id as organizationId',
  'at',
  'action',
  'actor_id as actorId',
  'session_id as sessionId',
  'details',
] as const;

const accessColumns = [
  'id',
  'organization_id as organizationId',
  'at',
  'last_at as lastAt',
  'action',
  'count',
  'actor_id as actorId',
  'token_id as tokenId',
  'link_id as linkId',
  'subject_id as subjectId',
  'details',
] as const;

interface Waiting {
  readonly organizationId: string;
  /** What is counted until this time is still open. */
  readonly closedBefore: string;
  readonly limit: number;
}

const waitingAudit = prepare((db, p: Omit<Waiting, 'closedBefore'>) =>
  db
    .selectFrom('audit_entries')
    .select(auditColumns)
    .where('organization_id', '=', p.organizationId)
    .where('sequence', 'is', null)
    .orderBy('id')
    .limit(p.limit)
    .forUpdate(),
);

const waitingAccess = prepare((db, p: Waiting) =>
  db
    .selectFrom('access_entries')
    .select(accessColumns)
    .where('organization_id', '=', p.organizationId)
    .where('sequence', 'is', null)
    .where((where) => where.or([where('bucket', 'is', null), where('last_at', '<', p.closedBefore)]))
    .orderBy('id')
    .limit(p.limit)
    .forUpdate(),
);

/** Return entries that are not in their chain yet, the oldest first. Until the transaction ends, nobody else changes them. */
export const lockWaitingAudit = (transaction: Transaction, p: Waiting): Promise<FirstRows<AuditRow>> =>
  transaction.page(waitingAudit, p);
export const lockWaitingAccess = (transaction: Transaction, p: Waiting): Promise<FirstRows<AccessRow>> =>
  transaction.page(waitingAccess, p);

const openAccess = prepare((db, p: { organizationId: string; after: string; limit: number }) =>
  db
    .selectFrom('access_entries')
    .select(accessColumns)
    .where('organization_id', '=', p.organizationId)
    .where('sequence', 'is', null)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);

/** Returns a page of the entries of the data-access log that are not in its chain yet. */
export const selectOpenAccess = (
  reader: Reader,
  page: { readonly organizationId: string; readonly after: string; readonly limit: number },
): Promise<FirstRows<AccessRow>> => reader.page(openAccess, page);

const withWaitingAudit = prepare((db) =>
  db.selectFrom('audit_entries').select('organization_id as id').distinct().where('sequence', 'is', null),
);

const withWaitingAccess = prepare((db, p: { closedBefore: string }) =>
  db
    .selectFrom('access_entries')
    .select('organization_id as id')
    .distinct()
    .where('sequence', 'is', null)
    .where((where) => where.or([where('bucket', 'is', null), where('last_at', '<', p.closedBefore)])),
);

/** Returns the organizations that have entries that are not in their chain yet. */
export const selectWaitingOrganizations = async (
  reader: Reader,
  log: Log,
  closedBefore: string,
): Promise<string[]> =>
  (log === 'audit'
    ? await reader.all(withWaitingAudit, {})
    : await reader.all(withWaitingAccess, { closedBefore })
  ).map(({ id }) => id);

const sealAudit = prepare(
  (db, p: { id: string; sequence: number; hash: string; detailsSalt: string; detailsHash: string }) =>
    db
      .updateTable('audit_entries')
      .set({
        sequence: p.sequence,
        hash: p.hash,
        details_salt: p.detailsSalt,
        details_hash: p.detailsHash,
      })
      .where('id', '=', p.id),
);

export const updateSealedAudit = (
  transaction: Transaction,
  entry: {
    readonly id: string;
    readonly sequence: number;
    readonly hash: string;
    readonly detailsSalt: string;
    readonly detailsHash: string;
  },
): Promise<number> => transaction.run(sealAudit, entry);

const sealAccess = prepare((db, p: { id: string; sequence: number; hash: string }) =>
  db
    .updateTable('access_entries')
    // What is counted later in its hour gets an entry of its own.
    .set({ sequence: p.sequence, hash: p.hash, bucket: null })
    .where('id', '=', p.id),
);

export const updateSealedAccess = (
  transaction: Transaction,
  entry: { readonly id: string; readonly sequence: number; readonly hash: string },
): Promise<number> => transaction.run(sealAccess, entry);

/** A page of a chain, from a number on. */
export interface ChainPage {
  readonly organizationId: string;
  readonly from: number;
  /** Of the entries with the number `from`, only those with a greater ID. */
  readonly afterId?: string | undefined;
  readonly limit: number;
}

/** Entries have the same number only if somebody has written to the database. */
const follows = ({ from, afterId }: ChainPage) => sql<boolean>`(sequence, id) > (${from}, ${afterId})`;

const sealedAudit = prepare((db, p: ChainPage) => {
  const entries = db
    .selectFrom('audit_entries')
    .select(auditColumns)
    .select(['details_salt as detailsSalt', 'details_hash as detailsHash', 'hash'])
    .select((of) => of.ref('sequence').$notNull().as('sequence'))
    .where('organization_id', '=', p.organizationId)
    .where('sequence', '>=', p.from)
    .orderBy('sequence')
    .orderBy('id')
    .limit(p.limit);
  return p.afterId === undefined ? entries : entries.where(follows(p));
});

const sealedAccess = prepare((db, p: ChainPage) => {
  const entries = db
    .selectFrom('access_entries')
    .select(accessColumns)
    .select('hash')
    .select((of) => of.ref('sequence').$notNull().as('sequence'))
    .where('organization_id', '=', p.organizationId)
    .where('sequence', '>=', p.from)
    .orderBy('sequence')
    .orderBy('id')
    .limit(p.limit);
  return p.afterId === undefined ? entries : entries.where(follows(p));
});

/** Return the entries of a chain from a number on, in order. */
export const selectSealedAudit = (
  reader: Reader,
  p: ChainPage,
): Promise<FirstRows<AuditRow & Sealed & SealedDetails>> => reader.page(sealedAudit, p);
export const selectSealedAccess = (reader: Reader, p: ChainPage): Promise<FirstRows<AccessRow & Sealed>> =>
  reader.page(sealedAccess, p);

/** The newest entry of a chain, and the newest that was deleted from its start. */
export interface Chain {
  readonly sequence: number;
  readonly hash: string;
  readonly anchorSequence: number;
  readonly anchorHash: string;
}

const insertChain = prepare((db, p: ChainKey & { hash: string; zero: number }) =>
  db
    .insertInto('log_chains')
    .values({
      organization_id: p.organizationId,
      log: p.log,
      sequence: p.zero,
      hash: p.hash,
      anchor_sequence: p.zero,
      anchor_hash: p.hash,
    })
    .onConflict((conflict) => conflict.doNothing()),
);

export const addChain = (transaction: Transaction, key: ChainKey, hash: string): Promise<number> =>
  transaction.run(insertChain, { ...key, hash, zero: 0 });

const chainColumns = [
  'sequence',
  'hash',
  'anchor_sequence as anchorSequence',
  'anchor_hash as anchorHash',
] as const;

const chainOf = prepare((db, p: ChainKey) =>
  db
    .selectFrom('log_chains')
    .select(chainColumns)
    .where('organization_id', '=', p.organizationId)
    .where('log', '=', p.log),
);

export const findChain = (reader: Reader, key: ChainKey): Promise<Chain | undefined> =>
  reader.first(chainOf, key);

const lockedChain = prepare((db, p: ChainKey) =>
  db
    .selectFrom('log_chains')
    .select(chainColumns)
    .where('organization_id', '=', p.organizationId)
    .where('log', '=', p.log)
    .forUpdate(),
);

/** Returns a chain that only this transaction can continue or shorten, or undefined. */
export const lockChain = (transaction: Transaction, key: ChainKey): Promise<Chain | undefined> =>
  transaction.first(lockedChain, key);

const setHead = prepare((db, p: ChainKey & { sequence: number; hash: string }) =>
  db
    .updateTable('log_chains')
    .set({ sequence: p.sequence, hash: p.hash })
    .where('organization_id', '=', p.organizationId)
    .where('log', '=', p.log),
);

export const updateHead = (
  transaction: Transaction,
  head: ChainKey & { readonly sequence: number; readonly hash: string },
): Promise<number> => transaction.run(setHead, head);

const setAnchor = prepare((db, p: ChainKey & { sequence: number; hash: string }) =>
  db
    .updateTable('log_chains')
    .set({ anchor_sequence: p.sequence, anchor_hash: p.hash })
    .where('organization_id', '=', p.organizationId)
    .where('log', '=', p.log),
);

export const updateAnchor = (
  transaction: Transaction,
  anchor: ChainKey & { readonly sequence: number; readonly hash: string },
): Promise<number> => transaction.run(setAnchor, anchor);

const removeStart = prepare((db, p: { organizationId: string; until: number }) =>
  db
    .deleteFrom('access_entries')
    .where('organization_id', '=', p.organizationId)
    .where('sequence', '<=', p.until),
);

/** Deletes the entries of the data-access log up to a number. */
export const deleteStart = (
  transaction: Transaction,
  start: { readonly organizationId: string; readonly until: number },
): Promise<number> => transaction.run(removeStart, start);

const chained = prepare((db) =>
  db
    .selectFrom('log_chains')
    .select('organization_id as id')
    .union(db.selectFrom('audit_entries').select('organization_id as id').where('sequence', 'is not', null))
    .union(db.selectFrom('access_entries').select('organization_id as id').where('sequence', 'is not', null)),
);

/** Returns the organizations that have a chain, or entries that should be in one. */
export const selectChainedOrganizations = async (reader: Reader): Promise<string[]> =>
  (await reader.all(chained, {})).map(({ id }) => id).toSorted();

const unsealed = (table: 'audit_entries' | 'access_entries') =>
  prepare((db, p: { organizationId: string | undefined }) => {
    const query = db
      .selectFrom(table)
      .select((select) => select.fn.countAll().as('count'))
      .where('sequence', 'is', null);
    return p.organizationId === undefined ? query : query.where('organization_id', '=', p.organizationId);
  });
const unsealedAudit = unsealed('audit_entries');
const unsealedAccess = unsealed('access_entries');

/** Returns how many entries of both logs are not in a chain yet, of one organization or of all. */
export async function countUnsealed(reader: Reader, organizationId: string | undefined): Promise<number> {
  const counts = [
    await reader.first(unsealedAudit, { organizationId }),
    await reader.first(unsealedAccess, { organizationId }),
  ];
  return counts.reduce((sum, row) => sum + Number(row?.count ?? 0), 0);
}
