import { raw } from '../../../src/server/backup/content.ts';
import { exportedTables } from '../../../src/server/data-export/organization/columns.ts';
import type { CliServer } from '../cli.ts';

export const uuid = /^[\da-f]{8}-[\da-f-]{27}$/;

/** Gives the owner a second factor and a passkey, and the organization a certificate. Returns what must not be in the archive. */
export async function furnishCredentials({ server, person, organizationId }: CliServer): Promise<string[]> {
  const seal = (record: string, use: 'authenticator-app' | 'sso-client-key', text: string): string =>
    server.secretBox.seal(record, use, text);
  const at = new Date(server.clock()).toISOString();
  const rows: readonly (readonly [table: string, values: Readonly<Record<string, string | number>>])[] = [
    [
      'authenticator_apps',
      {
        user_id: person.id,
        secret: seal(person.id, 'authenticator-app', 'CANARYTOTPSECRET'),
        created_at: at,
        last_step: 1,
      },
    ],
    ['recovery_codes', { code_hash: 'canary-code-hash', user_id: person.id, created_at: at }],
    [
      'sso_recovery_codes',
      {
        code_hash: 'canary-sso-code-hash',
        organization_id: organizationId,
        user_id: person.id,
        created_at: at,
      },
    ],
    [
      'passkeys',
      {
        id: 'canary-passkey',
        credential_id: 'canary-credential',
        user_id: person.id,
        user_handle: 'canary-handle',
        host: 'localhost',
        public_key: 'canary-public-key',
        counter: 0,
        transports: '[]',
        name: 'canary-passkey-name',
        created_at: at,
      },
    ],
    [
      'sso_certificates',
      {
        id: 'certificate',
        organization_id: organizationId,
        configuration_id: 'any',
        certificate: 'a certificate',
        private_key: seal(organizationId, 'sso-client-key', 'canary-private-key'),
        created_at: at,
        expires_at: at,
        used_since: at,
      },
    ],
  ];
  await server.database.write(async (transaction) => {
    for (const [table, values] of rows) {
      const literals = Object.values(values).map((value) => `'${value}'`);
      await transaction.execute(
        `insert into ${table} (${Object.keys(values).join(', ')}) values (${literals.join(', ')})`,
      );
    }
  });
  const stored = rows.flatMap(([, values]) =>
    Object.values(values).filter((value) => String(value).startsWith('canary-')),
  );
  const sealed = rows.flatMap(([, { secret, private_key: key }]) => [secret, key]);
  return [...stored, ...sealed, 'CANARYTOTPSECRET', 'canary-private-key']
    .filter((value) => value !== undefined)
    .map(String);
}

/** Returns every value that the database has in a column of this organization that must not be exported. */
export async function secretsIn({ server }: CliServer): Promise<string[]> {
  const values: string[] = [];
  for (const [table, entry] of Object.entries(exportedTables)) {
    const rows = await server.database.all(raw<Record<string, unknown>>(`select * from ${table}`), {});
    const isSecret = (name: string): boolean => {
      const column =
        'columns' in entry ? Object.entries(entry.columns).find(([one]) => one === name)?.[1] : entry;
      const reason = typeof column === 'object' && 'leftOut' in column ? column.leftOut : '';
      return /secret|signed in with/.test(reason) && !/id$|_at$|issuer|subject|discovery_url/.test(name);
    };
    for (const row of rows)
      for (const [name, value] of Object.entries(row))
        if (isSecret(name) && typeof value === 'string' && value.length >= 16 && !uuid.test(value))
          values.push(value);
  }
  return values;
}
