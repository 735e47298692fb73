import { sql } from 'kysely';
import { requireRoom } from '../quotas/quotas.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';

export type ProposalKind = 'report' | 'dashboard';
export type ProposalStatus = 'open' | 'accepted' | 'declined';

/** A proposal as it is stored, without its content. */
export interface StoredProposal {
  readonly id: string;
  readonly organizationId: string;
  readonly kind: ProposalKind;
  readonly recordId: string;
  readonly baseVersion: number | null;
  readonly name: string;
  readonly summary: string;
  readonly createdBy: string;
  readonly program: string | null;
  readonly addresseeId: string | null;
  readonly status: ProposalStatus;
  readonly decidedBy: string | null;
  readonly decidedAt: string | null;
  readonly createdAt: string;
  readonly expiresAt: string;
}

const insert = prepare((db, p: StoredProposal & { readonly content: string }) =>
  db.insertInto('proposals').values({
    id: p.id,
    organization_id: p.organizationId,
    kind: p.kind,
    record_id: p.recordId,
    base_version: p.baseVersion,
    name: p.name,
    content: p.content,
    summary: p.summary,
    created_by: p.createdBy,
    program: p.program,
    addressee_id: p.addresseeId,
    status: p.status,
    decided_by: p.decidedBy,
    decided_at: p.decidedAt,
    created_at: p.createdAt,
    expires_at: p.expiresAt,
  }),
);

export async function insertProposal(
  transaction: Transaction,
  proposal: StoredProposal & { readonly content: string },
): Promise<number> {
  const bytes = Buffer.byteLength(proposal.content);
  const { organizationId } = proposal;
  await requireRoom(transaction, { kind: 'organization', organizationId }, { records: 0, bytes });
  return transaction.run(insert, proposal);
}

const countOpen = prepare((db, p: { organizationId: string; userId: string; now: string }) =>
  db
    .selectFrom('proposals')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('created_by', '=', p.userId)
    .where('organization_id', '=', p.organizationId)
    .where('status', '=', sql.lit('open'))
    .where('expires_at', '>', p.now),
);

/** Returns how many open proposals an account has in an organization. */
export const countOpenProposals = async (
  reader: Reader,
  key: { organizationId: string; userId: string; now: string },
): Promise<number> => Number((await reader.first(countOpen, key))?.count ?? 0);

const lock = prepare((db, p: { id: string }) =>
  db.selectFrom('proposals').select('id').where('id', '=', p.id).forUpdate(),
);

/** Makes other decisions about a proposal wait until the transaction ends. */
export const lockProposal = async (transaction: Transaction, id: string): Promise<void> => {
  await transaction.first(lock, { id });
};

interface Decision {
  readonly id: string;
  readonly status: ProposalStatus;
  readonly decidedBy: string;
  readonly decidedAt: string;
}

const decide = prepare((db, p: Decision) =>
  db
    .updateTable('proposals')
    .set({ status: p.status, decided_by: p.decidedBy, decided_at: p.decidedAt })
    .where('id', '=', p.id),
);

export const setDecision = (transaction: Transaction, decision: Decision): Promise<number> =>
  transaction.run(decide, decision);

const remove = prepare((db, p: { id: string }) => db.deleteFrom('proposals').where('id', '=', p.id));

export const deleteProposal = (transaction: Transaction, id: string): Promise<number> =>
  transaction.run(remove, { id });

const removeOfMember = prepare((db, p: { organizationId: string; userId: string }) =>
  db
    .deleteFrom('proposals')
    .where('organization_id', '=', p.organizationId)
    .where(({ or, eb }) => or([eb('created_by', '=', p.userId), eb('addressee_id', '=', p.userId)])),
);

/** Deletes the proposals of a member of an organization, and those that only the member could decide. */
export const deleteProposalsOfMember = (
  transaction: Transaction,
  { organizationId, userId }: { organizationId: string; userId: string },
): Promise<number> => transaction.run(removeOfMember, { organizationId, userId });

const removeExpired = prepare((db, p: { now: string }) =>
  db.deleteFrom('proposals').where('expires_at', '<=', p.now),
);

export const deleteExpiredProposals = (transaction: Transaction, now: string): Promise<number> =>
  transaction.run(removeExpired, { now });
