import type { PlanContext } from '../plan.ts';

/** Whether the organization requires a confirmation of identity for changes of single sign-on and for new admins. A token can't give one. */
export async function requiresConfirmation({
  server,
  organizationId,
}: Pick<PlanContext, 'server' | 'organizationId'>): Promise<boolean> {
  const path = 'GET /api/organizations/{orgId}/authentication-policy';
  return (await server.client.call(path, { params: { orgId: organizationId } })).confirmSsoChanges;
}
