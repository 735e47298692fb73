import assert from 'node:assert/strict';

/** What authenticates requests (OpenAPI 3.1, section 4.8.27). */
export interface SecurityScheme {
  readonly type: string;
  readonly flows?: Readonly<Record<string, { readonly scopes: Readonly<Record<string, string>> }>>;
}

/** The parts of the OpenAPI document that the tests read. */
export interface ApiDocument {
  readonly openapi: string;
  readonly info: { readonly description: string };
  readonly security: unknown;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
  };
}

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly description?: string;
  readonly required: boolean;
  readonly schema: Schema;
}

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  /** Default: that of the document. */
  readonly security?: unknown;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

export interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Response {
  readonly $ref?: string;
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly schema: Schema }>>;
  readonly content?: Content;
}

/** Parses a document, and replaces the references to shared parameters by what they refer to. */
export function readDocument(text: string): ApiDocument {
  const start = '#/components/parameters/';
  const { parameters } = (JSON.parse(text) as { components: { parameters: Record<string, Parameter> } })
    .components;
  return JSON.parse(text, (_, value: { readonly $ref?: unknown } | null) =>
    typeof value?.$ref === 'string' && value.$ref.startsWith(start)
      ? parameters[value.$ref.slice(start.length)]
      : value,
  ) as ApiDocument;
}

/** Returns a response that several operations may share. */
export function resolve({ components }: ApiDocument, response: Response): Response {
  if (response.$ref === undefined) return response;
  const shared = components.responses[response.$ref.replace('#/components/responses/', '')];
  assert.ok(shared, response.$ref);
  return shared;
}
