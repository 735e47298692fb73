import { hash } from 'node:crypto';

/**
 * Returns the id that the first configuration of an organization will have, so that the redirect URI, which contains
 * it, can be registered at the identity provider first. It is a UUIDv7 with the organization's timestamp; the rest is a
 * hash.
 */
export function firstConfigurationId(organizationId: string): string {
  const digits = hash('sha256', `atrium sso configuration ${organizationId}`);
  const variant = '89ab'[Number.parseInt(digits.slice(3, 4), 16) % 4];
  return `${organizationId.slice(0, 13)}-7${digits.slice(0, 3)}-${variant}${digits.slice(4, 7)}-${digits.slice(7, 19)}`;
}
