import type { Organization } from '#contract/organizations/organizations.ts';
import { isLogoSize, logoTypes, maxLogoBytes, type LogoType } from '#shared/branding/logo.ts';
import type { Actor } from '../../base/actor.ts';
import { recordAudit } from '../../audit/audit.ts';
import { timestamp, type Clock } from '../../base/clock.ts';
import { notFound } from '../../base/errors.ts';
import { newToken } from '../../base/credentials/tokens.ts';
import { requirePermission, requirePermissionToChange } from '../../organizations/authorization.ts';
import { getOrganization } from '../../organizations/organizations.ts';
import type { Database, Reader } from '../../storage/database.ts';
import { receiveImage, type ImageRules } from '../receive.ts';
import { deleteLogo, findLogo, findOrganizationLogo, replaceLogo } from './store.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
}

const rules: ImageRules<LogoType> = {
  types: logoTypes,
  maxBytes: maxLogoBytes,
  isSmallEnough: isLogoSize,
  sizeText: '256 KiB',
  typesText: 'PNG, JPEG or WebP',
  pixelsText: 'A logo can have up to 1,024 in each direction.',
};

/**
 * Stores the logo of an organization in place of the one that it had. Owner or admin. Throws `unreadable_image` and
 * `body_too_large`.
 */
export async function setLogo(
  { database, clock }: Dependencies,
  actor: Actor,
  organizationId: string,
  body: Parameters<typeof receiveImage>[0],
): Promise<Organization> {
  await requirePermission(database, actor, organizationId, 'organization.change');
  const { file, header } = await receiveImage(body, rules);
  const logo = {
    organizationId,
    // Pages without a session show it by this alone, so that it must not be guessed.
    id: newToken(),
    type: header.type,
    content: file.toString('base64'),
    at: timestamp(clock()),
  };
  return database.write(async (transaction) => {
    await requirePermissionToChange(transaction, actor, organizationId, 'organization.change');
    await replaceLogo(transaction, logo);
    const details = { type: logo.type, sizeBytes: file.length };
    const entry = { organizationId, action: 'organization.logo_changed', actor, details } as const;
    await recordAudit(transaction, clock, entry);
    return getOrganization(transaction, actor, organizationId);
  });
}

/** Removes the logo of an organization; without one, nothing happens. Owner or admin. */
export function removeLogo(
  { database, clock }: Dependencies,
  actor: Actor,
  organizationId: string,
): Promise<void> {
  return database.write(async (transaction) => {
    await requirePermissionToChange(transaction, actor, organizationId, 'organization.change');
    if ((await deleteLogo(transaction, organizationId)) === 0) return;
    const entry = { organizationId, action: 'organization.logo_removed', actor, details: {} } as const;
    await recordAudit(transaction, clock, entry);
  });
}

/** Returns the file of a logo, for everyone who knows its id. Throws `not_found`. */
export async function readLogo(
  reader: Reader,
  id: string,
): Promise<{ readonly type: string; readonly file: Buffer }> {
  const logo = await findLogo(reader, id);
  if (logo === undefined) throw notFound();
  return { type: logo.type, file: Buffer.from(logo.content, 'base64') };
}

/** Returns the logo of an organization as a `data:` URL; undefined if it has none. The caller has checked the permission. */
export async function findLogoUrl(reader: Reader, organizationId: string): Promise<string | undefined> {
  const logo = await findOrganizationLogo(reader, organizationId);
  return logo && `data:${logo.type};base64,${logo.content}`;
}
