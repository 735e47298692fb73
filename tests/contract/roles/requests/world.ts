import assert from 'node:assert/strict';
import type { Directory } from '../../../support/sso/directory.ts';
import type { DnsServer } from '../../../support/network/dns-server.ts';
import type { TestResponse, Person, TestServer } from '../../../support/server/test-server.ts';

/** An organization that only one request is about, and the person who sends the request. */
export interface World {
  readonly server: TestServer;
  readonly organizationId: string;
  readonly owner: Person;
  readonly as: Person | undefined;
  /** The email address of an account whose password is `password`. */
  readonly accountEmail: string;
  readonly directory: Directory;
  readonly dns: DnsServer;
}

export interface Request {
  /** With every `{…}` filled in. */
  readonly line: string;
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The ids of the organization and of its things that the request contains. */
  readonly ids: readonly string[];
  /** A cookie in addition to that of the session. */
  readonly cookie?: string;
}

export const password = 'correct horse battery';

/** Sends a request on which the request of the table depends. */
export async function expectSuccess(
  server: TestServer,
  as: Person | undefined,
  line: string,
  body?: object,
): Promise<TestResponse> {
  const response = await server.call(line, { ...(as && { as }), ...(body && { body }) });
  assert.ok(response.status < 300, `${line}: ${response.text}`);
  return response;
}

/** Returns the same request about things that never existed. */
export const withUnknownIds = ({ ids, ...request }: Request): Request => {
  const unknown = ids.reduce((text, id) => text.replaceAll(id, crypto.randomUUID()), JSON.stringify(request));
  return { ...(JSON.parse(unknown) as Request), ids: [] };
};

/** Returns a response without the parts that differ between any two. */
export const withoutIdentity = ({
  status,
  headers: { date: _date, 'x-request-id': _requestId, ...headers },
  text,
  body,
}: TestResponse): Pick<TestResponse, 'status' | 'headers' | 'text'> => ({
  status,
  headers,
  text: text.replace(body.requestId, ''),
});
