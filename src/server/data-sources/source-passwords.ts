import { tlsModes } from '#contract/data-sources.ts';
import { AtriumError } from '../base/errors.ts';
import type { SecretBox } from '../base/secret-box.ts';
import type { Database } from '../storage/database.ts';
import {
  lockDataSource,
  selectIdsWithPassword,
  updateSealedPassword,
  type StoredConnection,
  type StoredDataSource,
} from './data-source-store.ts';

/** What passwords of sources are sealed for: the box opens them for nothing else. */
export const passwordPurpose = 'data-source-password';

/**
 * Whether a stored password may pass from one connection to the other: to the same account at the same place alone, since
 * a changed address must never receive it, and by a way as safe as before, since whoever stands on one that is looked
 * at less would.
 */
export function mayKeepPassword(
  before: StoredConnection | undefined,
  after: StoredConnection | undefined,
): boolean {
  return (
    before?.host === after?.host &&
    before?.port === after?.port &&
    before?.database === after?.database &&
    before?.user === after?.user &&
    safetyOf(before) <= safetyOf(after)
  );
}

const safetyOf = (connection: StoredConnection | undefined): number =>
  connection === undefined ? 0 : tlsModes.indexOf(connection.tls);

/** Returns the password of a source; empty when there is none. Throws `source_unreachable` when its root key is gone. */
export function openPassword(
  secretBox: SecretBox,
  { organizationId, password }: Pick<StoredDataSource, 'organizationId' | 'password'>,
): string {
  if (password === undefined) return '';
  try {
    return secretBox.open(organizationId, passwordPurpose, password);
  } catch {
    throw new AtriumError(
      'source_unreachable',
      'The stored password cannot be read: the server’s root key was changed without it. Enter it again.',
    );
  }
}

const sourcesAtATime = 200;

/** Seals anew every password that is not under the first root key. Returns how many those were. */
export async function rotatePasswords(database: Database, secretBox: SecretBox): Promise<number> {
  let rotated = 0;
  for (let after = ''; ;) {
    const ids = await selectIdsWithPassword(database, after, sourcesAtATime);
    for (const id of ids) if (await rotatePassword(database, secretBox, id)) rotated += 1;
    const last = ids.at(-1);
    if (last === undefined) return rotated;
    after = last;
  }
}

/** Under the row's lock, so that a save at the same time neither loses its password nor brings the old one back. */
const rotatePassword = (database: Database, secretBox: SecretBox, id: string): Promise<boolean> =>
  database.write(async (transaction) => {
    const source = await lockDataSource(transaction, id);
    if (source?.password === undefined || secretBox.isCurrent(source.password)) return false;
    const password = secretBox.open(source.organizationId, passwordPurpose, source.password);
    const sealed = secretBox.seal(source.organizationId, passwordPurpose, password);
    await updateSealedPassword(transaction, id, sealed);
    return true;
  });
