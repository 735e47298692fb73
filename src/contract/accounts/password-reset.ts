import { Type } from 'typebox';
import { LinkToken } from '../limits.ts';
import { defineRoute } from '../route.ts';
import { Email, NewPassword } from '../values.ts';

const route = { tag: 'Account', access: 'public', method: 'POST', status: 200 } as const;

export const requestPasswordReset = defineRoute({
  ...route,
  id: 'requestPasswordReset',
  summary: 'Request a link to reset a password',
  description:
    'The link is sent to the address by email, works once, expires after an hour, and replaces any earlier one. The ' +
    'response is the same, and takes the same time, whether or not the account exists.',
  path: '/api/auth/request-password-reset',
  body: Type.Object({ email: Email }),
  reply: Type.Object({
    sendsMail: Type.Boolean({
      description: 'Whether a mail server is configured; without one, the operator creates the link',
    }),
  }),
  problems: ['too_many_attempts'],
});

export const resetPassword = defineRoute({
  ...route,
  id: 'resetPassword',
  summary: 'Choose a new password with the link',
  description:
    'The token is the part of the link after `#`. Ends every session of the person, every other link, their personal tokens, ' +
    'the programs that they authorized, and the links for wall displays that they created. Does not sign anyone in.',
  path: '/api/auth/reset-password',
  body: Type.Object({ token: LinkToken, newPassword: NewPassword }),
  reply: Type.Object({
    endedSessions: Type.Integer({ description: 'How many sessions were ended' }),
    endedTokens: Type.Integer({
      description: 'How many personal tokens and authorizations of programs were ended',
    }),
    endedDisplayLinks: Type.Integer({ description: 'How many links for wall displays were ended' }),
  }),
  problems: ['link_not_valid', 'too_many_attempts'],
});
