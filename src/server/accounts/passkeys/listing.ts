import type { Passkey } from '#contract/accounts/passkeys.ts';
import type { Reader } from '../../storage/database.ts';
import { findRelyingParty } from './relying-party.ts';
import { selectPasskeys, type PasskeyRow } from './store.ts';

/** Returns the passkeys of an account, oldest first. */
export const listPasskeys = async (reader: Reader, userId: string, publicUrl: string): Promise<Passkey[]> =>
  (await selectPasskeys(reader, userId)).map((row) => toPasskey(row, publicUrl));

export const toPasskey = (
  { id, name, host, createdAt, lastUsedAt }: PasskeyRow,
  publicUrl: string,
): Passkey => ({
  id,
  name,
  host,
  isUsable: host === findRelyingParty(publicUrl)?.id,
  createdAt,
  ...(lastUsedAt !== null && { lastUsedAt }),
});
