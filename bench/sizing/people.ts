import { randomUUIDv7 } from 'node:crypto';
import { join } from 'node:path';
import { hashToken, newToken } from '../../src/server/base/credentials/tokens.ts';
import { openForBulk, preparedInsert } from '../dashboards/bulk.ts';

/** Someone who is signed in. */
export interface Person {
  readonly email: string;
  readonly cookie: string;
}

/**
 * Adds members to the only organization of a server that is not running, each with a session and with the password of the
 * owner: nine viewers for each editor.
 */
export function storePeople(dataDirectory: string, count: number): readonly Person[] {
  const database = openForBulk(join(dataDirectory, 'atrium.sqlite'));
  const owner = database
    .prepare(
      'select members.organization_id, password_hash from members join users on users.id = members.user_id',
    )
    .get();
  const organizationId = String(owner?.['organization_id']);
  const passwordHash = String(owner?.['password_hash']);
  const insertUser = preparedInsert(database, 'users');
  const insertMember = preparedInsert(database, 'members');
  const insertSession = preparedInsert(database, 'sessions');
  const now = new Date();
  const at = now.toISOString();
  const expiresAt = new Date(now.getTime() + 24 * 3_600_000).toISOString();
  database.exec('begin');
  const people = Array.from({ length: count }, (_, index) => {
    const id = randomUUIDv7();
    const email = `person.${index}@example.com`;
    const token = newToken();
    insertUser({
      id,
      email,
      organization_id: null,
      name: `Person ${index}`,
      password_hash: passwordHash,
      created_at: at,
      updated_at: at,
    });
    insertMember({
      organization_id: organizationId,
      user_id: id,
      role: index % 10 === 0 ? 'editor' : 'viewer',
      created_at: at,
    });
    insertSession({
      id: randomUUIDv7(),
      token_hash: hashToken(token),
      user_id: id,
      organization_id: null,
      method: 'password',
      user_agent: null,
      address: null,
      created_at: at,
      last_used_at: at,
      expires_at: expiresAt,
      confirmed_at: null,
    });
    return { email, cookie: `auth.session_token=${token}` };
  });
  database.exec('commit');
  database.close();
  return people;
}
