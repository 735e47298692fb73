import type { TSchema } from 'typebox';
import { namedSchemas } from '#contract/components.ts';
import { descriptions } from '#contract/descriptions.ts';
import { Problem } from '#contract/problem.ts';

/** An object of the document. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Collects the schemas that a document refers to by name. */
export interface Schemas {
  /** Sorted by name once everything has been added. */
  readonly components: Record<string, JsonSchema>;
  /**
   * Returns a reference to a schema that has a name: that of the contract, or of the page of such items, or otherwise
   * `name` if it is an object. Any other schema is returned as it is in the document.
   */
  add(schema: TSchema | JsonSchema, name: string): JsonSchema;
}

export function createSchemas(): Schemas {
  const components: Record<string, JsonSchema> = {};
  const keys = new Map<string, string>();
  const named = new Map<string, JsonSchema>([...namedSchemas].map(([name, schema]) => [name, { ...schema }]));
  const names = new Map([...named].map(([name, schema]) => [keyOf(schema), name]));

  function add(given: TSchema | JsonSchema, fallback: string): JsonSchema {
    const schema: JsonSchema = { ...given };
    const key = keyOf(schema);
    const name = names.get(key) ?? pageName(schema) ?? ('properties' in schema ? fallback : undefined);
    if (name === undefined) return toDocument(schema, fallback);
    if ((keys.get(name) ?? key) !== key) throw new Error(`Two schemas have the name ${name}.`);
    if (!keys.has(name)) {
      keys.set(name, key);
      components[name] = toDocument(named.get(name) ?? schema, name);
    }
    const { description } = schema;
    const isOwn = description !== undefined && description !== components[name]?.['description'];
    return { $ref: `#/components/schemas/${name}`, ...(isOwn && { description }) };
  }

  function pageName({ properties }: JsonSchema): string | undefined {
    const { items, nextCursor, ...others } = (properties ?? {}) as Record<string, JsonSchema>;
    if (nextCursor === undefined || Object.keys(others).length > 0) return undefined;
    const item = names.get(keyOf(items?.['items'] as JsonSchema));
    return item && `${item}Page`;
  }

  /** Returns a schema in the words of the document: with references, and without what only the server reads. */
  function toDocument(schema: JsonSchema, name: string): JsonSchema {
    const { 'x-documented': documented, ...rest } = schema;
    if (documented !== undefined) return { ...(documented as JsonSchema), ...pick(rest, ['description']) };
    const result: Record<string, unknown> = { ...rest };
    const members = name === 'Problem' ? undefined : membersBesidesProblem(rest);
    if (members !== undefined)
      return { allOf: [add(Problem, 'Problem'), toDocument({ ...rest, ...members }, name)] };
    delete result['x-expected'];
    delete result['x-bounded-by'];
    if (rest['enum'] !== undefined) result['type'] ??= 'string';
    if (isObject(rest['properties'])) {
      result['properties'] = Object.fromEntries(
        Object.entries(rest['properties']).map(([member, value]) => [
          member,
          describe(add(value, name + title(member)), name, member),
        ]),
      );
    }
    if (isObject(rest['items'])) result['items'] = add(rest['items'], `${name}Item`);
    if (isObject(rest['additionalProperties']))
      result['additionalProperties'] = add(rest['additionalProperties'], `${name}Value`);
    if (isObject(rest['propertyNames'])) result['propertyNames'] = add(rest['propertyNames'], `${name}Name`);
    const [first, ...others] = (rest['anyOf'] ?? []) as readonly JsonSchema[];
    if (first === undefined) return result;
    if (others.length === 0) return { ...add(first, name), ...pick(rest, ['description']) };
    return { ...result, ...unionOf([first, ...others], name) };
  }

  /** Adds the description that a member's name has everywhere, unless it has its own. */
  function describe(schema: JsonSchema, name: string, member: string): JsonSchema {
    const description = descriptions[`${name}.${member}`] ?? descriptions[member];
    return description === undefined ? schema : { description, ...schema };
  }

  /** Each object of a union has the name of its `kind`, by which clients distinguish them. */
  function unionOf(branches: readonly JsonSchema[], name: string): JsonSchema {
    const discriminator = discriminators.find((member) =>
      branches.every((branch) => constantOf(branch, member) !== undefined),
    );
    const anyOf = branches.map((branch, index) => {
      const constant = discriminator && constantOf(branch, discriminator);
      return add(branch, constant === undefined ? `${name}${index + 1}` : title(constant) + name);
    });
    if (discriminator === undefined) return { anyOf };
    const mapping = Object.fromEntries<unknown>(
      branches.map((branch, index) => [constantOf(branch, discriminator) ?? '', anyOf[index]?.['$ref']]),
    );
    return { anyOf, discriminator: { propertyName: discriminator, mapping } };
  }

  return { components, add };
}

/** Returns the members that a schema adds to those of every problem, or undefined if it has not all of those. */
function membersBesidesProblem({ properties = {}, required = [] }: JsonSchema): JsonSchema | undefined {
  // Sound because these are the members of a JSON Schema.
  const [own, names] = [properties as Record<string, JsonSchema>, required as readonly string[]];
  const isOfProblem = (name: string) => name in Problem.properties;
  if (!Object.keys(Problem.properties).every((name) => name in own)) return undefined;
  return {
    properties: Object.fromEntries(Object.entries(own).filter(([name]) => !isOfProblem(name))),
    required: names.filter((name) => !isOfProblem(name)),
  };
}

/** The members that have a different constant in each object of a union. */
const discriminators = ['kind', 'event', 'format'] as const;

const constantOf = (schema: JsonSchema, member: string): string | undefined =>
  (schema['properties'] as Readonly<Record<string, { const?: string }>> | undefined)?.[member]?.const;

const isObject = (value: unknown): value is Record<string, JsonSchema> =>
  typeof value === 'object' && value !== null;

/** What makes two schemas the same: an optional member, or one with its own description, is a copy. */
const keyOf = ({ description: _, examples: _examples, ...schema }: JsonSchema): string =>
  JSON.stringify(schema);

const pick = (schema: JsonSchema, members: readonly string[]): JsonSchema =>
  Object.fromEntries(members.flatMap((name) => (name in schema ? [[name, schema[name]]] : [])));

/** `atrium.report/1` is `AtriumReport1`. */
export const title = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
