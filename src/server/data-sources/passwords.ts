import { AtriumError } from '../base/errors.ts';
import { reseal, type SecretBox } from '../base/credentials/secret-box.ts';
import type { Database, Reader } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';
import {
  lockDataSource,
  selectIdsWithPassword,
  updateSealedPassword,
  type StoredDataSource,
} from './store.ts';

/** The purpose that passwords are encrypted for: the secret box decrypts them only for the same one. */
export const passwordPurpose = 'data-source-password';

/** Returns the password of a source, which is empty if it has none. Throws `source_unreachable` if its root key is missing. */
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
      'The stored password cannot be decrypted, because the root key of the server was replaced. Enter the password again.',
    );
  }
}

const sealedPasswords = prepare((db) =>
  db.selectFrom('data_sources').select('password').where('password', 'is not', null),
);

/** Returns the encrypted passwords of all data sources. */
export const listSealedPasswords = async (reader: Reader): Promise<string[]> =>
  (await reader.all(sealedPasswords, {})).flatMap(({ password }) => password ?? []);

/** Re-encrypts every password that isn't encrypted with the first root key. Returns how many it re-encrypted. */
export const rotatePasswords = (database: Database, secretBox: SecretBox): Promise<number> =>
  changeEachPassword(database, (organizationId, sealed) =>
    reseal(secretBox, organizationId, passwordPurpose, sealed),
  );

/** Removes every password whose root key is unknown. Returns how many it removed. */
export const discardPasswords = (database: Database, secretBox: SecretBox): Promise<number> =>
  changeEachPassword(database, (_, sealed) => (secretBox.hasKeyOf(sealed) ? sealed : undefined));

const sourcesAtATime = 200;

/** Replaces each password with what `change` returns, or leaves it if that is undefined. Returns how many it replaced. */
async function changeEachPassword(
  database: Database,
  change: (organizationId: string, sealed: string) => string | undefined,
): Promise<number> {
  let changed = 0;
  for (let after = ''; ;) {
    const ids = await selectIdsWithPassword(database, after, sourcesAtATime);
    for (const id of ids) {
      const isChanged = await database.write(async (transaction) => {
        // Locked, so that a password that is saved at the same time isn't overwritten.
        const source = await lockDataSource(transaction, id);
        const next = source?.password && change(source.organizationId, source.password);
        if (next === source?.password) return false;
        await updateSealedPassword(transaction, id, next);
        return true;
      });
      if (isChanged) changed += 1;
    }
    const last = ids.at(-1);
    if (last === undefined) return changed;
    after = last;
  }
}
