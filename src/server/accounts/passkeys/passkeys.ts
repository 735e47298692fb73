import {
  maxPasskeys,
  type addPasskey as addPasskeyRoute,
  type Passkey,
} from '#contract/accounts/passkeys.ts';
import type { BodyOf } from '#contract/route.ts';
import type { SessionActor } from '../../base/actor.ts';
import { timestamp } from '../../base/clock.ts';
import { AtriumError, notFound } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { newToken } from '../../base/credentials/tokens.ts';
import {
  addFactor,
  deleteWithoutFactor,
  recordInOrganizations,
  requireChangeable,
  type AddedFactor,
} from '../second-factor/changes.ts';
import { hasSecondFactor } from '../../organizations/second-factors/requirement.ts';
import { lockSession } from '../../sessions/locked-session.ts';
import { isFramed, toDescriptor, type PasskeyDependencies, type PasskeyRequest } from './assertions.ts';
import { challengeMs, createChallenge, takeChallenge } from './challenges.ts';
import { toPasskey } from './listing.ts';
import { getRelyingParty, type RelyingParty } from './relying-party.ts';
import { deletePasskey, insertPasskey, selectPasskeys, updateName } from './store.ts';

/** Ed25519, ECDSA and RSA with SHA-256: every authenticator has one of them. */
const supportedAlgorithmIDs = [-8, -7, -257];

/**
 * Returns the options with which a browser makes a passkey. Throws `forbidden` for accounts that don't sign in with a password and for
 * servers that can't have passkeys, `confirmation_required` and `too_many_passkeys`.
 */
export async function startPasskey(
  dependencies: PasskeyDependencies,
  actor: SessionActor,
): Promise<PasskeyRequest> {
  const { database, clock, publicUrl } = dependencies;
  const { id: userId, email, name } = await requireChangeable(database, clock, actor);
  const party = getRelyingParty(publicUrl);
  const existing = await selectPasskeys(database, userId);
  if (existing.length >= maxPasskeys) throw tooMany();
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  // The same for all passkeys of an account. It says nothing about the person, because authenticators show it to anyone.
  const userHandle = existing[0]?.userHandle ?? newToken();
  const { challenge, token } = await createChallenge(dependencies, { purpose: 'add', userId, userHandle });
  const options = await generateRegistrationOptions({
    rpName: 'Atrium',
    rpID: party.id,
    userID: Buffer.from(userHandle, 'base64url'),
    userName: email,
    userDisplayName: name,
    challenge: Buffer.from(challenge, 'base64url'),
    timeout: challengeMs,
    attestationType: 'none',
    excludeCredentials: existing.filter(({ host }) => host === party.id).map(toDescriptor),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs,
  });
  return { options: { ...options }, token };
}

type NewPasskey = BodyOf<typeof addPasskeyRoute>;

/** Adds a passkey that a browser made. Throws `invalid_credentials` if anything about it is wrong, and the errors of `startPasskey`. */
export async function addPasskey(
  dependencies: PasskeyDependencies,
  actor: SessionActor,
  { name, credential, challengeToken: token }: NewPasskey & { challengeToken: string | undefined },
): Promise<AddedFactor & { passkey: Passkey }> {
  const { database, clock, publicUrl } = dependencies;
  const { id: userId } = await requireChangeable(database, clock, actor);
  const party = getRelyingParty(publicUrl);
  const taken = await takeChallenge(dependencies, { token, purpose: 'add', userId });
  const userHandle = taken?.userHandle ?? null;
  if (taken === undefined || userHandle === null) throw wrongPasskey();
  const made = await verifyCredential(party, taken.challenge, credential);
  if (made === undefined) throw wrongPasskey();
  const passkey = {
    ...made,
    id: newId(),
    userId,
    userHandle,
    host: party.id,
    transports: JSON.stringify(credential.response.transports ?? []),
    name,
    createdAt: timestamp(clock()),
  };
  return database.write(async (transaction) => {
    const { email } = await lockSession(transaction, actor);
    if ((await selectPasskeys(transaction, userId)).length >= maxPasskeys) throw tooMany();
    const isFirst = !(await hasSecondFactor(transaction, userId));
    if (!(await insertPasskey(transaction, passkey))) throw wrongPasskey();
    const added = await addFactor(transaction, clock, actor, {
      email,
      isFirst,
      action: 'account.passkey_added',
      details: { name },
    });
    return { ...added, passkey: toPasskey({ ...passkey, lastUsedAt: null }, publicUrl) };
  });
}

