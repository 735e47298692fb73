import type { SsoCertificate } from '#contract/sso/certificates.ts';
import { recordAudit } from '../../audit/audit.ts';
import type { Actor } from '../../base/actor.ts';
import { daysMs, timestamp, type Clock } from '../../base/clock.ts';
import { notFound } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { SecretBox } from '../../base/secret-box.ts';
import { requirePermission, requirePermissionToChange } from '../../organizations/authorization.ts';
import type { Database, Reader, Transaction } from '../../storage/database.ts';
import { getConfiguration, type StoredSsoConfiguration } from '../configuration/store.ts';
import { keyPurpose, thumbprintOf } from './keys.ts';
import { createKeyPair } from './self-signed.ts';
import {
  incrementVersion,
  insertCertificate,
  removeCertificate,
  selectCertificates,
  setUsed,
  type StoredCertificate,
} from './store.ts';

interface CertificateDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
}

interface OfConnection {
  readonly organizationId: string;
  /** The configuration. */
  readonly id: string;
}

/** Many companies allow no longer validity. */
const validForMs = daysMs(365);
/** A provider whose clock is behind must not find that it is not valid yet. */
const validBeforeMs = daysMs(1);

/** Lists the certificates of a directory: the one in use, and the next one. Owner or admin. Throws `not_found`. */
export async function listCertificates(
  reader: Reader,
  actor: Actor,
  { organizationId, id }: OfConnection,
): Promise<SsoCertificate[]> {
  await requirePermission(reader, actor, organizationId, 'sso.manage');
  const configuration = await getConfiguration(reader, organizationId, id);
  return (await selectCertificates(reader, configuration.id)).map(describe);
}

/** Creates the next certificate of a directory, in place of one that was not used yet. Owner or admin. Throws `not_found`. */
export async function createCertificate(
  { database, clock, secretBox }: CertificateDependencies,
  actor: Actor,
  { organizationId, id }: OfConnection,
): Promise<SsoCertificate> {
  // Before the key, which takes a moment to compute.
  await requirePermission(database, actor, organizationId, 'sso.manage');
  await getConfiguration(database, organizationId, id);
  const now = clock();
  const expiresAt = now + validForMs;
  const pair = await createKeyPair({
    notBefore: new Date(now - validBeforeMs),
    notAfter: new Date(expiresAt),
  });
  const stored: StoredCertificate = {
    id: newId(),
    organizationId,
    configurationId: id,
    certificate: pair.certificate,
    privateKey: secretBox.seal(organizationId, keyPurpose, pair.privateKey),
    createdAt: timestamp(now),
    expiresAt: timestamp(expiresAt),
    usedSince: null,
  };
  await database.write(async (transaction) => {
    await requirePermissionToChange(transaction, actor, organizationId, 'sso.manage');
    const configuration = await getConfiguration(transaction, organizationId, id);
    for (const { id: replaced, usedSince } of await selectCertificates(transaction, id))
      if (usedSince === null) await removeCertificate(transaction, replaced);
    await insertCertificate(transaction, stored);
    await record(transaction, clock, actor, configuration, { action: 'sso.certificate.created', stored });
  });
  return describe(stored);
}

/** Uses a certificate from now on, instead of the secret or the certificate before. Owner or admin. Throws `not_found`. */
export async function useCertificate(
  { database, clock }: Pick<CertificateDependencies, 'database' | 'clock'>,
  actor: Actor,
  { certificateId, ...of }: OfConnection & { readonly certificateId: string },
): Promise<SsoCertificate> {
  return database.write(async (transaction) => {
    const { configuration, stored, others } = await find(transaction, actor, of, certificateId);
    if (stored.usedSince !== null) return describe(stored);
    const used = { ...stored, usedSince: timestamp(clock()) };
    for (const { id } of others) await removeCertificate(transaction, id);
    await setUsed(transaction, { id: stored.id, at: used.usedSince });
    await incrementVersion(transaction, configuration.id);
    await record(transaction, clock, actor, configuration, { action: 'sso.certificate.used', stored });
    return describe(used);
  });
}

/** Deletes a certificate. Without one, the client secret is sent. Owner or admin. Throws `not_found`. */
export async function deleteCertificate(
  { database, clock }: Pick<CertificateDependencies, 'database' | 'clock'>,
  actor: Actor,
  { certificateId, ...of }: OfConnection & { readonly certificateId: string },
): Promise<void> {
  await database.write(async (transaction) => {
    const { configuration, stored } = await find(transaction, actor, of, certificateId);
    await removeCertificate(transaction, stored.id);
    if (stored.usedSince !== null) await incrementVersion(transaction, configuration.id);
    await record(transaction, clock, actor, configuration, { action: 'sso.certificate.deleted', stored });
  });
}

async function find(
  transaction: Transaction,
  actor: Actor,
  { organizationId, id }: OfConnection,
  certificateId: string,
): Promise<{
  configuration: StoredSsoConfiguration;
  stored: StoredCertificate;
  others: StoredCertificate[];
}> {
  await requirePermissionToChange(transaction, actor, organizationId, 'sso.manage');
  const configuration = await getConfiguration(transaction, organizationId, id);
  const all = await selectCertificates(transaction, configuration.id);
  const stored = all.find((each) => each.id === certificateId);
  if (stored === undefined) throw notFound();
  return { configuration, stored, others: all.filter((each) => each !== stored) };
}

async function record(
  transaction: Transaction,
  clock: Clock,
  actor: Actor,
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
    actor,
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
