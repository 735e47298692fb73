import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeSignIns } from '../../support/sso/world.ts';
import { password, type SsoOrganization } from '../../support/sso/organization.ts';

describeSignIns('a failed sign-in without the directory', (world) => {
  const signIn = async (email: string, typed: string) =>
    (await world.signInByPassword({ email }, typed)).status;
  const signInByCode = async (email: string, code: string | undefined) =>
    (await world.signInByCode({ email }, code)).status;

  /** Returns the refusals in the audit log once there are this many, since they are written after the response. */
  async function refusals(organization: SsoOrganization, count: number) {
    for (let round = 0; round < 200; round += 1) {
      const found = await organization.refusals();
      if (found.length >= count) return found;
    }
    return [];
  }

  test('with a wrong password is in the log of each organization, a few times, without the input', async () => {
    const [one, two] = [await world.createOrganization(), await world.createOrganization()];
    const ada = await one.addAccount('Ada', 'editor');
    await world.server.addMember(two.id, ada, 'viewer');
    for (let count = 0; count < 8; count += 1) {
      assert.equal(await signIn(ada.email.toUpperCase(), 'typed-canary'), 401);
    }
    // Neither learns from where somebody tried to get into the account, which opens the other, too.
    const expected = { code: 'wrong_password', message: 'Incorrect password.', email: ada.email };
    for (const organization of [one, two]) {
      assert.deepEqual(
        await refusals(organization, 5),
        Array.from({ length: 5 }, () => expected),
      );
    }
    assert.equal(await signIn(ada.email, password), 200);
    assert.equal((await one.refusals()).length, 5);
    assert.ok(!JSON.stringify([await one.audit(), world.server.log]).includes('typed-canary'));
  });

  test('of an unknown account is in no log', async () => {
    const organization = await world.createOrganization();
    const ada = await organization.addAccount('Ada', 'viewer');
    const before = await organization.audit();
    assert.equal(await signIn(`nobody@${organization.domain}`, 'wrong'), 401);
    assert.equal(await signInByCode(`nobody@${organization.domain}`, 'wrong'), 401);
    assert.equal(await signIn(ada.email, 'wrong'), 401);
    assert.equal((await refusals(organization, 1)).length, 1);
    assert.equal((await organization.audit()).length, before.length + 1);
  });

  test('with a wrong recovery code, or a valid one with a wrong address, is in the log', async () => {
    const organization = await world.createOrganization();
    const ada = await organization.addAccount('Ada', 'owner');
    const [code] = await organization.createRecoveryCodes(ada);
    assert.equal(await signInByCode(ada.email, 'aaaaa-canary'), 401);
    const message = 'The recovery code is incorrect or was already used.';
    const wrong = { code: 'wrong_recovery_code', message, address: '127.0.0.1' };
    assert.deepEqual(await refusals(organization, 1), [{ ...wrong, email: ada.email }]);
    assert.equal(await signInByCode('typed-canary@nowhere.example', code), 401);
    assert.deepEqual(await refusals(organization, 2), [{ ...wrong, email: ada.email }, wrong]);
    assert.ok(!JSON.stringify(await organization.audit()).includes('canary'));
    // An organization that tries its own code must not learn whether another account exists.
    const other = await world.createOrganization();
    const bob = await other.addAccount('Bob', 'viewer');
    assert.equal(await signInByCode(bob.email, code), 401);
    assert.deepEqual((await refusals(organization, 3))[2], wrong);
    assert.deepEqual(await refusals(other, 1), [{ ...wrong, email: bob.email }]);
  });

  test('with a password that is no longer allowed is in the log', async () => {
    const organization = await world.createOrganization();
    const ada = await organization.addAccount('Ada', 'owner');
    await organization.createRecoveryCodes(ada);
    const scoped = await world.server.createSsoSession(ada, organization.id);
    assert.equal((await organization.putPolicy({ requireSso: true }, scoped)).status, 200);
    assert.equal(await signIn(ada.email, password), 403);
    const [refused] = await refusals(organization, 1);
    assert.deepEqual([refused?.['code'], refused?.['email']], ['sso_required', ada.email]);
  });
});