/** The part of a new passkey that its authenticator decides. */
interface MadeCredential {
  readonly credentialId: string;
  readonly publicKey: string;
  readonly counter: number;
}

/** Checks what a browser made (Web Authentication, section 7.1). Returns undefined if anything is wrong. */
async function verifyCredential(
  { id: expectedRPID, origin: expectedOrigin }: RelyingParty,
  expectedChallenge: string,
  { id, response }: NewPasskey['credential'],
): Promise<MadeCredential | undefined> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const { clientDataJSON, attestationObject } = response;
  try {
    const attestation = decodeAttestationObject(Uint8Array.from(Buffer.from(attestationObject, 'base64url')));
    // No attestation was asked for. Its certificates would be read, and what they refer to requested.
    const [format, statement] = [attestation.get('fmt'), attestation.get('attStmt')];
    if (format !== 'none' && (format !== 'packed' || statement.get('x5c') !== undefined)) return undefined;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        response: { clientDataJSON, attestationObject },
        clientExtensionResults: {},
      },
      expectedChallenge,
      expectedOrigin,
      expectedRPID,
      requireUserVerification: true,
      supportedAlgorithmIDs,
    });
    if (!verified || isFramed(clientDataJSON) || registrationInfo.credential.id !== id) return undefined;
    const { publicKey, counter } = registrationInfo.credential;
    return { credentialId: id, publicKey: Buffer.from(publicKey).toString('base64url'), counter };
  } catch {
    // The library throws for everything that is wrong.
    return undefined;
  }
}

/** Renames a passkey. Throws `not_found`, and the errors of `startPasskey`. */
export async function renamePasskey(
  { database, clock, publicUrl }: PasskeyDependencies,
  actor: SessionActor,
  { id, name }: { id: string; name: string },
): Promise<Passkey> {
  const { id: userId } = await requireChangeable(database, clock, actor);
  return database.write(async (transaction) => {
    if (!(await updateName(transaction, { id, userId, name }))) throw notFound();
    const row = (await selectPasskeys(transaction, userId)).find((passkey) => passkey.id === id);
    if (row === undefined) throw notFound();
    return toPasskey(row, publicUrl);
  });
}

/**
 * Removes a passkey; without any second factor, the recovery codes, too. Returns the address of the account. Throws `not_found`, and
 * the errors of `startPasskey`.
 */
export async function removePasskey(
  { database, clock }: PasskeyDependencies,
  actor: SessionActor,
  id: string,
): Promise<string> {
  const { id: userId } = await requireChangeable(database, clock, actor);
  return database.write(async (transaction) => {
    const { email } = await lockSession(transaction, actor);
    const name = (await selectPasskeys(transaction, userId)).find((passkey) => passkey.id === id)?.name;
    if (!(await deletePasskey(transaction, { id, userId }))) throw notFound();
    await deleteWithoutFactor(transaction, userId);
    const details = { email, name };
    await recordInOrganizations(transaction, clock, actor, { action: 'account.passkey_removed', details });
    return email;
  });
}

const wrongPasskey = (): AtriumError =>
  new AtriumError(
    'invalid_credentials',
    'The passkey could not be added: it took longer than five minutes, or what the browser sent is not valid. Try again.',
  );

const tooMany = (): AtriumError =>
  new AtriumError(
    'too_many_passkeys',
    `An account can have at most ${maxPasskeys} passkeys. Remove one that you no longer use.`,
  );
