import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayOn, permissions, roles, shareLevels, type Action, type Standing } from '#shared/permissions.ts';
import {
  describeOnBothEngines,
  startTestServer,
  type TestServer,
} from '../../../tests/support/server/test-server.ts';
import { prepare } from '../storage/prepared-query.ts';
import { mayOnRecord, mayOnRecordOfMember } from './filter.ts';
import { recordTables, type SharedKind } from './kinds.ts';
import { setGroupsOfMember } from '../organizations/groups/groups.ts';
import type { Grantee } from './sharable.ts';
import { putShare } from './store.ts';

// Sound because the keys of the tables are the actions and kinds.
const actions = Object.keys(permissions) as Action[];
const kinds = Object.keys(recordTables) as SharedKind[];

const granteeKinds = ['user', 'group'] as const;

/** Every combination of what decides a user's access to a record. */
const standings: readonly Standing[] = [true, false].flatMap((isOwner) => [
  { isPersonal: true, role: undefined, isOwner, share: undefined, isRestricted: false },
  ...[...roles, undefined].flatMap((role) =>
    [undefined, ...shareLevels].flatMap((share) =>
      [true, false].map((isRestricted) => ({ isPersonal: false, role, isOwner, share, isRestricted })),
    ),
  ),
]);

/** Only dashboards can be personal. */
const standingsOf = (kind: SharedKind): readonly Standing[] =>
  kind === 'dashboard' ? standings : standings.filter(({ isPersonal }) => !isPersonal);

describeOnBothEngines('the permission filter', (engine) => {
  for (const [kind, through] of kinds.flatMap((kind) =>
    granteeKinds.map((through) => [kind, through] as const),
  )) {
    test(`selects the rows that the table of permissions allows, for every standing and action: ${kind}, shared with a ${through}`, async (context) => {
      const server = await startTestServer(context, engine);
      const possible = standingsOf(kind);
      const [reader, other] = [await server.createPerson(), await server.createPerson()];
      const organizationIds = new Map<Standing['role'], string>();
      for (const role of [...roles, undefined]) {
        const id = await server.createOrganization(other);
        if (role !== undefined) await server.addMember(id, reader, role);
        organizationIds.set(role, id);
      }
      const groups = await joinGroups(
        server,
        reader.id,
        other.id,
        organizationIds,
        await server.createOrganization(other),
      );
      const ids = await server.database.write(async (transaction) => {
        const given = { at: '2026-11-21T09:00:00.000Z', by: other.id };
        const made: string[] = [];
        for (const [index, { isPersonal, role, isOwner, share, isRestricted }] of possible.entries()) {
          const id = `record-${index}`;
          made.push(id);
          const organizationId = isPersonal ? undefined : (organizationIds.get(role) ?? '');
          await transaction.run(insert[kind], {
            id,
            userId: isOwner ? reader.id : other.id,
            organizationId: organizationId ?? null,
            restricted: isRestricted ? 1 : 0,
          });
          if (kind === 'folder') await transaction.run(insertPath, { folderId: id, ancestorId: id });
          if (share === undefined || organizationId === undefined) continue;
          const key = { kind, id, organizationId };
          // The most that shares grant counts.
          if (through === 'group' && share !== 'view')
            await putShare(
              transaction,
              key,
              { grantee: { kind: 'user', id: reader.id }, access: 'view' },
              given,
            );
          const granteeId = through === 'user' ? reader.id : groups.held;
          const granted = { grantee: { kind: through, id: granteeId }, access: share } as const;
          await putShare(transaction, key, granted, given);
        }
        for (const [index, { role, isPersonal }] of possible.entries()) {
          const organizationId = organizationIds.get(role);
          if (isPersonal || organizationId === undefined) continue;
          for (const grantee of groups.decoys)
            await putShare(
              transaction,
              { kind, id: `record-${index}`, organizationId },
              { grantee, access: 'edit' },
              given,
            );
        }
        return made;
      });
      for (const action of actions) {
        const rows = await server.database.all(ofReader[kind][action], { userId: reader.id });
        const allowed = new Set(rows.map(({ id }) => id));
        assert.deepEqual(
          possible.filter((_, index) => allowed.has(ids[index] ?? '')),
          possible.filter((standing) => mayOn(standing, action)),
          action,
        );
        const listed = await server.database.all(ofMember[kind][action], { userId: reader.id });
        const isListed = new Set(listed.map(({ id }) => id));
        const ofMembers = possible.filter(({ role }) => role !== undefined);
        assert.deepEqual(
          ofMembers.filter((standing) => isListed.has(ids[possible.indexOf(standing)] ?? '')),
          ofMembers.filter((standing) => mayOn(standing, action)),
          `${action}, of a member`,
        );
      }
    });
  }
});

