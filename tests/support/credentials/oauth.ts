import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import type { Person, TestResponse, TestServer } from '../server/test-server.ts';
import { createServiceAccount } from './tokens.ts';

/** The program that belongs to the server. */
export const commandLine = { clientId: 'atrium-cli', redirectUri: 'http://127.0.0.1:40123/callback' };

/** Sends a form to an endpoint of OAuth. */
export const sendForm = (
  server: TestServer,
  operation: 'token' | 'device_authorization' | 'revoke',
  form: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestResponse> =>
  server.call(`POST /api/oauth/${operation}`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(form).toString(),
  });

/** The header by which a client authenticates with its secret. */
export const basic = (id: string, secret: string): { authorization: string } => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});

interface Approval {
  readonly organizationId: string;
  readonly scopes: readonly string[];
}

/** A code that a person has given to a program, with the verifier of its challenge. */
export interface GivenCode {
  readonly code: string;
  readonly verifier: string;
}

/** Authorizes a program, and returns the code that it gets. */
export async function giveCode(
  server: TestServer,
  as: Person,
  approval: Approval,
  client = commandLine,
): Promise<GivenCode> {
  const verifier = randomBytes(32).toString('base64url');
  const response = await server.call('POST /api/auth/authorizations', {
    as,
    body: {
      ...client,
      responseType: 'code',
      codeChallenge: createHash('sha256').update(verifier).digest('base64url'),
      codeChallengeMethod: 'S256',
      scope: approval.scopes.join(' '),
      approval,
    },
  });
  assert.equal(response.status, 200, response.text);
  return { code: new URL(response.body.redirectTo).searchParams.get('code') ?? '', verifier };
}

/** Exchanges a code for tokens. */
export const useCode = (
  server: TestServer,
  { code, verifier }: GivenCode,
  { clientId, redirectUri } = commandLine,
): Promise<TestResponse> =>
  sendForm(server, 'token', {
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code,
    code_verifier: verifier,
  });

/** The tokens of a program that a person has authorized. */
export interface ProgramTokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** Authorizes the command line by a code. */
export async function authorizeByCode(
  server: TestServer,
  as: Person,
  approval: Approval,
): Promise<ProgramTokens> {
  const response = await useCode(server, await giveCode(server, as, approval));
  assert.equal(response.status, 200, response.text);
  return response.body;
}

/** Authorizes the command line by the code of a device, whose requests have `headers`. */
export async function authorizeDevice(
  server: TestServer,
  as: Person,
  approval: Approval,
  headers: Readonly<Record<string, string>> = {},
): Promise<ProgramTokens> {
  const { clientId: client_id } = commandLine;
  const scope = approval.scopes.join(' ');
  const started = await sendForm(server, 'device_authorization', { client_id, scope }, headers);
  const body = { userCode: started.body.user_code, ...approval };
  const approved = await server.call('POST /api/auth/device-requests/approve', { as, body });
  assert.equal(approved.status, 204, approved.text);
  const response = await sendForm(server, 'token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    client_id,
    device_code: started.body.device_code,
  });
  assert.equal(response.status, 200, response.text);
  return response.body;
}

/** A service account whose client has a secret. */
export interface TestClient {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Of the secret. */
  readonly id: string;
}

/** Creates a service account with a secret of its client. */
export async function createClient(
  server: TestServer,
  as: Person,
  {
    organizationId,
    role = 'admin',
    ...input
  }: {
    readonly organizationId: string;
    readonly role?: string;
    readonly scopes?: readonly string[];
    readonly expiresAt?: string;
  },
): Promise<TestClient> {
  const { userId, expiresAt } = await createServiceAccount(server, as, { organizationId, role });
  const path = `/api/organizations/${organizationId}/service-accounts/${userId}/client-credentials`;
  const body = { name: 'Client', scopes: ['read'], expiresAt, ...input };
  const response = await server.call(`POST ${path}`, { as, body });
  assert.equal(response.status, 201, response.text);
  return response.body;
}

/** Returns an access token of a client. */
export async function authorizeClient(
  server: TestServer,
  { clientId, clientSecret }: TestClient,
): Promise<string> {
  const form = { grant_type: 'client_credentials' };
  const response = await sendForm(server, 'token', form, basic(clientId, clientSecret));
  assert.equal(response.status, 200, response.text);
  return response.body.access_token;
}
