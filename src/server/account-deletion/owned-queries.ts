import { sql } from 'kysely';
import { eachRow } from '../base/paging.ts';
import { keyOfPerson } from '../base/tenant.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';

interface Owner {
  readonly organizationId: string;
  readonly userId: string;
}

/** What a person owns in an organization, without what is in the trash. */
const ownedTables = {
  dashboards: 'dashboards',
  reports: 'reports',
  folders: 'folders',
  dataSources: 'data_sources',
} as const;
export type OwnedKind = keyof typeof ownedTables;
// Sound because the object has no other keys.
export const ownedKinds = Object.keys(ownedTables) as OwnedKind[];

const counts = ownedKinds.map((kind) =>
  prepare((db, p: { userId: string; organizationIds: readonly string[] }) => {
    // Sound because each of these tables has the columns.
    const owned = db
      .selectFrom(ownedTables[kind] as 'dashboards')
      .where('user_id', '=', p.userId)
      .where('organization_id', 'in', p.organizationIds)
      .where('deleted_at', 'is', null)
      .groupBy('organization_id');
    const isHidden =
      kind === 'dashboards' || kind === 'reports'
        ? sql`restricted = 1 or folder_id in (select id from folders where restricted_path = 1)`
        : sql`restricted = 1`;
    return owned.select((select) => [
      'organization_id as organizationId',
      select.fn.countAll<number | string>().as('count'),
      sql<number | string | null>`sum(case when ${isHidden} then 1 else 0 end)`.as('restricted'),
    ]);
  }),
);

export type OwnedCounts = Record<OwnedKind, { count: number; restricted: number }>;

/** Returns how much a person owns in each of some organizations, and how much of it only admins can see otherwise. */
export async function countOwned(
  reader: Reader,
  owner: { readonly userId: string; readonly organizationIds: readonly string[] },
): Promise<(organizationId: string) => OwnedCounts> {
  const found: Partial<Record<OwnedKind, Map<string | null, { count: number; restricted: number }>>> = {};
  for (const [index, kind] of ownedKinds.entries()) {
    const query = counts[index];
    const rows = query === undefined ? [] : await reader.all(query, owner);
    found[kind] = new Map(
      rows.map((row) => [
        row.organizationId,
        { count: Number(row.count), restricted: Number(row.restricted ?? 0) },
      ]),
    );
  }
  const none = { count: 0, restricted: 0 };
  return (organizationId) => {
    const ofKind = (kind: OwnedKind) => found[kind]?.get(organizationId) ?? none;
    return {
      dashboards: ofKind('dashboards'),
      reports: ofKind('reports'),
      folders: ofKind('folders'),
      dataSources: ofKind('dataSources'),
    };
  };
}

const ids = ownedKinds.map((kind) =>
  prepare((db, p: Owner & { after: string; limit: number }) => {
    // Sound because each of these tables has the columns.
    const owned = db
      .selectFrom(ownedTables[kind] as 'folders')
      .select('id')
      .where('user_id', '=', p.userId)
      .where('organization_id', '=', p.organizationId)
      .where('deleted_at', 'is', null)
      .where('id', '>', p.after)
      .orderBy('id')
      .limit(p.limit);
    // What is in a folder of theirs is deleted with it.
    return kind === 'folders' ? owned.where('parent_id', 'is', null) : owned;
  }),
);

const pageSize = 100;

/** Yields the IDs of what a person owns; of folders, only those in no other. */
export async function* eachOwned(reader: Reader, owner: Owner, kind: OwnedKind): AsyncGenerator<string> {
  const query = ids[ownedKinds.indexOf(kind)];
  if (query === undefined) return;
  const read = (last?: { readonly id: string }) =>
    reader.page(query, { ...owner, after: last?.id ?? '', limit: pageSize });
  for await (const { id } of eachRow(keyOfPerson(owner.userId), read)) yield id;
}

const personalCount = prepare((db, p: { userId: string }) =>
  db
    .selectFrom('dashboards')
    .select((select) => select.fn.countAll<number | string>().as('count'))
    .where('user_id', '=', p.userId)
    .where('organization_id', 'is', null),
);

/** Returns how many dashboards belong to a person and to no organization, in the trash, too. */
export const countPersonal = async (reader: Reader, userId: string): Promise<number> =>
  Number((await reader.first(personalCount, { userId }))?.count ?? 0);

const sources = prepare((db, p: Owner & { kind: string | undefined }) => {
  const owned = db
    .selectFrom('data_sources')
    .select(['id', 'name', 'kind'])
    .where('user_id', '=', p.userId)
    .where('organization_id', '=', p.organizationId)
    .orderBy('id')
    .forUpdate();
  return p.kind === undefined ? owned : owned.where('kind', '=', p.kind);
});

/** Locks and returns the data sources that a person owns: all, or those of one kind. */
export const lockOwnedSources = (
  transaction: Transaction,
  of: Owner & { kind: string | undefined },
): Promise<{ id: string; name: string; kind: string }[]> => transaction.all(sources, of);

const setSourceOwner = prepare((db, p: { id: string; userId: string | null }) =>
  db.updateTable('data_sources').set({ user_id: p.userId }).where('id', '=', p.id),
);

/** Stores the owner of a data source; with null, nobody owns it, and admins manage it. */
export const updateSourceOwner = (
  transaction: Transaction,
  owned: { id: string; userId: string | null },
): Promise<number> => transaction.run(setSourceOwner, owned);

const folders = prepare((db, p: Owner) =>
  db
    .selectFrom('folders')
    .select(['id', 'name'])
    .where('user_id', '=', p.userId)
    .where('organization_id', '=', p.organizationId)
    .orderBy('id'),
);

/** Returns the folders that a person owns, in the trash, too. */
export const selectOwnedFolders = (reader: Reader, owner: Owner): Promise<{ id: string; name: string }[]> =>
  reader.all(folders, owner);

const setFolderOwner = prepare((db, p: Owner & { to: string }) =>
  db
    .updateTable('folders')
    .set({ user_id: p.to })
    .where('user_id', '=', p.userId)
    .where('organization_id', '=', p.organizationId),
);

export const updateFolderOwner = (transaction: Transaction, owned: Owner & { to: string }): Promise<number> =>
  transaction.run(setFolderOwner, owned);

const endPersonal = prepare((db, p: Owner & { name: string }) =>
  db
    .updateTable('folders')
    .set({ personal_user_id: null, name: p.name })
    .where('personal_user_id', '=', p.userId)
    .where('organization_id', '=', p.organizationId),
);

/** Makes the personal folder of a member a restricted one like others. */
export const endPersonalFolder = (
  transaction: Transaction,
  owned: Owner & { name: string },
): Promise<number> => transaction.run(endPersonal, owned);