/** Adds the reader to groups of the organizations. Returns one of all of them, and grantees that are not the reader. */
async function joinGroups(
  { database }: TestServer,
  readerId: string,
  otherId: string,
  organizationIds: ReadonlyMap<Standing['role'], string>,
  elsewhereId: string,
): Promise<{ held: string; decoys: readonly Grantee[] }> {
  const [held, elsewhere, ofOther] = ['Sales', 'Sales elsewhere', 'Sales of the other'];
  await database.write(async (transaction) => {
    for (const organizationId of organizationIds.values()) {
      await setGroupsOfMember(transaction, { organizationId, userId: readerId }, [held]);
      await setGroupsOfMember(transaction, { organizationId, userId: otherId }, [ofOther]);
    }
    await setGroupsOfMember(transaction, { organizationId: elsewhereId, userId: readerId }, [elsewhere]);
  });
  const names = [elsewhere, ofOther, 'sales', 'Sale', 'Sales%', readerId];
  return {
    held,
    decoys: [...names.map((id) => ({ kind: 'group', id }) as const), { kind: 'user', id: held }],
  };
}

const forEach = <Key extends string, Value>(
  keys: readonly Key[],
  valueOf: (key: Key) => Value,
): Record<Key, Value> =>
  // Sound because there is a value for each key.
  Object.fromEntries(keys.map((key) => [key, valueOf(key)])) as Record<Key, Value>;

/** Sound because the other tables have the columns that these queries use. */
const tableOf = (kind: SharedKind) => recordTables[kind] as 'dashboards';

const ofReader = forEach(kinds, (kind) =>
  forEach(actions, (action) =>
    prepare((db, p: { userId: string }) =>
      db
        .selectFrom(tableOf(kind))
        .leftJoin('members', (join) =>
          join
            .onRef('members.organization_id', '=', `${tableOf(kind)}.organization_id`)
            .on('members.user_id', '=', p.userId),
        )
        .select(`${tableOf(kind)}.id`)
        .where(mayOnRecord(kind, action, p.userId)),
    ),
  ),
);

const ofMember = forEach(kinds, (kind) =>
  forEach(actions, (action) =>
    prepare((db, p: { userId: string }) =>
      db
        .selectFrom(tableOf(kind))
        .select(`${tableOf(kind)}.id`)
        .where(mayOnRecordOfMember(kind, action, p.userId)),
    ),
  ),
);

interface NewRow {
  id: string;
  userId: string;
  organizationId: string | null;
  restricted: number;
}

const insertPath = prepare((db, p: { folderId: string; ancestorId: string }) =>
  db.insertInto('folder_paths').values({
    folder_id: p.folderId,
    ancestor_id: p.ancestorId,
    distance: p.folderId === p.ancestorId ? 0 : 1,
  }),
);

const at = '2026-11-21T09:00:00.000Z';
const columnsOf = (p: NewRow) => ({
  id: p.id,
  user_id: p.userId,
  restricted: p.restricted,
  name: 'Sales',
  created_at: at,
  updated_at: at,
});
const versionOf = (p: NewRow) => ({ version: 1, updated_by: p.userId, change: 'created' });
/** Sound because only dashboards can be personal. */
const organizationOf = (p: NewRow) => ({ organization_id: p.organizationId as string });

const insert = {
  dashboard: prepare((db, p: NewRow) =>
    db.insertInto('dashboards').values({
      ...columnsOf(p),
      ...versionOf(p),
      organization_id: p.organizationId,
      description: null,
      widgets: '[]',
    }),
  ),
  report: prepare((db, p: NewRow) =>
    db.insertInto('reports').values({
      ...columnsOf(p),
      ...versionOf(p),
      ...organizationOf(p),
      data_source_id: 'source',
      content: '{}',
    }),
  ),
  data_source: prepare((db, p: NewRow) =>
    db.insertInto('data_sources').values({ ...columnsOf(p), ...organizationOf(p), kind: 'files' }),
  ),
  folder: prepare((db, p: NewRow) =>
    db
      .insertInto('folders')
      .values({ ...columnsOf(p), ...organizationOf(p), restricted_path: p.restricted, version: 1 }),
  ),
};
