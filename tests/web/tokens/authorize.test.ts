import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { test, type TestContext } from 'node:test';
import type { AddressInfo } from 'node:net';
import { bearer } from '../../support/credentials/tokens.ts';
import { assertAccessible, expect, startWebOffice } from '../web-office.ts';

/** A program on this computer that waits for the response in a browser. */
async function startProgram(context: TestContext) {
  const responses: URL[] = [];
  const server = createServer(({ url = '' }, response) => {
    responses.push(new URL(url, 'http://127.0.0.1'));
    response.end('Back in the program');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => server.close());
  return { uri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`, responses };
}

test('a person authorizes a program that registered itself, and refuses it', async (context) => {
  const office = await startWebOffice(context);
  const { server, organizationId } = office;
  const program = await startProgram(context);
  const registered = await server.call('POST /api/oauth/register', {
    body: { client_name: 'Agent', redirect_uris: [program.uri] },
  });
  const { client_id: clientId } = registered.body;
  const verifier = randomBytes(32).toString('base64url');
  const query = (more = {}) =>
    new URLSearchParams({
      client_id: clientId,
      redirect_uri: program.uri,
      response_type: 'code',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      scope: 'read reports:write',
      state: 'a&b=c',
      ...more,
    }).toString();
  const page = await office.open(`/oauth/authorize?${query()}`, office.owner);
  await expect(page.getByText('“Agent” asks to act as you.')).toBeVisible();
  await expect(page.getByText(program.uri)).toBeVisible();
  await assertAccessible(page);
  await page.getByLabel('Change reports').uncheck();
  await page.getByRole('button', { name: 'Authorize' }).click();
  await expect(page.getByText('Back in the program')).toBeVisible();
  const [response] = program.responses;
  assert.equal(response?.searchParams.get('state'), 'a&b=c');
  const { body } = await server.call('POST /api/oauth/token', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: program.uri,
      code: response?.searchParams.get('code') ?? '',
      code_verifier: verifier,
    }).toString(),
  });
  assert.equal(body.scope, 'read');
  const read = await server.call(
    `GET /api/organizations/${organizationId}`,
    bearer({ token: body.access_token }),
  );
  assert.equal(read.status, 200);

  await page.goto(`${office.url}/oauth/authorize?${query()}`);
  await page.getByRole('button', { name: 'Refuse' }).click();
  await expect(page.getByText('Back in the program')).toBeVisible();
  assert.equal(program.responses.at(-1)?.searchParams.get('error'), 'access_denied');

  await page.goto(`${office.url}/oauth/authorize?${query({ scope: 'everything' })}`);
  await page.getByRole('link', { name: 'Back to the program' }).click();
  await expect(page.getByText('Back in the program')).toBeVisible();
  assert.equal(program.responses.at(-1)?.searchParams.get('error'), 'invalid_scope');

  await page.goto(`${office.url}/oauth/authorize?${query({ redirect_uri: 'https://evil.example/' })}`);
  await expect(page.getByText('This link is not valid')).toBeVisible();
});
