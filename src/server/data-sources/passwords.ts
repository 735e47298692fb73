import { AtriumError } from '../base/errors.ts';
import { reseal, type SecretBox } from '../base/secret-box.ts';
import type { Database, Reader } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';
import {
  lockDataSource,
  selectIdsWithPassword,
  updateSealedPassword,
  type StoredDataSource,
} from './store.ts';

/** What passwords of sources are sealed for: the box opens them for nothing else. */
export const passwordPurpose = 'data-source-password';

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

const sealedPasswords = prepare((db) =>
  db.selectFrom('data_sources').select('password').where('password', 'is not', null),
);

/** Returns the encrypted passwords of all data sources. */
export const listSealedPasswords = async (reader: Reader): Promise<string[]> =>
  (await reader.all(sealedPasswords, {})).flatMap(({ password }) => password ?? []);

/** Encrypts again every password that is not under the first root key. Returns how many those were. */
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
        // Locked, so that a save at the same time neither loses its password nor brings the old one back.
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
