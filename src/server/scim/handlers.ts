import type { ScimCall, ScimDependencies } from './dependencies.ts';
import { changeGroup, createGroup, getGroup, readGroupNames, removeGroup } from './groups/groups.ts';
import { listScimGroups, withMembers, withoutMembers, type ScimGroup } from './groups/listing.ts';
import { addOperation, noChange, readMemberIds } from './groups/members.ts';
import type { GroupRow } from './groups/store.ts';
import { parseFilter } from './protocol/filter.ts';
import { readRange } from './protocol/listing.ts';
import { applyPatch, readOperations, withPaths } from './protocol/patch.ts';
import { parsePath } from './protocol/path.ts';
import { resourceNotFound, ScimError } from './protocol/errors.ts';
import { resourceTypes, schemas, serviceProviderConfig, type Described } from './resources/metadata.ts';
import {
  etagOf,
  groupResource,
  isLeftOut,
  listResponse,
  project,
  readProjection,
  userResource,
} from './resources/responses.ts';
import { groupSchema, userSchema } from './resources/schema.ts';
import { isObject, readResource, type Resource } from './resources/values.ts';
import { listScimUsers } from './users/listing.ts';
import {
  changeScimUser,
  createScimUser,
  deleteScimUser,
  getPerson,
  toScimUser,
  type ScimUser,
} from './users/users.ts';

/** The parts of a request that were checked to be texts. */
export interface ScimRequest extends ScimCall {
  readonly id: string;
  readonly query: Readonly<Record<string, string>>;
  /** The entity tags of If-Match and If-None-Match without `W/`: they are compared weakly, since all are weak (RFC 7644, section 3.14). */
  readonly ifMatch: readonly string[] | 'any';
  readonly ifNoneMatch: readonly string[];
  readonly body: unknown;
}

