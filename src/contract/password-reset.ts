import { Type } from 'typebox';
import { defineRoute } from './route.ts';
import { Email, NewPassword } from './values.ts';

const route = { tag: 'Account', access: 'public', method: 'POST', status: 200 } as const;

export const requestPasswordReset = defineRoute({
  ...route,
  id: 'requestPasswordReset',
  summary: 'Ask for a link to reset the password of an account',
  description:
    'The link is mailed to the address, works once and within an hour, and replaces any before. The response is the same, ' +
    'and takes the same time, whether there is such an account or not.',
  path: '/api/auth/request-password-reset',
  body: Type.Object({ email: Email }),
  reply: Type.Object({
    sendsMail: Type.Boolean({
      description: 'Whether this server has a mail server; without one its operator makes the link',
    }),
  }),
  problems: ['too_many_attempts'],
});

export const resetPassword = defineRoute({
  ...route,
  id: 'resetPassword',
  summary: 'Choose a new password with the link that was mailed',
  description:
    'The token is what follows `#` in the link. Every session of the person ends, and every other link. The response signs ' +
    'nobody in.',
  path: '/api/auth/reset-password',
  body: Type.Object({ token: Type.String(), newPassword: NewPassword }),
  reply: Type.Object({ endedSessions: Type.Integer({ description: 'How many sessions were ended' }) }),
  problems: ['link_not_valid', 'too_many_attempts'],
});
