import type { SsoCheck, SsoTest } from '#contract/sso/sign-in.ts';
import { shallowClaims } from '../protocol/shallow-claims.ts';
import { mapRole } from '../identity/role-mapping.ts';
import { SignInRefusal } from '../protocol/sign-in-refusal.ts';
import { deleteAttempt, type SsoAttempt } from '../sign-in/attempt-store.ts';
import { findRoleToGive, requireApprovedOwner } from '../sign-in/admission.ts';
import { findLinkableAccount, refusalToLink } from '../sign-in/account-link.ts';
import { findKeptAccount, type KeptAccount } from '../migration/matching.ts';
import { redeem, requireUsable, toRelyingParty, type SsoSignInDependencies } from '../sign-in/attempts.ts';
import { getUser, type AccountRow } from '../../organizations/users.ts';
import type { Reader } from '../../storage/database.ts';
import { findSsoConfigurationById, type StoredSsoConfiguration } from '../configuration/store.ts';
import { findProvenDomains } from '../domains/domains.ts';
import { checkIdentity, readIdentity, shownClaims } from '../identity/identity.ts';
import { findIdentityUser } from '../identity/store.ts';
import { getStoredSsoPolicy } from '../configuration/policy-store.ts';
import { updateSsoTest } from './store.ts';

/** Performs a sign-in without creating a session, and stores the results. */
export async function completeTest(
  dependencies: SsoSignInDependencies,
  attempt: SsoAttempt,
  callbackUrl: URL,
): Promise<void> {
  const result = await runTest(dependencies, attempt, callbackUrl);
  await dependencies.database.write(async (transaction) => {
    await deleteAttempt(transaction, attempt.stateHash);
    await updateSsoTest(transaction, attempt.testId ?? '', JSON.stringify(result));
  });
}

async function runTest(
  dependencies: SsoSignInDependencies,
  attempt: SsoAttempt,
  callbackUrl: URL,
): Promise<Omit<SsoTest, 'id' | 'connectionId' | 'state' | 'createdAt'>> {
  const { database, providers } = dependencies;
  const checks: SsoCheck[] = [];
  let discovery: SsoTest['discovery'];
  try {
    const configuration = requireUsable(
      await findSsoConfigurationById(database, attempt.configurationId),
      attempt,
    );
    discovery = await providers.discover(toRelyingParty(dependencies, configuration));
    checks.push({
      code: 'discovery',
      passed: true,
      message: `The discovery document is from ${discovery.issuer}.`,
    });
    const { claims } = await redeem(dependencies, configuration, attempt, callbackUrl);
    checks.push({
      code: 'token',
      passed: true,
      message: 'The ID token is signed by the provider and belongs to this sign-in.',
    });
    const provenDomains = await findProvenDomains(database, configuration);
    checks.push(...checkIdentity(configuration, provenDomains, claims));
    const identity = readIdentity(configuration, provenDomains, claims);
    const { key, email } = identity;
    const policy = await getStoredSsoPolicy(database, configuration);
    const { isOverage } = mapRole(policy, claims);
    if (isOverage) {
      checks.push({
        code: 'groups',
        passed: false,
        message:
          'The person is in too many groups, so Entra leaves them out. A member keeps the current role.',
        remedy: 'Map app roles instead of groups, or send only the groups assigned to the application.',
      });
    }
    const known = key && (await findIdentityUser(database, key));
    if (known !== undefined) checks.push(...(await checkOwner(database, configuration, known)));
    const former = known === undefined ? await findKeptAccount(database, configuration, identity) : undefined;
    if (former !== undefined) checks.push(...checkMove(former));
    const linkable =
      (known ?? former) ? undefined : await findLinkableAccount(database, configuration, identity);
    if (linkable !== undefined) checks.push(checkLink(linkable));
    const userId = known ?? former?.account.id ?? linkable?.id;
    return {
      checks,
      discovery,
      claims: shallowClaims(shownClaims(claims)),
      ...(key !== undefined && { identity: { issuer: key.issuer, subject: key.subject } }),
      ...(email !== undefined && { email }),
      ...(userId !== undefined && { account: await getUser(database, userId) }),
      role: (await findRoleToGive(database, configuration, userId, claims)).role,
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
    await requireApprovedOwner(reader, organizationId, userId, ownerApproved);
    return [];
  } catch (error) {
    return [toCheck(error)];
  }
}

function checkMove({ account, needsPassword }: KeptAccount): SsoCheck[] {
  const message = `The person keeps the account ${account.email} of a former provider.`;
  return [{ code: 'migration', passed: true, message }, ...(needsPassword ? [checkLink(account)] : [])];
}

function checkLink(account: AccountRow): SsoCheck {
  const refusal = refusalToLink(account);
  if (refusal !== undefined) return toCheck(refusal);
  const message = `The account ${account.email} already exists. The first sign-in requires its password once to link it.`;
  return { code: 'link', passed: true, message };
}

/** Throws errors that are not refusals. */
function toCheck(error: unknown): SsoCheck {
  if (!(error instanceof SignInRefusal)) throw error;
  return { code: error.code, passed: false, message: error.message, remedy: error.remedy };
}
