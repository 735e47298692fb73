import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestPlace, describeOnBothEngines } from '../../../../tests/support/server/test-server.ts';
import { readEditors } from '../../dashboards/content/widget-editors.ts';
import { databaseFile } from '../data-directory.ts';
import { openDatabase } from '../open-database.ts';
import { openPostgres } from '../postgres/postgres.ts';
import { prepare } from '../prepared-query.ts';
import { openSqlite } from '../sqlite/sqlite.ts';
import { widgetEditors } from './066-widget-editors.ts';
import { migrate, migrations } from './migrations.ts';

const at = '2026-01-01T00:00:00.000Z';

/** Each dashboard with its owner, the user who saved it last, the authors of earlier versions, and the programs' people. */
const dashboards = [
  { id: 'alone', organization: 'o', savedBy: 'ada', earlier: ['ada', 'ada'], proposedBy: ['ada'] },
  { id: 'together', organization: 'o', savedBy: 'ada', earlier: ['bob', 'ada', 'eve'], proposedBy: [] },
  { id: 'proposed', organization: 'o', savedBy: 'ada', earlier: [], proposedBy: ['bob'] },
  { id: 'both', organization: 'o', savedBy: 'bob', earlier: ['ada'], proposedBy: ['eve', 'ada'] },
  { id: 'personal', organization: null, savedBy: 'ada', earlier: ['bob'], proposedBy: [] },
] as const;

const stored = prepare((db) =>
  db
    .selectFrom('dashboards')
    .select(['id', 'updated_by as updatedBy', 'widget_editors as editors'])
    .orderBy('id'),
);

describeOnBothEngines('a dashboard from before editors of widgets were stored', (engine) => {
  test('has everyone who saved or proposed a version as the editors of every widget', async (context) => {
    const place = await createTestPlace(engine);
    context.after(place.drop);
    const { databaseUrl, dataDirectory } = place;
    const older =
      databaseUrl === undefined ? openSqlite(databaseFile(dataDirectory)) : await openPostgres(databaseUrl);
    await migrate(older, { toVersion: migrations.indexOf(widgetEditors) });
    await older.write(async (transaction) => {
      const insert = (table: string, columns: string, values: readonly (string | null)[]) =>
        transaction.execute(
          `insert into ${table} (${columns}) values (${values.map((value) => (value === null ? 'null' : `'${value}'`)).join(', ')})`,
        );
      await insert('organizations', 'id, name, created_at, updated_at', ['o', 'Office', at, at]);
      for (const id of ['ada', 'bob', 'eve'])
        await insert('users', 'id, email, name, created_at, updated_at', [id, `${id}@x.example`, id, at, at]);
      for (const { id, organization, savedBy, earlier, proposedBy } of dashboards) {
        const columns =
          'id, organization_id, user_id, updated_by, name, widgets, version, created_at, updated_at';
        await insert('dashboards', columns, [id, organization, 'ada', savedBy, id, '[]', '9', at, at]);
        for (const [index, author] of earlier.entries()) {
          const values = [id, String(index + 1), author, at, 'edited'];
          await insert('dashboard_versions', 'record_id, version, user_id, at, change', values);
        }
        for (const [index, author] of proposedBy.entries())
          await insert('proposed_versions', 'dashboard_id, version, user_id', [
            id,
            String(index + 1),
            author,
          ]);
      }
    });
    await older.close();

    const database = await openDatabase(place);
    context.after(() => database.close());
    const rows = await database.all(stored, {});
    const editorsOf = ({ updatedBy, editors }: (typeof rows)[number]) =>
      readEditors({ updatedBy: updatedBy ?? '', editorsJson: editors ?? undefined })('a widget').toSorted();
    assert.deepEqual(Object.fromEntries(rows.map((row) => [row.id, editorsOf(row)])), {
      alone: ['ada'],
      together: ['ada', 'bob', 'eve'],
      proposed: ['ada', 'bob'],
      both: ['ada', 'bob', 'eve'],
      // Nothing runs for others there.
      personal: ['ada'],
    });
    assert.deepEqual(
      rows.filter(({ editors }) => editors === null).map(({ id }) => id),
      ['alone', 'personal'],
      'one author needs no list',
    );
  });
});
