import type { SsoTest } from '#contract/sso/sign-in.ts';
import { recordAudit } from '../../audit/audit.ts';
import type { Actor } from '../../base/actor.ts';
import { daysMs, timestamp } from '../../base/clock.ts';
import { AtriumError, notFound } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { requirePermission } from '../../organizations/authorization.ts';
import { limitTests } from '../../accounts/sign-in-limits.ts';
import { SignInRefusal } from '../protocol/sign-in-refusal.ts';
import { getConfiguration } from '../configuration/store.ts';
import { beginAttempt, type SsoSignInDependencies } from '../sign-in/attempts.ts';
import { findProtocolReasons } from '../configuration/reasons.ts';
import { findSsoTest, insertSsoTest } from './store.ts';

const lifetimeMs = daysMs(1);

/**
 * Starts a test sign-in with the stored configuration, enabled or not, and returns where to send the browser. Owner or
 * admin. Throws `sso_not_ready` if the configuration can't connect to the provider, and `too_many_attempts`.
 */
export async function createSsoTest(
  dependencies: SsoSignInDependencies,
  actor: Actor,
  input: { organizationId: string; connectionId?: string; browserToken: string | undefined },
): Promise<{ id: string; url: string; browserToken: string }> {
  const { database, clock } = dependencies;
  const { organizationId } = input;
  await requirePermission(database, actor, organizationId, 'sso.manage');
  const configuration = await getConfiguration(database, organizationId, input.connectionId);
  const reasons = findProtocolReasons(configuration);
  if (reasons.length > 0) {
    throw new AtriumError(
      'sso_not_ready',
      reasons.map(({ message, remedy }) => `${message} ${remedy}`).join('\n'),
    );
  }
  await limitTests(dependencies.signInLimits, organizationId);
  const id = newId();
  await database.write(async (transaction) => {
    await insertSsoTest(transaction, {
      id,
      organizationId,
      configurationId: configuration.id,
      at: timestamp(clock()),
    });
    await recordAudit(transaction, clock, {
      organizationId,
      action: 'sso.test.begun',
      actor,
      details: { testId: id },
    });
  });
  try {
    const started = await beginAttempt(dependencies, configuration, {
      returnTo: `/organizations/${organizationId}/sso/tests/${id}`,
      loginHint: undefined,
      isLoginForced: false,
      browserToken: input.browserToken,
      testId: id,
    });
    return { id, ...started };
  } catch (error) {
    if (!(error instanceof SignInRefusal)) throw error;
    throw new AtriumError('sso_not_ready', `${error.message} ${error.remedy}`, { cause: error });
  }
}

/** Returns the results of a test, which are available for a day. Owner or admin. */
export async function getSsoTest(
  { database, clock }: SsoSignInDependencies,
  actor: Actor,
  { organizationId, id, connectionId }: { organizationId: string; id: string; connectionId?: string },
): Promise<SsoTest> {
  await requirePermission(database, actor, organizationId, 'sso.manage');
  const row = await findSsoTest(database, { id, organizationId, since: timestamp(clock() - lifetimeMs) });
  if (row === undefined || (connectionId ?? row.configurationId) !== row.configurationId) throw notFound();
  const { createdAt, result, configurationId } = row;
  const started = { id, connectionId: configurationId, createdAt };
  if (result === null) return { ...started, state: 'waiting', checks: [] };
  // Sound because only a completed test writes the column.
  return { ...started, state: 'done', ...(JSON.parse(result) as Pick<SsoTest, 'checks'>) };
}
