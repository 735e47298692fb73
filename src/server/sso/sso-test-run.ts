import type { SsoCheck, SsoTest } from '#contract/sso-sign-in.ts';
import type { Claims } from './identity-provider.ts';
import { mapRole } from './role-mapping.ts';
import { SignInRefusal } from './sign-in-refusal.ts';
import { deleteAttempt, type SsoAttempt } from './sso-attempt-store.ts';
import { findKnownUser, findRoleToGive, refuseUnapprovedOwner } from './sso-admission.ts';
import { redeem, requireUsable, toRelyingParty, type SsoSignInNeeds } from './sso-attempts.ts';
import { getUser } from '../organizations/users.ts';
import type { Reader } from '../storage/database.ts';
import { findSsoConfigurationById, type StoredSsoConfiguration } from './sso-configuration-store.ts';
import { findProvenDomains } from './sso-domains.ts';
import { checkIdentity, readIdentity, shownClaims } from './sso-identity.ts';
import { getStoredSsoPolicy } from './sso-policy-store.ts';
import { updateSsoTest } from './sso-test-store.ts';

/** Does all that a sign-in does, lets nobody in, and keeps what it found. */
export async function completeTest(
  needs: SsoSignInNeeds,
  attempt: SsoAttempt,
  callbackUrl: URL,
): Promise<void> {
  const result = await runTest(needs, attempt, callbackUrl);
  await needs.database.write(async (transaction) => {
    await deleteAttempt(transaction, attempt.stateHash);
    await updateSsoTest(transaction, attempt.testId ?? '', JSON.stringify(result));
  });
}

async function runTest(
  needs: SsoSignInNeeds,
  attempt: SsoAttempt,
  callbackUrl: URL,
): Promise<Omit<SsoTest, 'id' | 'state' | 'createdAt'>> {
  const { database, secretBox, providers, publicUrl } = needs;
  const checks: SsoCheck[] = [];
  let discovery: SsoTest['discovery'];
  try {
    const configuration = requireUsable(
      await findSsoConfigurationById(database, attempt.configurationId),
      attempt,
    );
    discovery = await providers.discover(toRelyingParty(secretBox, publicUrl, configuration));
    checks.push({
      code: 'discovery',
      passed: true,
      message: `The discovery document is of ${discovery.issuer}.`,
    });
    const claims = await redeem(needs, configuration, attempt, callbackUrl);
    checks.push({
      code: 'token',
      passed: true,
      message: 'The ID token is signed by the provider, and is for this sign-in.',
    });
    checks.push(
      ...checkIdentity(
        configuration,
        await findProvenDomains(database, attempt.organizationId, configuration.emailDomains),
        claims,
      ),
    );
    const { key, email, ownEmail } = readIdentity(configuration, claims);
    const policy = await getStoredSsoPolicy(database, attempt.organizationId);
    const { isOverage } = mapRole(policy, claims);
    if (isOverage) {
      checks.push({
        code: 'groups',
        passed: false,
        message:
          'The person is in too many groups, so Entra leaves them out; a member keeps the role there is.',
        remedy: 'Map app roles instead of groups, or send only the groups assigned to the application.',
      });
    }
    const known = await findKnownUser(database, configuration, { key, email, ownEmail });
    const ownerCheck = known === undefined ? [] : await checkOwner(database, configuration, known);
    checks.push(...ownerCheck);
    return {
      checks,
      discovery,
      claims: shallowParts(shownClaims(claims)),
      ...(key !== undefined && { identity: { issuer: key.issuer, subject: key.subject } }),
      ...(email !== undefined && { email }),
      ...(known !== undefined && { account: await getUser(database, known) }),
      role: await findRoleToGive(database, configuration, known, claims),
    };
  } catch (error) {
    return { ...(discovery !== undefined && { discovery }), checks: [...checks, toCheck(error)] };
  }
}

async function checkOwner(
  reader: Reader,
  { organizationId, ownerApproved }: StoredSsoConfiguration,
  userId: string,
): Promise<SsoCheck[]> {
  try {
    await refuseUnapprovedOwner(reader, organizationId, userId, ownerApproved);
    return [];
  } catch (error) {
    return [toCheck(error)];
  }
}

/** Throws on what is no refusal. */
function toCheck(error: unknown): SsoCheck {
  if (!(error instanceof SignInRefusal)) throw error;
  return { code: error.code, passed: false, message: error.message, remedy: error.remedy };
}

/** No claim that means anything is deeper; what is, could not be written down. */
const deepestLevel = 10;

/** Returns `value` without what lies too deep. */
function shallow(value: unknown, level: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (level > deepestLevel) return '…';
  return Array.isArray(value)
    ? value.map((element) => shallow(element, level + 1))
    : shallowParts({ ...value }, level + 1);
}

const shallowParts = (parts: Claims, level = 1): Record<string, unknown> =>
  Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, shallow(part, level)]));
