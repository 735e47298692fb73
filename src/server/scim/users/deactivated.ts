import { lockOrganization } from '../../organizations/authorization.ts';
import type { ScimDependencies } from '../dependencies.ts';
import { deactivate } from './membership.ts';
import { isDeactivatedMember, selectDeactivatedMembers } from './store.ts';

/**
 * Suspends people who were the last owner of their organization when the directory deactivated them, once there is another owner. The
 * directory has already sent the change, and doesn't send it again.
 */
export async function suspendFormerLastOwners(
  dependencies: Pick<ScimDependencies, 'database' | 'clock' | 'endCredentials'>,
  stopped: AbortSignal,
): Promise<void> {
  const { database } = dependencies;
  const failures: unknown[] = [];
  for (const member of await selectDeactivatedMembers(database)) {
    if (stopped.aborted) return;
    const { organizationId } = member;
    try {
      await database.write(async (transaction) => {
        await lockOrganization(transaction, organizationId);
        if (await isDeactivatedMember(transaction, member))
          await deactivate(dependencies, transaction, undefined, member);
      });
    } catch (error) {
      // Other organizations aren't affected.
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
