/** An attribute of a resource (RFC 7643, section 7). */
export interface Attribute {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'complex' | 'reference';
  readonly description: string;
  readonly multiValued?: true;
  readonly required?: true;
  readonly caseExact?: true;
  readonly readOnly?: true;
  readonly isUnique?: true;
  readonly subAttributes?: readonly Attribute[];
}

export interface Schema {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly attributes: readonly Attribute[];
}

/** A kind of resource: its schema, and the extensions that are stored below their own ID. */
export interface ResourceSchema {
  readonly core: Schema;
  readonly extensions: readonly Schema[];
}

const text = (name: string, description: string, more: Partial<Attribute> = {}): Attribute => ({
  name,
  type: 'string',
  description,
  ...more,
});

/** An attribute with several values, each with a type such as `work`, of which at most one is primary. */
const values = (name: string, description: string, more: readonly Attribute[] = []): Attribute => ({
  name,
  type: 'complex',
  description,
  multiValued: true,
  subAttributes: [
    ...(more.length > 0
      ? more
      : [text('value', 'The value'), text('display', 'The value as people read it')]),
    text('type', 'What the value is for, such as work'),
    { name: 'primary', type: 'boolean', description: 'Whether it is the preferred value' },
  ],
});

/** The URL of a person, which only the server sets. */
const reference: Attribute = {
  name: '$ref',
  type: 'reference',
  description: 'The URL of the person',
  caseExact: true,
  readOnly: true,
};

const externalId = text('externalId', 'The ID of the resource in the directory', { caseExact: true });

const user: Schema = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:User',
  name: 'User',
  description: 'A person of the organization',
  attributes: [
    externalId,
    text('userName', 'The name with which the person signs in, usually an email address', {
      required: true,
      isUnique: true,
    }),
    {
      name: 'name',
      type: 'complex',
      description: 'The parts of the name',
      subAttributes: [
        text('formatted', 'The full name'),
        text('familyName', 'The family name'),
        text('givenName', 'The given name'),
        text('middleName', 'The middle names'),
        text('honorificPrefix', 'What precedes the name'),
        text('honorificSuffix', 'What follows the name'),
      ],
    },
    text('displayName', 'The name that others see'),
    text('nickName', 'A casual name'),
    text('profileUrl', 'A page about the person'),
    text('title', 'The job title'),
    text('userType', 'The kind of employment'),
    text('preferredLanguage', 'The preferred language'),
    text('locale', 'The region'),
    text('timezone', 'The time zone'),
    {
      name: 'active',
      type: 'boolean',
      description: 'Whether the person may use the organization. If not, sessions and tokens end at once',
    },
    values('emails', 'The email addresses'),
    values('phoneNumbers', 'The telephone numbers'),
    values('addresses', 'The postal addresses', [
      text('formatted', 'The whole address'),
      text('streetAddress', 'The street and number'),
      text('locality', 'The city'),
      text('region', 'The state or region'),
      text('postalCode', 'The postal code'),
      text('country', 'The country'),
    ]),
    values('roles', 'What the person does. Stored, but grants no permissions'),
  ],
};

const enterpriseUser: Schema = {
  id: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  name: 'EnterpriseUser',
  description: 'A person’s position in the company',
  attributes: [
    text('employeeNumber', 'The number of the employee'),
    text('costCenter', 'The cost center'),
    text('organization', 'The organization'),
    text('division', 'The division'),
    text('department', 'The department'),
    {
      name: 'manager',
      type: 'complex',
      description: 'The manager',
      subAttributes: [
        text('value', 'The ID of the manager', { caseExact: true }),
        text('displayName', 'The name of the manager', { readOnly: true }),
      ],
    },
  ],
};

const group: Schema = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  name: 'Group',
  description: 'A group that dashboards can be shared with and roles mapped to',
  attributes: [
    externalId,
    text('displayName', 'The name of the group', { required: true }),
    {
      name: 'members',
      type: 'complex',
      description: 'The people in the group',
      multiValued: true,
      subAttributes: [
        text('value', 'The ID of a person', { caseExact: true }),
        text('display', 'The name of the person', { readOnly: true }),
        reference,
        text('type', 'Always User', { readOnly: true }),
      ],
    },
  ],
};

export const userSchema: ResourceSchema = { core: user, extensions: [enterpriseUser] };
export const groupSchema: ResourceSchema = { core: group, extensions: [] };

/** The attributes that the server gives to every resource. Clients send them back, which changes nothing. */
export const commonAttributes: ReadonlySet<string> = new Set(['schemas', 'id', 'meta', 'groups']);

/** Returns the attribute with a name in any case (RFC 7643, section 2.1), or undefined. */
export function findAttribute(attributes: readonly Attribute[], name: string): Attribute | undefined {
  const wanted = name.toLowerCase();
  return attributes.find((attribute) => attribute.name.toLowerCase() === wanted);
}

/**
 * Returns the schema of an attribute that is named without one: an extension if only that has it, as in Entra's `manager`, and the core
 * otherwise.
 */
export const schemaOf = ({ core, extensions }: ResourceSchema, name: string): Schema =>
  [core, ...extensions].find(({ attributes }) => findAttribute(attributes, name) !== undefined) ?? core;

/** Returns the schema with an ID in any case, or undefined. */
export function findSchema({ core, extensions }: ResourceSchema, id: string): Schema | undefined {
  const wanted = id.toLowerCase();
  return [core, ...extensions].find((schema) => schema.id.toLowerCase() === wanted);
}
