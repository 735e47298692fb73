import type { SsoCertificate } from '#contract/sso/certificates.ts';
import { recordAudit } from '../../audit/audit.ts';
import type { Actor } from '../../base/actor.ts';
import { daysMs, timestamp, type Clock } from '../../base/clock.ts';
import { notFound } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { SecretBox } from '../../base/credentials/secret-box.ts';
import { requirePermission } from '../../organizations/authorization.ts';
import { requireMayChangeSso, requirePermissionToChangeSso } from '../permission.ts';
import type { Database, Reader, Transaction } from '../../storage/database.ts';
import { getConfiguration, type ConnectionKey, type StoredSsoConfiguration } from '../configuration/store.ts';
import { warnBeforeMs } from '../configuration/reasons.ts';
import { keyPurpose, thumbprintOf } from './keys.ts';
import { createKeyPair } from './self-signed.ts';
import {
  incrementVersion,
  insertCertificate,
  removeCertificate,
  selectCertificates,
  selectExpiring,
  setUsed,
  type StoredCertificate,
} from './store.ts';

interface CertificateDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
}

/** Many companies allow no longer validity. */
const validForMs = daysMs(365);
/** A provider whose clock is behind must not find that it is not valid yet. */
const validBeforeMs = daysMs(1);

/** Lists the certificates of a directory: the one in use, and the next one. Owner or admin. Throws `not_found`. */
export async function listCertificates(
  reader: Reader,
  actor: Actor,
  { organizationId, id }: ConnectionKey,
): Promise<SsoCertificate[]> {
  await requirePermission(reader, actor, organizationId, 'sso.manage');
  const configuration = await getConfiguration(reader, organizationId, id);
  return (await selectCertificates(reader, configuration.id)).map(describe);
}

/** Creates the next certificate of a directory, in place of one that was not used yet. Owner or admin. Throws `not_found`. */
export async function createCertificate(
  { database, clock, secretBox }: CertificateDependencies,
  actor: Actor,
  { organizationId, id }: ConnectionKey,
): Promise<SsoCertificate> {
  // Before the key, which takes a moment to compute.
  await requireMayChangeSso(database, clock, actor, organizationId);
  await getConfiguration(database, organizationId, id);
  const stored = await newCertificate({ clock, secretBox }, { organizationId, id });
  await database.write(async (transaction) => {
    await requirePermissionToChangeSso(transaction, clock, actor, organizationId);
    const configuration = await getConfiguration(transaction, organizationId, id);
    for (const { id: replaced, usedSince } of await selectCertificates(transaction, id))
      if (usedSince === null) await removeCertificate(transaction, replaced);
    await insertCertificate(transaction, stored);
    await record(transaction, clock, actor, configuration, { action: 'sso.certificate.created', stored });
  });
  return describe(stored);
}

/** Returns a new certificate of a configuration, which is not stored yet. */
async function newCertificate(
  { clock, secretBox }: Pick<CertificateDependencies, 'clock' | 'secretBox'>,
  { organizationId, id }: ConnectionKey,
): Promise<StoredCertificate> {
  const now = clock();
  const expiresAt = now + validForMs;
  const pair = await createKeyPair({
    notBefore: new Date(now - validBeforeMs),
    notAfter: new Date(expiresAt),
  });
  return {
    id: newId(),
    organizationId,
    configurationId: id,
    certificate: pair.certificate,
    privateKey: secretBox.seal(organizationId, keyPurpose, pair.privateKey),
    createdAt: timestamp(now),
    expiresAt: timestamp(expiresAt),
    usedSince: null,
  };
}

/**
 * Creates the next certificate for each one in use that expires within 60 days, so that it can be uploaded in time. Uses the next
 * one when the one before has expired: sign-ins fail with that one in any case.
 */
