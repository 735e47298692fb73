import type { PasskeyAssertion } from '#contract/accounts/passkey-assertion.ts';
import { recordAudit } from '../../audit/audit.ts';
import { timestamp, type Clock } from '../../base/clock.ts';
import { listOrganizationIdsOfUser } from '../../organizations/members.ts';
import { getAccountRow } from '../../organizations/users.ts';
import type { Database, Transaction } from '../../storage/database.ts';
import { challengeMs, createChallenge, takeChallenge, type ChallengePurpose } from './challenges.ts';
import { findRelyingParty, getRelyingParty, type RelyingParty } from './relying-party.ts';
import { findPasskey, recordUse, selectPasskeys, type PasskeyRow } from './store.ts';

export interface PasskeyDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly publicUrl: string;
}

/** A challenge as the options for a browser, and the token for its cookie. */
export interface PasskeyRequest {
  readonly options: Record<string, unknown>;
  readonly token: string;
}

/**
 * Returns the options with which a browser asks for a passkey. They name those of the account, unless `namesPasskeys` is false or the account
 * is not known. Throws `forbidden` if this server can't have passkeys.
 */
export async function requestPasskey(
  dependencies: PasskeyDependencies,
  {
    purpose,
    userId,
    namesPasskeys = true,
  }: { purpose: ChallengePurpose; userId: string | undefined; namesPasskeys?: boolean },
): Promise<PasskeyRequest> {
  const party = getRelyingParty(dependencies.publicUrl);
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  const passkeys =
    userId === undefined || !namesPasskeys ? [] : await selectPasskeys(dependencies.database, userId);
  const { challenge, token } = await createChallenge(dependencies, { purpose, userId });
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    challenge: Buffer.from(challenge, 'base64url'),
    timeout: challengeMs,
    userVerification: 'required',
    allowCredentials: passkeys.filter(({ host }) => host === party.id).map(toDescriptor),
  });
  return { options: { ...options }, token };
}

/** Returns the name of a passkey for browsers. */
export const toDescriptor = ({
  credentialId: id,
  transports,
}: PasskeyRow): { id: string; transports: 'internal'[] } => ({
  id,
  // Sound because browsers ignore those that they don't know (Web Authentication, section 5.8.3).
  transports: JSON.parse(transports) as 'internal'[],
});

/** What a passkey signed, with its new counter. */
export interface CheckedAssertion {
  readonly method: 'passkey';
  readonly passkey: PasskeyRow;
  readonly counter: number;
}

/** What a browser sent, and the account that it is for; without one, the passkey says whose it is. */
export interface EnteredAssertion {
  readonly assertion: PasskeyAssertion;
  /** From the cookie. */
  readonly challengeToken: string | undefined;
  readonly purpose: ChallengePurpose;
  readonly userId: string | undefined;
  readonly address: string;
}

/**
 * Checks what a passkey signed (Web Authentication, section 7.2), and uses up its challenge. Returns undefined if anything is wrong. A
 * correct signature with a counter that went backwards is recorded in the audit log, because the passkey may have been copied.
 */
export async function checkAssertion(
  dependencies: PasskeyDependencies,
  { assertion, challengeToken: token, purpose, userId, address }: EnteredAssertion,
): Promise<CheckedAssertion | undefined> {
  const party = findRelyingParty(dependencies.publicUrl);
  const taken = await takeChallenge(dependencies, { token, purpose, userId });
  const passkey = await findPasskey(dependencies.database, assertion.id);
  if (taken === undefined || passkey === undefined || passkey.host !== party?.id) return undefined;
  if (userId !== undefined && passkey.userId !== userId) return undefined;
  // Authenticators that find the passkey by themselves have to say whose it is.
  const { userHandle = userId === undefined ? undefined : passkey.userHandle } = assertion.response;
  if (userHandle !== passkey.userHandle) return undefined;
  const counter = await verifyAssertion(party, taken.challenge, passkey, assertion);
  if (counter === undefined) return undefined;
  if (counter <= passkey.counter && counter + passkey.counter > 0) {
    await recordCopy(dependencies, passkey, { counter, address });
    return undefined;
  }
  return { method: 'passkey', passkey, counter };
}

/** Returns the new counter, or undefined if anything is wrong. */
async function verifyAssertion(
  { id: expectedRPID, origin: expectedOrigin }: RelyingParty,
  expectedChallenge: string,
  { publicKey }: PasskeyRow,
  { id, response }: PasskeyAssertion,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} },
      expectedChallenge,
      expectedOrigin,
      expectedRPID,
      // The library compares the counter before it checks the signature, so that anyone could cause an alarm.
      credential: { id, publicKey: Uint8Array.from(Buffer.from(publicKey, 'base64url')), counter: 0 },
      requireUserVerification: true,
    });
    return verified && !isFramed(response.clientDataJSON) ? authenticationInfo.newCounter : undefined;
  } catch {
    // The library throws for everything that is wrong.
    return undefined;
  }
}

/** Whether a page of another origin contained the one that asked. Ours never are in a frame. */
export function isFramed(clientDataJson: string): boolean {
  const data: unknown = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString());
  return typeof data === 'object' && data !== null && 'crossOrigin' in data && data.crossOrigin !== false;
}

/** Uses up what was signed. Returns false if the passkey was removed or used in the meantime. */
export const useUpAssertion = (
  transaction: Transaction,
  clock: Clock,
  { passkey: { id }, counter }: CheckedAssertion,
): Promise<boolean> => recordUse(transaction, { id, counter, at: timestamp(clock()) });

async function recordCopy(
  { database, clock }: PasskeyDependencies,
  { userId, name, counter: before }: PasskeyRow,
  { counter, address }: { counter: number; address: string },
): Promise<void> {
  await database.write(async (transaction) => {
    const { email } = await getAccountRow(transaction, userId);
    for (const organizationId of await listOrganizationIdsOfUser(transaction, userId)) {
      await recordAudit(transaction, clock, {
        organizationId,
        action: 'account.passkey_refused',
        details: { email, name, address, before, counter },
      });
    }
  });
}
