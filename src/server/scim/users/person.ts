import { normalizeEmail } from '../../base/texts/email-address.ts';
import { findOwnAddress } from '../../sso/provisioning/people.ts';
import { badRequest } from '../protocol/errors.ts';
import { isObject, type Resource } from '../resources/values.ts';

/** What the attributes of a person mean for an account. */
export interface Person {
  readonly userName: string;
  readonly externalId: string | undefined;
  readonly active: boolean;
  /** Normalized, in a verified domain of the directory. */
  readonly email: string;
  readonly name: string;
}

const maxNameLength = 255;
const maxBytes = 16_384;

/**
 * Returns the account that the attributes describe. Its address is the primary one, that for work, another one, or the user name: the
 * first of these in a verified domain, or else `otherwise`. Throws `invalidValue`.
 */
export function readPerson(
  resource: Readonly<Resource>,
  provenDomains: readonly string[],
  otherwise?: string,
): Person {
  // Suspending someone must not exceed it, so it counts for all.
  if (Buffer.byteLength(JSON.stringify({ ...resource, active: false })) > maxBytes)
    throw badRequest('invalidValue', 'The attributes of a person may have at most 16 KB.');
  const userName = textAt(resource, 'userName')?.trim() ?? '';
  if (userName === '') throw badRequest('invalidValue', 'userName is missing.');
  const email = findOwnAddress(provenDomains, addressesOf(resource, userName)) ?? otherwise;
  if (email === undefined) {
    throw badRequest(
      'invalidValue',
      'No address of the person (emails, userName) is in a domain that the organization has verified for its directory.',
    );
  }
  const externalId = textAt(resource, 'externalId');
  return {
    userName,
    externalId: externalId === '' ? undefined : externalId,
    active: resource['active'] !== false,
    email,
    name: nameOf(resource, userName),
  };
}

function addressesOf(resource: Readonly<Resource>, userName: string): string[] {
  const emails = (Array.isArray(resource['emails']) ? resource['emails'] : []).filter(isObject);
  const rank = (entry: Readonly<Record<string, unknown>>) =>
    entry['primary'] === true ? 0 : String(entry['type']).toLowerCase() === 'work' ? 1 : 2;
  const sorted = emails.toSorted((one, other) => rank(one) - rank(other));
  return [...sorted.map((entry) => entry['value']), userName].flatMap((text) => {
    const email = typeof text === 'string' ? normalizeEmail(text) : undefined;
    return email === undefined ? [] : [email];
  });
}

function nameOf(resource: Readonly<Resource>, userName: string): string {
  const name = isObject(resource['name']) ? resource['name'] : {};
  const joined = [name['givenName'], name['familyName']].filter((part) => typeof part === 'string').join(' ');
  const found = [resource['displayName'], name['formatted'], joined, userName].find(
    (text) => typeof text === 'string' && text.trim() !== '',
  );
  // Names are shown in one line.
  return String(found).replaceAll(/\s+/g, ' ').trim().slice(0, maxNameLength).toWellFormed();
}

const textAt = (resource: Readonly<Resource>, name: string): string | undefined => {
  const value = resource[name];
  return typeof value === 'string' ? value : undefined;
};
