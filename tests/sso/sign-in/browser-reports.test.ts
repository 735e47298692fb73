import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutesMs } from '../../../src/server/base/clock.ts';
import { describeSignIns } from '../../support/sso/world.ts';
import type { SsoOrganization } from '../../support/sso/organization.ts';
import type { TestResponse } from '../../support/server/test-server.ts';

/** Anyone can start a sign-in and return with forged parameters. */
describeSignIns('an error of the directory that a browser reports', (world) => {
  async function comeBackWith(
    organization: SsoOrganization,
    parameters: Readonly<Record<string, string>>,
  ): Promise<TestResponse> {
    const { url, cookie } = await organization.start();
    const query = new URLSearchParams({
      state: new URL(url).searchParams.get('state') ?? '',
      iss: organization.directory.issuer,
      ...parameters,
    });
    const path = `GET /api/sso/callback/${organization.configurationId}?${query.toString()}`;
    return world.server.call(path, { headers: { cookie } });
  }

  const note = /\(Reported by the browser, not confirmed by the identity provider\.\)/;

  test('is marked as such, and does not change the state', async () => {
    const organization = await world.createOrganization();
    const response = await comeBackWith(organization, {
      error: 'access_denied',
      error_description: 'AADSTS50105: The signed in user is not assigned to a role.',
    });
    assert.deepEqual([response.status, response.body.code], [403, 'sign_in_refused']);
    const { state, reasons, lastFailure } = await organization.status();
    assert.deepEqual([state, reasons], ['ready', []]);
    assert.match(lastFailure?.message ?? '', /^The person isn’t assigned to the application\./);
    assert.match(lastFailure?.message ?? '', note);
    const [refused] = await organization.refusals();
    assert.deepEqual(refused, {
      code: 'AADSTS50105',
      message: lastFailure?.message,
      address: '127.0.0.1',
    });
  });

  test('is neither repeated nor trusted', async () => {
    const organization = await world.createOrganization();
    const forged = 'Call +1 555 0100 to unlock your account <script>';
    const cases: [error: string, description: string | undefined, code: string][] = [
      ['access_denied', forged, 'access_denied'],
      ['interaction_required', `AADSTS50076: ${forged}`, 'AADSTS50076'],
      ['server_error', `AADSTS90033: ${forged}`, 'AADSTS90033'],
      ['server_error', `AADSTS123456789: ${forged}`, 'server_error'],
      ['invalid_client', forged, 'provider_error'],
      ['owner_not_approved', forged, 'provider_error'],
      ['AADSTS7000222', undefined, 'provider_error'],
      ['constructor', forged, 'provider_error'],
      [forged, forged, 'provider_error'],
      ['e'.repeat(3_000), 'd'.repeat(3_000), 'provider_error'],
    ];
    for (const [error, description, code] of cases) {
      world.server.advance(1_000);
      const response = await comeBackWith(organization, {
        error,
        ...(description !== undefined && { error_description: description }),
      });
      assert.equal(response.status, 403, response.text);
      const status = await organization.call('GET /status');
      const refused = await organization.refusals();
      assert.equal(refused.at(-1)?.['code'], code, error);
      assert.equal(status.body.state, 'ready', error);
      assert.match(status.body.lastFailure.message, note, error);
      for (const text of [response.text, status.text, JSON.stringify(refused)]) {
        assert.doesNotMatch(text, /1 555 0100|<script>|e{20}|d{20}/, error);
      }
    }
  });

  test('does not hide a failure of the directory', async () => {
    const organization = await world.createOrganization();
    const subject = organization.addPerson('Bob');
    await organization.save({ clientSecret: 'a wrong secret' });
    assert.equal((await organization.signIn(subject)).status, 403);
    const failing = await organization.status();
    assert.deepEqual([failing.state, failing.reasons[0]?.code], ['failing', 'invalid_client']);
    world.server.advance(minutesMs(1));
    await comeBackWith(organization, { error: 'access_denied' });
    assert.deepEqual(await organization.status(), failing);
    assert.deepEqual(
      (await organization.refusals()).map((details) => details['code']),
      ['invalid_client', 'access_denied'],
    );
  });

  test('never changes the state of a working configuration to failing', async () => {
    const organization = await world.createOrganization();
    for (const parameters of [
      { code: 'made-up' },
      { code: '' },
      { code: 'é'.repeat(15_000) },
      { code: 'x'.repeat(15_000) },
      {},
      { code: 'x', iss: 'https://elsewhere.example' },
      { code: 'x', id_token: 'x.y.z' },
      { code: 'x', response: 'x.y.z' },
    ]) {
      world.server.advance(1_000);
      const response = await comeBackWith(organization, parameters);
      assert.equal(response.status, 403, response.text);
      const { state, lastFailure } = await organization.status();
      assert.equal(state, 'ready', JSON.stringify(parameters));
      assert.ok(lastFailure);
    }
    assert.equal((await organization.refusals()).length, 8);
  });

  test('does not fill the log, and does not displace errors of the directory', async () => {
    const organization = await world.createOrganization();
    const other = await world.createOrganization();
    for (let count = 0; count < 40; count += 1) {
      assert.equal((await comeBackWith(organization, { error: 'access_denied' })).status, 403);
    }
    assert.equal((await organization.refusals()).length, 30);
    await comeBackWith(other, { error: 'access_denied' });
    assert.equal((await other.refusals()).length, 1);
    const stranger = organization.addPerson('Eve', { preferred_username: 'eve@elsewhere.example' });
    assert.equal((await organization.signIn(stranger)).status, 403);
    const last = (await organization.refusals()).at(-1);
    assert.deepEqual([last?.['code'], last?.['email']], ['domain_refused', 'eve@elsewhere.example']);
  });

  test('a blocked start is recorded, a limited number of times', async () => {
    const organization = await world.createOrganization({ isVerified: false });
    for (let count = 0; count < 40; count += 1) {
      const response = await world.server.call(`GET /api/sso/start/${organization.id}`);
      assert.deepEqual([response.status, response.body.code], [403, 'sign_in_refused']);
    }
    const written = await organization.refusals();
    assert.equal(written.length, 30);
    assert.deepEqual(written[0], {
      code: 'configuration_incomplete',
      message: 'Single sign-on is not fully set up for this organization.',
      address: '127.0.0.1',
    });
    assert.equal((await organization.status()).state, 'blocked');
  });
});
