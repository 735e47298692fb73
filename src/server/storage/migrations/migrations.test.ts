import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestPlace, describeOnBothEngines } from '../../../../tests/support/server/test-server.ts';
import { StartError } from '../../base/errors.ts';
import { databaseFile } from '../data-directory.ts';
import type { Migration } from './migration.ts';
import { migrate, migrations } from './migrations.ts';
import { openDatabase } from '../open-database.ts';
import { openPostgres } from '../postgres/postgres.ts';
import { prepare } from '../prepared-query.ts';
import { openSqlite } from '../sqlite/sqlite.ts';

/** The last version of the schema before invitations named their inviter. */
const versionBefore = 12;

const at = '2026-01-01T00:00:00.000Z';
const later = '2026-01-08T00:00:00.000Z';
const invited = (email: string) => `{"email":"${email}","role":"viewer"}`;

const rows: readonly (readonly [table: string, columns: string, values: readonly string[]])[] = [
  ['organizations', 'id, name, created_at, updated_at', ['o', 'Office', at, at]],
  ['users', 'id, email, name, created_at, updated_at', ['ada', 'ada@x.example', 'Ada', at, at]],
  ['users', 'id, email, name, created_at, updated_at', ['bob', 'bob@x.example', 'Bob', at, at]],
  [
    'users',
    'id, email, name, organization_id, created_at, updated_at',
    ['eve', 'ada@x.example', 'Eve', 'o', at, at],
  ],
  ...[
    ['r1', '{"name":"R","description":"It’s \\"long\\"\\nand \\u00fc"}'],
    ['r2', '{"name":"R"}'],
  ].map(
    ([id = '', content = '']) =>
      [
        'reports',
        'id, organization_id, user_id, data_source_id, name, content, version, created_at, updated_at, updated_by, change',
        [id, 'o', 'ada', 's', 'R', content, '1', at, at, 'ada', 'created'],
      ] as const,
  ),
  [
    'sessions',
    'id, token_hash, user_id, method, created_at, last_used_at, expires_at',
    ['s', 'hash', 'ada', 'password', at, at, later],
  ],
  ...['new', 'o’neil+{x}', 'unlogged'].map(
    (name) =>
      [
        'invitations',
        'id, organization_id, token_hash, email, role, created_at, expires_at',
        [`i-${name}`, 'o', `hash-${name}`, `${name}@x.example`, 'viewer', at, later],
      ] as const,
  ),
  ...[
    ['1', 'ada', 'new'],
    ['2', 'bob', 'new'],
    ['3', 'bob', 'o’neil+{x}'],
  ].map(
    ([id = '', actor = '', name = '']) =>
      [
        'audit_entries',
        'id, organization_id, at, action, actor_id, details',
        [id, 'o', at, 'invitation.created', actor, invited(`${name}@x.example`)],
      ] as const,
  ),
];

const reports = prepare((sql) =>
  sql.selectFrom('reports').select(['id', 'description', 'content']).orderBy('id'),
);
const inviters = prepare((sql) =>
  sql.selectFrom('invitations').select(['email', 'invited_by as inviter']).orderBy('email'),
);
const verified = prepare((sql) =>
  sql.selectFrom('users').select(['id', 'is_email_verified as isVerified']).orderBy('id'),
);
const sessions = prepare((sql) => sql.selectFrom('sessions').select(['id', 'confirmed_at as confirmedAt']));

describeOnBothEngines('an older database', (engine) => {
  test('is updated with all of its content', async (context) => {
    const place = await createTestPlace(engine);
    context.after(place.drop);
    const { databaseUrl, dataDirectory } = place;
    const older =
      databaseUrl === undefined ? openSqlite(databaseFile(dataDirectory)) : await openPostgres(databaseUrl);
    await migrate(older, { toVersion: versionBefore });
    await older.write(async (transaction) => {
      for (const [table, columns, values] of rows) {
        const list = values.map((value) => `'${value}'`).join(', ');
        await transaction.execute(`insert into ${table} (${columns}) values (${list})`);
      }
    });
    await older.close();

    const database = await openDatabase(place);
    try {
      assert.deepEqual(
        (await database.all(inviters, {})).map(({ email, inviter }) => [email, inviter]),
        [
          ['new@x.example', 'bob'],
          ['o’neil+{x}@x.example', 'bob'],
          ['unlogged@x.example', null],
        ],
      );
      assert.deepEqual(
        (await database.all(reports, {})).map(({ description, content }) => [
          description,
          JSON.parse(content),
        ]),
        [
          ['It’s "long"\nand ü', { name: 'R', description: 'It’s "long"\nand ü' }],
          [null, { name: 'R' }],
        ],
      );
      assert.deepEqual(
        (await database.all(verified, {})).map(({ id, isVerified }) => [id, isVerified]),
        [
          ['ada', 1],
          ['bob', 1],
          ['eve', 0],
        ],
      );
      assert.deepEqual(
        (await database.all(sessions, {})).map(({ confirmedAt }) => confirmedAt),
        [null],
      );
    } finally {
      await database.close();
    }
  });
});

const adding: Migration = ({ text }) => [`alter table users add column nickname ${text}`];
const removing: Migration = () => ['drop table set_up_links'];
const addingLater: Migration = ({ text }) => [`create table nicknames (name ${text} primary key)`];
const additive = new Set([adding, addingLater]);
const newer = (...steps: Migration[]) => ({ all: [...migrations, ...steps], additive });
const schemaVersion = prepare((sql) => sql.selectFrom('schema_version').select('version'));

describeOnBothEngines('a database that a newer program has migrated', (engine) => {
  for (const [what, steps, isUsable, isUsableByNext] of [
    ['by an additive step', [adding], true, true],
    ['by two additive steps', [adding, addingLater], true, true],
    ['by another step', [removing], false, true],
    ['by another and an additive step', [removing, addingLater], false, true],
    ['by an additive and another step', [adding, removing], false, false],
  ] as const) {
    test(`${what} is ${isUsable ? 'used' : 'refused'}, and never changed, by an older one`, async (context) => {
      const place = await createTestPlace(engine);
      context.after(place.drop);
      const database = await openDatabase(place);
      context.after(() => database.close());
      await migrate(database, newer(...steps));
      const start = async (program: Parameters<typeof migrate>[1]) =>
        migrate(database, program).then(
          () => true,
          (error: unknown) => !(error instanceof StartError),
        );
      assert.deepEqual(
        [await start({}), await start(newer(...steps.slice(0, 1))), await start(newer(...steps))],
        [isUsable, isUsableByNext, true],
      );
      assert.deepEqual(await database.all(schemaVersion, {}), [
        { version: migrations.length + steps.length },
      ]);
    });
  }
});