/** A response; without a body, nothing is sent. */
export interface ScimResponse {
  readonly status: 200 | 201 | 204 | 304;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

type Handler = (dependencies: ScimDependencies, request: ScimRequest) => Promise<ScimResponse>;

const baseOf = ({ publicUrl }: ScimDependencies, { organizationId }: ScimCall): string =>
  `${publicUrl}/scim/v2/${organizationId}`;

/** Returns whether a version is expected by If-Match. Entra sends none. */
const isExpectedBy =
  ({ ifMatch }: ScimRequest) =>
  (version: number): boolean =>
    ifMatch === 'any' || ifMatch.includes(`"${version}"`);

/** Returns one resource, or 304 if the client has its version. */
function one(
  { query, ifNoneMatch }: ScimRequest,
  { resource, version, location, status = 200 }: One,
): ScimResponse {
  const headers = { etag: etagOf(version), ...(status === 201 && { location }) };
  if (status === 200 && ifNoneMatch.includes(`"${version}"`)) return { status: 304, headers };
  return { status, headers, body: project(resource, readProjection(query)) };
}

interface One {
  readonly resource: object;
  readonly version: number;
  readonly location: string;
  readonly status?: 200 | 201;
}

const oneUser = (
  dependencies: ScimDependencies,
  request: ScimRequest,
  user: ScimUser,
  status: 200 | 201 = 200,
): ScimResponse => {
  const base = baseOf(dependencies, request);
  const location = `${base}/Users/${user.id}`;
  return one(request, { resource: userResource(base, user), version: user.version, location, status });
};

const oneGroup = (
  dependencies: ScimDependencies,
  request: ScimRequest,
  group: ScimGroup,
  status: 200 | 201 = 200,
): ScimResponse => {
  const base = baseOf(dependencies, request);
  const location = `${base}/Groups/${group.id}`;
  return one(request, { resource: groupResource(base, group), version: group.version, location, status });
};

export const listUsers: Handler = async (dependencies, request) => {
  const { query, organizationId } = request;
  const base = baseOf(dependencies, request);
  const range = readRange(query);
  const filter = readFilter(query);
  const toResource = (user: ScimUser) => userResource(base, user);
  const { total, items } = await listScimUsers(
    dependencies.database,
    organizationId,
    { filter, range },
    toResource,
  );
  const projection = readProjection(query);
  const resources = items.map((user) => project(toResource(user), projection));
  return { status: 200, body: listResponse(total, range.startIndex, resources) };
};

const readFilter = ({ filter }: ScimRequest['query']) =>
  filter === undefined || filter.trim() === '' ? undefined : parseFilter(filter);

export const getUser: Handler = async (dependencies, request) => {
  const row = await getPerson(dependencies.database, request.organizationId, request.id);
  return oneUser(dependencies, request, toScimUser(row));
};

export const createUser: Handler = async (dependencies, request) => {
  const user = await createScimUser(dependencies, request, readResource(userSchema, request.body));
  return oneUser(dependencies, request, user, 201);
};

export const replaceUser: Handler = async (dependencies, request) => {
  const replacement = readResource(userSchema, request.body);
  const change = ({ active }: Resource): Resource => ({ active: active ?? true, ...replacement });
  const user = await changeScimUser(dependencies, request, request.id, {
    isExpected: isExpectedBy(request),
    change,
  });
  return oneUser(dependencies, request, user);
};

export const patchUser: Handler = async (dependencies, request) => {
  const operations = readOperations(request.body);
  const user = await changeScimUser(dependencies, request, request.id, {
    isExpected: isExpectedBy(request),
    change: (attributes) => applyPatch(userSchema, attributes, operations),
  });
  return oneUser(dependencies, request, user);
};

export const deleteUser: Handler = async (dependencies, request) => {
  await deleteScimUser(dependencies, request, request.id, isExpectedBy(request));
  return { status: 204 };
};

export const listGroups: Handler = async (dependencies, request) => {
  const { query, organizationId } = request;
  const base = baseOf(dependencies, request);
  const range = readRange(query);
  const filter = readFilter(query);
  const projection = readProjection(query);
  const hasMembers = !isLeftOut(projection, 'members');
  const toResource = (group: ScimGroup) => groupResource(base, group);
  const { total, items } = await listScimGroups(
    dependencies.database,
    organizationId,
    { filter, range, hasMembers },
    toResource,
  );
  const resources = items.map((group) => project(toResource(group), projection));
  return { status: 200, body: listResponse(total, range.startIndex, resources) };
};

/** Whether an operation is a list, or returns the members of a group: these can read everyone and return megabytes. */
export const isLargeRead = (name: string, { query }: ScimRequest): boolean =>
  name === 'listUsers' ||
  name === 'listGroups' ||
  (name === 'getScimGroup' && !isLeftOut(readProjection(query), 'members'));

export const getScimGroup: Handler = async (dependencies, request) => {
  const group = await getGroup(dependencies.database, request.organizationId, request.id);
  return oneGroup(dependencies, request, await withMembersAskedFor(dependencies, request, group));
};

async function withMembersAskedFor(
  { database }: ScimDependencies,
  { query }: ScimRequest,
  group: GroupRow,
): Promise<ScimGroup> {
  const isWithout = isLeftOut(readProjection(query), 'members');
  const [found = withoutMembers(group)] = isWithout ? [] : await withMembers(database, [group]);
  return found;
}

/** The members are stored apart, since there can be many. */
function readGroup(body: unknown): { attributes: Resource; ids: readonly string[] } {
  const { members, ...others } = isObject(body) ? body : {};
  return {
    attributes: readResource(groupSchema, isObject(body) ? others : body),
    ids: readMemberIds(members),
  };
}

export const createScimGroup: Handler = async (dependencies, request) => {
  const { attributes, ids } = readGroup(request.body);
  const change = { ...noChange(), added: new Set(ids) };
  const group = await createGroup(dependencies, request, readGroupNames(attributes), change);
  const [created = withoutMembers(group)] = await withMembers(dependencies.database, [group]);
  return oneGroup(dependencies, request, created, 201);
};

export const replaceGroup: Handler = async (dependencies, request) => {
  const { attributes, ids } = readGroup(request.body);
  const members = { isReplaced: true, added: new Set(ids), removed: new Set<string>() };
  const group = await changeGroup(dependencies, request, request.id, {
    isExpected: isExpectedBy(request),
    change: () => ({ attributes, members }),
  });
  const [replaced = withoutMembers(group)] = await withMembers(dependencies.database, [group]);
  return oneGroup(dependencies, request, replaced);
};

/** Responds without a body, since a group can have thousands of members, unless attributes are asked for (RFC 7644, section 3.5.2). */
export const patchGroup: Handler = async (dependencies, request) => {
  const operations = withPaths(groupSchema, readOperations(request.body));
  const group = await changeGroup(dependencies, request, request.id, {
    isExpected: isExpectedBy(request),
    change: (before) => {
      let attributes = before;
      const members = noChange();
      for (const operation of operations) {
        const path = parsePath(groupSchema, operation.path);
        if (path.attribute.name === 'members') addOperation(members, path, operation);
        else attributes = applyPatch(groupSchema, attributes, [operation]);
      }
      return { attributes, members };
    },
  });
  const { attributes } = readProjection(request.query);
  return attributes === undefined
    ? { status: 204, headers: { etag: etagOf(group.version) } }
    : oneGroup(dependencies, request, await withMembersAskedFor(dependencies, request, group));
};

export const deleteScimGroup: Handler = async (dependencies, request) => {
  await removeGroup(dependencies, request, request.id, isExpectedBy(request));
  return { status: 204 };
};

export const getServiceProviderConfig: Handler = async (dependencies, request) => ({
  status: 200,
  body: serviceProviderConfig(baseOf(dependencies, request)),
});

const listOf =
  (all: (base: string) => object[]): Handler =>
  async (dependencies, request) => {
    // So that clients don't mistake all resources for the matching ones (RFC 7644, section 4).
    if (request.query['filter'] !== undefined)
      throw new ScimError(
        403,
        undefined,
        'Schemas and resource types can’t be filtered. Send the request without filter.',
      );
    const items = all(baseOf(dependencies, request));
    return { status: 200, body: listResponse(items.length, 1, items) };
  };

const oneOf =
  (all: (base: string) => Described[]): Handler =>
  async (dependencies, request) => {
    const found = all(baseOf(dependencies, request)).find(({ id }) => id === request.id);
    if (found === undefined) throw resourceNotFound();
    return { status: 200, body: found };
  };

export const listResourceTypes = listOf(resourceTypes);
export const getResourceType = oneOf(resourceTypes);
export const listSchemas = listOf(schemas);
export const getSchema = oneOf(schemas);