export async function rotateCertificates(
  { database, clock, secretBox }: CertificateDependencies,
  stopped: AbortSignal,
): Promise<void> {
  const until = timestamp(clock() + warnBeforeMs);
  for (const { id: usedId, organizationId, configurationId: id } of await selectExpiring(database, until)) {
    if (stopped.aborted) return;
    const all = await selectCertificates(database, id);
    const created =
      all.length === 1 ? await newCertificate({ clock, secretBox }, { organizationId, id }) : undefined;
    await database.write(async (transaction) => {
      const stored = await selectCertificates(transaction, id);
      const used = stored.find((each) => each.id === usedId);
      // An admin has replaced or deleted it since.
      if (used === undefined) return;
      const configuration = await getConfiguration(transaction, organizationId, id);
      const next = stored.find(({ usedSince }) => usedSince === null);
      if (next === undefined && created !== undefined) {
        await insertCertificate(transaction, created);
        await record(transaction, clock, undefined, configuration, {
          action: 'sso.certificate.created',
          stored: created,
        });
      } else if (next !== undefined && Date.parse(used.expiresAt) <= clock()) {
        await replaceUsed(transaction, clock, { stored: next, others: [used] });
        await record(transaction, clock, undefined, configuration, {
          action: 'sso.certificate.used',
          stored: next,
        });
      }
    });
  }
}

/** Uses a certificate from now on, instead of the secret or the certificate before. Owner or admin. Throws `not_found`. */
export async function useCertificate(
  { database, clock }: Pick<CertificateDependencies, 'database' | 'clock'>,
  actor: Actor,
  { certificateId, ...of }: ConnectionKey & { readonly certificateId: string },
): Promise<SsoCertificate> {
  return database.write(async (transaction) => {
    const { configuration, stored, others } = await find(transaction, clock, actor, of, certificateId);
    if (stored.usedSince !== null) return describe(stored);
    const used = await replaceUsed(transaction, clock, { stored, others });
    await record(transaction, clock, actor, configuration, { action: 'sso.certificate.used', stored });
    return describe(used);
  });
}

async function replaceUsed(
  transaction: Transaction,
  clock: Clock,
  { stored, others }: { stored: StoredCertificate; others: readonly StoredCertificate[] },
): Promise<StoredCertificate> {
  const usedSince = timestamp(clock());
  for (const { id } of others) await removeCertificate(transaction, id);
  await setUsed(transaction, { id: stored.id, at: usedSince });
  await incrementVersion(transaction, stored.configurationId);
  return { ...stored, usedSince };
}

/** Deletes a certificate. Without one, the client secret is sent. Owner or admin. Throws `not_found`. */
export async function deleteCertificate(
  { database, clock }: Pick<CertificateDependencies, 'database' | 'clock'>,
  actor: Actor,
  { certificateId, ...of }: ConnectionKey & { readonly certificateId: string },
): Promise<void> {
  await database.write(async (transaction) => {
    const { configuration, stored } = await find(transaction, clock, actor, of, certificateId);
    await removeCertificate(transaction, stored.id);
    if (stored.usedSince !== null) await incrementVersion(transaction, configuration.id);
    await record(transaction, clock, actor, configuration, { action: 'sso.certificate.deleted', stored });
  });
}

async function find(
  transaction: Transaction,
  clock: Clock,
  actor: Actor,
  { organizationId, id }: ConnectionKey,
  certificateId: string,
): Promise<{
  configuration: StoredSsoConfiguration;
  stored: StoredCertificate;
  others: StoredCertificate[];
}> {
  await requirePermissionToChangeSso(transaction, clock, actor, organizationId);
  const configuration = await getConfiguration(transaction, organizationId, id);
  const all = await selectCertificates(transaction, configuration.id);
  const stored = all.find((each) => each.id === certificateId);
  if (stored === undefined) throw notFound();
  return { configuration, stored, others: all.filter((each) => each !== stored) };
}

async function record(
  transaction: Transaction,
  clock: Clock,
  actor: Actor | undefined,
  { organizationId, id, isFirst }: StoredSsoConfiguration,
  {
    action,
    stored: { certificate, expiresAt },
  }: {
    action: 'sso.certificate.created' | 'sso.certificate.used' | 'sso.certificate.deleted';
    stored: StoredCertificate;
  },
): Promise<void> {
  await recordAudit(transaction, clock, {
    organizationId,
    action,
    ...(actor !== undefined && { actor }),
    details: { ...(!isFirst && { connectionId: id }), thumbprint: thumbprintOf(certificate), expiresAt },
  });
}

const describe = ({
  id,
  certificate,
  createdAt,
  expiresAt,
  usedSince,
}: StoredCertificate): SsoCertificate => ({
  id,
  certificate,
  thumbprint: thumbprintOf(certificate),
  createdAt,
  expiresAt,
  ...(usedSince !== null && { usedSince }),
});
