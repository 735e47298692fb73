import { createPasswordReset } from '../../../../src/server/accounts/password-reset.ts';
import { makeOperator } from '../../../support/organizations/operators.ts';
import { setPassword } from '../../../support/organizations/passwords.ts';
import { expectSuccess, password, type Requests } from './world.ts';

/** Of the server itself, of setting it up, and of sessions. */
export const sessionRequests: Requests = {
  'GET /api/health/live': () => ({ line: 'GET /api/health/live' }),
  'GET /api/health/ready': () => ({ line: 'GET /api/health/ready' }),
  'GET /api/set-up': () => ({ line: 'GET /api/set-up' }),
  'POST /api/set-up': () => ({
    line: 'POST /api/set-up',
    body: { token: 'x'.repeat(43), email: 'eve@example.com', name: 'Eve', password, organization: 'Eve' },
  }),
  'GET /api/server': async ({ server, owner }) => {
    await makeOperator(server, owner);
    return { line: 'GET /api/server' };
  },
  'PATCH /api/server': async ({ server, owner }) => {
    await makeOperator(server, owner);
    return { line: 'PATCH /api/server', body: { logLevel: 'debug' } };
  },
  'POST /api/auth/sign-in/email': ({ accountEmail: email }) => ({
    line: 'POST /api/auth/sign-in/email',
    body: { email, password },
  }),
  'POST /api/auth/sign-in/recovery': async ({ server, owner, organizationId: id }) => {
    const { body } = await expectSuccess(server, owner, `POST /api/sso/orgs/${id}/recovery-codes`);
    return { line: 'POST /api/auth/sign-in/recovery', body: { email: owner.email, code: body.codes[0] } };
  },
  'POST /api/auth/sign-out': () => ({ line: 'POST /api/auth/sign-out' }),
  'GET /api/auth/get-session': () => ({ line: 'GET /api/auth/get-session' }),
  'GET /api/auth/list-sessions': () => ({ line: 'GET /api/auth/list-sessions' }),
  'POST /api/auth/revoke-session': async ({ server, owner }) => {
    const { body } = await expectSuccess(server, owner, 'GET /api/auth/get-session');
    return { line: 'POST /api/auth/revoke-session', body: { id: body.session.id }, ids: [body.session.id] };
  },
  'POST /api/auth/revoke-other-sessions': () => ({ line: 'POST /api/auth/revoke-other-sessions' }),
  'POST /api/auth/confirm': async ({ server, as }) => {
    if (as !== undefined) await setPassword(server, as, password);
    return { line: 'POST /api/auth/confirm', body: { password } };
  },
  'GET /api/auth/account': () => ({ line: 'GET /api/auth/account' }),
  'POST /api/auth/update-user': () => ({ line: 'POST /api/auth/update-user', body: { name: 'Renamed' } }),
  'POST /api/auth/change-password': async ({ server, as }) => {
    if (as !== undefined) await setPassword(server, as, password);
    return {
      line: 'POST /api/auth/change-password',
      body: { currentPassword: password, newPassword: 'another horse battery' },
    };
  },
  'POST /api/auth/request-password-reset': ({ accountEmail: email }) => ({
    line: 'POST /api/auth/request-password-reset',
    body: { email },
  }),
  'POST /api/auth/reset-password': async ({ server }) => {
    const person = await server.createPerson();
    // The clock of the server is hours ahead by now, to have ended a session.
    const clock = () => Date.UTC(2027, 0, 1);
    const token = await server.database.write((transaction) =>
      createPasswordReset(transaction, clock, person.id),
    );
    return { line: 'POST /api/auth/reset-password', body: { token, newPassword: 'another horse battery' } };
  },
};
