import { sql } from 'kysely';
import type { Transaction } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';

/** A row of `access_entries` before it is written. */
export interface NewAccessEntry {
  readonly id: string;
  readonly organizationId: string;
  readonly at: string;
  readonly lastAt: string;
  readonly action: string;
  readonly actorId: string | null;
  readonly tokenId: string | null;
  readonly linkId: string | null;
  readonly subjectId: string | null;
  readonly count: number;
  /** What is counted in the same row; null for an entry of its own. */
  readonly bucket: string | null;
  readonly details: string;
}

const text = (value: string | null) => sql<string | null>`cast(${value} as text)`;

/** Inserts nothing if the organization was deleted since. */
const add = prepare((db, p: NewAccessEntry) =>
  db
    .insertInto('access_entries')
    .columns([
      'id',
      'organization_id',
      'at',
      'last_at',
      'action',
      'actor_id',
      'token_id',
      'link_id',
      'subject_id',
      'count',
      'bucket',
      'details',
    ])
    .expression(({ selectFrom }) =>
      selectFrom('organizations')
        .select([
          sql<string>`cast(${p.id} as text)`.as('id'),
          'organizations.id as organization_id',
          sql<string>`cast(${p.at} as text)`.as('at'),
          sql<string>`cast(${p.lastAt} as text)`.as('last_at'),
          sql<string>`cast(${p.action} as text)`.as('action'),
          text(p.actorId).as('actor_id'),
          text(p.tokenId).as('token_id'),
          text(p.linkId).as('link_id'),
          text(p.subjectId).as('subject_id'),
          sql<number>`cast(${p.count} as integer)`.as('count'),
          text(p.bucket).as('bucket'),
          sql<string>`cast(${p.details} as text)`.as('details'),
        ])
        .where('organizations.id', '=', p.organizationId),
    )
    .onConflict((conflict) =>
      conflict.column('bucket').doUpdateSet(({ ref }) => ({
        count: sql<number>`access_entries.count + ${ref('excluded.count')}`,
        at: sql<string>`case when ${ref('excluded.at')} < access_entries.at then ${ref('excluded.at')} else access_entries.at end`,
        last_at: sql<string>`case when ${ref('excluded.last_at')} > access_entries.last_at then ${ref('excluded.last_at')} else access_entries.last_at end`,
      })),
    ),
);

/** Stores an entry, or adds it to that of its bucket. */
export const addAccessEntry = (transaction: Transaction, entry: NewAccessEntry): Promise<number> =>
  transaction.run(add, entry);
