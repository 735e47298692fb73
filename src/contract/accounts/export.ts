import { defineRoute } from '../route.ts';

export const exportAccount = defineRoute({
  id: 'exportAccount',
  tag: 'Account',
  access: 'session',
  summary: 'Export the data of your account',
  description:
    'Requires a recent confirmation of identity. Returns a ZIP archive with what you own, wrote and did, as far as this session can open ' +
    'its organizations, without secrets. `README.txt` explains the files. The audit log of each organization records it. At most five in 15 minutes, one at a time.',
  method: 'GET',
  path: '/api/auth/account/export',
  status: 200,
  alternatives: ['application/zip'],
  hasEffects: true,
  problems: ['confirmation_required', 'exports_busy', 'too_many_attempts'],
});
