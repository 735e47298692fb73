import { maxCount } from '../protocol/listing.ts';
import { groupSchema, userSchema, type Attribute, type Schema } from './schema.ts';

const schemaOfSchemas = 'urn:ietf:params:scim:schemas:core:2.0:Schema';
const schemaOfTypes = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType';

/** What is described: its ID, and what else the standard defines. */
export type Described = Readonly<Record<string, unknown>> & { readonly id: string };

/** Returns what the server can do (RFC 7643, section 5). */
export const serviceProviderConfig = (base: string): object => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: maxCount },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'OAuth Bearer Token',
      description: 'A token of a service account with the scope scim, or an access token of its OAuth client',
      specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
});

/** Returns the kinds of resources (RFC 7643, section 6). */
export const resourceTypes = (base: string): Described[] =>
  [
    { name: 'User', endpoint: '/Users', schema: userSchema },
    { name: 'Group', endpoint: '/Groups', schema: groupSchema },
  ].map(({ name, endpoint, schema: { core, extensions } }) => ({
    schemas: [schemaOfTypes],
    id: name,
    name,
    endpoint,
    description: core.description,
    schema: core.id,
    ...(extensions.length > 0 && {
      schemaExtensions: extensions.map(({ id }) => ({ schema: id, required: false })),
    }),
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
  }));

/** Returns the schemas of the resources (RFC 7643, section 7). */
export const schemas = (base: string): Described[] =>
  [userSchema, groupSchema]
    .flatMap(({ core, extensions }) => [core, ...extensions])
    .map((schema) => describeSchema(base, schema));

const describeSchema = (base: string, { id, name, description, attributes }: Schema): Described => ({
  schemas: [schemaOfSchemas],
  id,
  name,
  description,
  attributes: attributes.map(describeAttribute),
  meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
});

const describeAttribute = (attribute: Attribute): object => ({
  name: attribute.name,
  type: attribute.type,
  multiValued: attribute.multiValued === true,
  description: attribute.description,
  required: attribute.required === true,
  ...(['string', 'reference'].includes(attribute.type) && { caseExact: attribute.caseExact === true }),
  ...(attribute.type === 'reference' && { referenceTypes: ['User'] }),
  mutability: attribute.readOnly === true ? 'readOnly' : 'readWrite',
  returned: 'default',
  uniqueness: attribute.isUnique === true ? 'server' : 'none',
  ...(attribute.subAttributes && { subAttributes: attribute.subAttributes.map(describeAttribute) }),
});
