import assert from 'node:assert/strict';
import type { Directory } from '../../../support/sso/directory.ts';
import type { DnsServer } from '../../../support/network/dns-server.ts';
import type { Answer, Person, TestServer } from '../../../support/server/test-server.ts';

/** An organization of its own for one request, and who sends that. */
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
  /** The ids of the organization and of what it has, as far as they are in the request. */
  readonly ids?: readonly string[];
  /** A cookie beside that of the session. */
  readonly cookie?: string;
}

/** A valid request for each line of the table, about things that were just made. */
export type Requests = Readonly<Record<string, (world: World) => Request | Promise<Request>>>;

export const password = 'correct horse battery';

/** Sends what has to succeed before a request of the table can be made. */
export async function expectSuccess(
  server: TestServer,
  as: Person | undefined,
  line: string,
  body?: object,
): Promise<Answer> {
  const answer = await server.call(line, { ...(as && { as }), ...(body && { body }) });
  assert.ok(answer.status < 300, `${line}: ${answer.text}`);
  return answer;
}

/** The same request about what never was. */
export const withUnknownIds = ({ ids = [], ...request }: Request): Request => {
  const unknown = ids.reduce((text, id) => text.replaceAll(id, crypto.randomUUID()), JSON.stringify(request));
  return JSON.parse(unknown) as Request;
};

/** An answer without what differs between any two. */
export const withoutIdentity = ({
  status,
  headers: { date: _date, ...headers },
  text,
  body,
}: Answer): Pick<Answer, 'status' | 'headers' | 'text'> => ({
  status,
  headers,
  text: text.replace(body.requestId, ''),
});
