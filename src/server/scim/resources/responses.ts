import type { ScimGroup } from '../groups/listing.ts';
import type { ScimUser } from '../users/users.ts';
import { findSchema, groupSchema, userSchema } from './schema.ts';
import { isObject } from './values.ts';

/** Returns the weak entity tag of a version: spaces and the order of members are not compared. */
export const etagOf = (version: number): string => `W/"${version}"`;

/** Returns a person as a resource. `base` is the URL before `/Users`. */
export function userResource(
  base: string,
  { id, attributes, version, createdAt, updatedAt }: ScimUser,
): object {
  const extensions = userSchema.extensions.filter((schema) => schema.id in attributes);
  return {
    schemas: [userSchema.core.id, ...extensions.map((schema) => schema.id)],
    id,
    ...attributes,
    meta: {
      resourceType: 'User',
      created: createdAt,
      lastModified: updatedAt,
      location: `${base}/Users/${id}`,
      version: etagOf(version),
    },
  };
}

/** Returns a group as a resource. */
export const groupResource = (base: string, group: ScimGroup): object => ({
  schemas: [groupSchema.core.id],
  id: group.id,
  displayName: group.displayName,
  ...(group.externalId !== null && { externalId: group.externalId }),
  ...(group.members && {
    members: group.members.map(({ id, name }) => ({
      value: id,
      display: name,
      type: 'User',
      $ref: `${base}/Users/${id}`,
    })),
  }),
  meta: {
    resourceType: 'Group',
    created: group.createdAt,
    lastModified: group.updatedAt,
    location: `${base}/Groups/${group.id}`,
    version: etagOf(group.version),
  },
});

/** Returns a page of resources (RFC 7644, section 3.4.2). */
export const listResponse = (total: number, startIndex: number, resources: readonly object[]): object => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
  totalResults: total,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
});

/** Which attributes of a resource to return (RFC 7644, section 3.9). */
export interface Projection {
  readonly attributes: readonly string[] | undefined;
  readonly excluded: readonly string[];
}

const alwaysReturned = ['schemas', 'id', 'meta'];

/** Reads `attributes` and `excludedAttributes`: lists of names with commas. */
export function readProjection(query: {
  readonly attributes?: string;
  readonly excludedAttributes?: string;
}): Projection {
  return { attributes: namesIn(query.attributes), excluded: namesIn(query.excludedAttributes) ?? [] };
}

function namesIn(text: string | undefined): string[] | undefined {
  if (text === undefined || text === '') return undefined;
  return text
    .slice(0, 2_000)
    .split(',')
    .map((name) => name.trim().toLowerCase());
}

const coreSchema = /^urn:ietf:params:scim:schemas:core:2\.0:(user|group):/;

/** Whether a projection leaves an attribute out. */
export const isLeftOut = ({ attributes, excluded }: Projection, name: string): boolean =>
  excluded.some((path) => path.replace(coreSchema, '') === name) ||
  (attributes !== undefined && !attributes.some((path) => topOf(path) === name));

/** The attribute, or the ID of the extension, that a path is in. */
const topOf = (text: string): string => {
  const [path = ''] = text.split('[');
  const colon = path.lastIndexOf(':');
  if (colon < 0) return path.split('.')[0] ?? path;
  const schema = findSchema(userSchema, path) ?? findSchema(userSchema, path.slice(0, colon));
  return schema === undefined || schema === userSchema.core
    ? (path.slice(colon + 1).split('.')[0] ?? path)
    : schema.id.toLowerCase();
};

/** Returns the attributes of a resource that a projection asks for. A part of an attribute stands for all of it. */
export function project(resource: object, projection: Projection): object {
  if (projection.attributes === undefined && projection.excluded.length === 0) return resource;
  if (!isObject(resource)) return resource;
  return Object.fromEntries(
    Object.entries(resource).filter(
      ([name]) => alwaysReturned.includes(name) || !isLeftOut(projection, name.toLowerCase()),
    ),
  );
}
