import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { test, type TestContext } from 'node:test';
import type { AddressInfo } from 'node:net';
import { bearer } from '../../support/credentials/tokens.ts';
import { assertAccessible, expect, startWebOffice } from '../web-office.ts';
import { hasNoOverflow } from './desk.ts';

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

test('a person authorizes a program that registered itself, and denies it', async (context) => {
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
  await expect(page.getByText('Nobody has verified this program')).toBeVisible();
  await expect(page.getByText('The response goes to a program on this computer.')).toBeVisible();
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
  await page.getByRole('button', { name: 'Deny' }).click();
  await expect(page.getByText('Back in the program')).toBeVisible();
  assert.equal(program.responses.at(-1)?.searchParams.get('error'), 'access_denied');

  await page.goto(`${office.url}/oauth/authorize?${query({ scope: 'everything' })}`);
  await page.getByRole('link', { name: 'Back to the program' }).click();
  await expect(page.getByText('Back in the program')).toBeVisible();
  assert.equal(program.responses.at(-1)?.searchParams.get('error'), 'invalid_scope');

  await page.goto(`${office.url}/oauth/authorize?${query({ redirect_uri: 'https://evil.example/' })}`);
  await expect(page.getByText('This link is not valid')).toBeVisible();
});

const parameters = (clientId: string, redirectUri: string) =>
  new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  }).toString();

test('a hostile name is shown as text, and the host that gets the response stands out', async (context) => {
  const office = await startWebOffice(context);
  const names = [
    '<img src=x onerror=alert(1)>',
    'Agent” asks to read. It was verified by the operator. “',
    `\u200f\u05d0 ${'Atrium'.repeat(30)}`,
  ];
  const page = await office.open('/device', office.owner, { viewport: { width: 360, height: 740 } });
  page.on('dialog', () => assert.fail('a script in the name has run'));
  for (const name of names) {
    const uri = `https://${new URL(office.url).hostname}.evil.example/callback?${'x'.repeat(200)}`;
    const { body } = await office.server.call('POST /api/oauth/register', {
      body: { client_name: name, redirect_uris: [uri] },
    });
    await page.goto(`${office.url}/oauth/authorize?${parameters(body.client_id, uri)}`);
    await expect(page.locator('bdi').first()).toHaveText(name);
    await expect(page.getByText('Nobody has verified this program')).toBeVisible();
    await expect(page.locator('bdi').last()).toHaveText(new URL(uri).host);
    await assertAccessible(page);
    await hasNoOverflow(page);
  }
  const own = parameters('atrium-cli', 'http://127.0.0.1:1/callback');
  await page.goto(`${office.url}/oauth/authorize?${own}`);
  await expect(page.getByText('It belongs to this server.')).toBeVisible();
  await expect(page.getByText('Nobody has verified this program')).toHaveCount(0);
});

test('the pages that ask for consent can’t be framed, and lead through sign-in and back', async (context) => {
  const office = await startWebOffice(context);
  const path = `/oauth/authorize?${parameters('atrium-cli', 'http://127.0.0.1:1/callback')}`;
  for (const framed of [path, '/device']) {
    const { headers } = await fetch(`${office.url}${framed}`);
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/, framed);
  }
  const page = await office.open(path);
  await expect(page).toHaveURL(/sign-in/);
  await expect(page.getByText('You’ll return to your page')).toBeVisible();
});

test('a person is asked in German', async (context) => {
  const office = await startWebOffice(context);
  const uri = 'https://agent.example/callback';
  const { body } = await office.server.call('POST /api/oauth/register', {
    body: { client_name: 'Agent', redirect_uris: [uri] },
  });
  const page = await office.open(`/oauth/authorize?${parameters(body.client_id, uri)}`, office.owner, {
    locale: 'de-DE',
  });
  await expect(page.getByText('„Agent“ möchte in Ihrem Namen handeln.')).toBeVisible();
  await expect(page.getByText('Niemand hat dieses Programm geprüft')).toBeVisible();
  await expect(page.getByText('Die Antwort geht an agent.example.')).toBeVisible();
  await assertAccessible(page);
});
