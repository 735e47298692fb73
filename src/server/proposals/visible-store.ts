import { sql, type ExpressionBuilder } from 'kysely';
import { type FirstRows, mapRows } from '../base/paging.ts';
import { mayOnRecordOfMember } from '../access/filter.ts';
import type { Reader } from '../storage/database.ts';
import { prepare, type Sql } from '../storage/prepared-query.ts';
import type { Tables } from '../storage/tables.ts';
import type { ProposalKind, ProposalStatus, StoredProposal } from './store.ts';

/** A proposal that a user may see, with the names of the people. */
export interface VisibleProposal extends StoredProposal {
  readonly createdByName: string;
  readonly decidedByName: string | null;
  /** Whether the user may accept or decline it. */
  readonly mayDecide: boolean;
}

/** Whose view of the proposals of an organization it is. */
export interface Viewer {
  readonly organizationId: string;
  readonly userId: string;
  readonly now: string;
  /** Whether the user's role permits creating reports and dashboards. */
  readonly mayCreate: true | undefined;
  /** Whether only the user's own proposals are visible. */
  readonly onlyOwn: true | undefined;
}

type Builder = ExpressionBuilder<Tables, 'proposals'>;
const kinds = ['report', 'dashboard'] as const;

/** Returns the condition that the user may view or edit the record that a proposal changes, even if it is in the trash. */
const mayOnTarget = (eb: Builder, db: Sql, userId: string, access: 'view' | 'edit') =>
  eb.or(
    kinds.map((kind) => {
      // Sound because both tables have the columns that this function uses.
      const table = `${kind}s` as 'dashboards';
      return eb.and([
        eb('proposals.kind', '=', sql.lit(kind)),
        eb.exists(
          db
            .selectFrom(table)
            .select(sql.lit(1).as('one'))
            .where(`${table}.id`, '=', sql.ref<string>('proposals.record_id'))
            .where(`${table}.organization_id`, '=', sql.ref<string>('proposals.organization_id'))
            .where(mayOnRecordOfMember(kind, `${kind}.${access}`, userId)),
        ),
      ]);
    }),
  );

/** Returns the condition that the user may decide: the addressee, or without one everyone who may make the change. */
const mayDecide = (eb: Builder, db: Sql, { userId, mayCreate }: Viewer) =>
  eb.or([
    eb('proposals.addressee_id', '=', userId),
    eb.and([
      eb('proposals.addressee_id', 'is', null),
      eb.or([
        ...(mayCreate === undefined ? [] : [eb('proposals.base_version', 'is', null)]),
        eb.and([eb('proposals.base_version', 'is not', null), mayOnTarget(eb, db, userId, 'edit')]),
      ]),
    ]),
  ]);

const columns = [
  'proposals.id',
  'proposals.organization_id as organizationId',
  'proposals.kind',
  'proposals.record_id as recordId',
  'proposals.base_version as baseVersion',
  'proposals.name',
  'proposals.summary',
  'proposals.created_by as createdBy',
  'proposals.program',
  'proposals.addressee_id as addresseeId',
  'proposals.status',
  'proposals.decided_by as decidedBy',
  'proposals.decided_at as decidedAt',
  'proposals.created_at as createdAt',
  'proposals.expires_at as expiresAt',
  'creator.name as createdByName',
  'decider.name as decidedByName',
] as const;

const visibleTo = (db: Sql, p: Viewer) =>
  db
    .selectFrom('proposals')
    .innerJoin('users as creator', 'creator.id', 'proposals.created_by')
    .leftJoin('users as decider', 'decider.id', 'proposals.decided_by')
    .select([...columns])
    .select((eb) =>
      sql<number>`case when ${mayDecide(eb as Builder, db, p)} then 1 else 0 end`.as('mayDecide'),
    )
    .where('proposals.organization_id', '=', p.organizationId)
    .where('proposals.expires_at', '>', p.now)
    .where((eb) => {
      const isOwn = eb('proposals.created_by', '=', p.userId);
      return p.onlyOwn === undefined ? eb.or([isOwn, mayDecide(eb as Builder, db, p)]) : isOwn;
    })
    .where((eb) =>
      eb.or([
        // What was created from a proposal may be restricted since.
        eb.and([eb('proposals.base_version', 'is', null), eb('proposals.status', '<>', sql.lit('accepted'))]),
        mayOnTarget(eb as Builder, db, p.userId, 'view'),
      ]),
    );

interface Row extends Omit<VisibleProposal, 'kind' | 'status' | 'mayDecide'> {
  readonly kind: string;
  readonly status: string;
  readonly mayDecide: number;
}

const toVisible = (row: Row): VisibleProposal => ({
  ...row,
  // Sound because `insertProposal` and `setDecision` write the columns.
  kind: row.kind as ProposalKind,
  status: row.status as ProposalStatus,
  mayDecide: row.mayDecide === 1,
});

const byId = prepare((db, p: Viewer & { id: string }) =>
  visibleTo(db, p).select('proposals.content').where('proposals.id', '=', p.id),
);

/** Returns a proposal that a user may see, with its content as JSON, or undefined. */
export async function findProposal(
  reader: Reader,
  viewer: Viewer,
  id: string,
): Promise<(VisibleProposal & { readonly content: string }) | undefined> {
  const row = await reader.first(byId, { ...viewer, id });
  return row && { ...toVisible(row), content: row.content };
}

interface Selection {
  readonly status: ProposalStatus;
  readonly recordId: string | undefined;
  readonly before: string;
  readonly limit: number;
}

const list = prepare((db, p: Viewer & Selection) => {
  let proposals = visibleTo(db, p)
    .where('proposals.status', '=', p.status)
    .where('proposals.id', '<', p.before)
    .orderBy('proposals.id', 'desc')
    .limit(p.limit);
  if (p.recordId !== undefined) proposals = proposals.where('proposals.record_id', '=', p.recordId);
  return proposals;
});

/** Returns the first proposals that a user may see, newest first. */
export const selectProposals = async (
  reader: Reader,
  viewer: Viewer,
  selection: Selection,
): Promise<FirstRows<VisibleProposal>> =>
  mapRows(await reader.page(list, { ...viewer, ...selection }), toVisible);
