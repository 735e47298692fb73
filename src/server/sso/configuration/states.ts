import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SsoStatus } from '#contract/sso/policy.ts';
import type { SecretBox } from '../../base/credentials/secret-box.ts';
import type { Reader } from '../../storage/database.ts';
import { findProvenDomains } from '../domains/domains.ts';
import { SignInRefusal } from '../protocol/sign-in-refusal.ts';
import { findOutcomes, isFailing } from '../sign-in/outcome-store.ts';
import { openClientKey } from '../certificates/keys.ts';
import type { WorkloadIdentity } from '../workload/workload-identity.ts';
import { openClientSecret } from './client-secrets.ts';
import { findBlockingReasons, type Reason } from './reasons.ts';
import { selectEnabledConfigurations, type StoredSsoConfiguration } from './store.ts';

/** What this server can prove its identity with. */
export interface ClientCredentials {
  readonly secretBox: SecretBox;
  readonly workloadIdentity: WorkloadIdentity;
}

/** What is needed to check whether credentials can be read, without using them. */
export interface ReadableCredentials {
  readonly secretBox: SecretBox;
  readonly workloadIdentity: Pick<WorkloadIdentity, 'read'>;
}

/** Returns the credentials for a list of configurations: the token of the host is read at most once, since each read can take seconds. */
export const readTokenOnce = ({ secretBox, workloadIdentity }: ClientCredentials): ReadableCredentials => ({
  secretBox,
  workloadIdentity: { read: workloadIdentity.readOnce() },
});

/** Returns why a configuration can't be used, whether it is enabled or not. */
export const findAllBlockingReasons = async (
  reader: Reader,
  credentials: ReadableCredentials,
  configuration: StoredSsoConfiguration,
): Promise<Reason[]> => {
  const provenDomains = await findProvenDomains(reader, configuration);
  return [
    ...findBlockingReasons(configuration, provenDomains),
    ...(await findCredentialReasons(credentials, configuration)),
  ];
};

async function findCredentialReasons(
  { secretBox, workloadIdentity }: ReadableCredentials,
  configuration: StoredSsoConfiguration,
): Promise<Reason[]> {
  try {
    const { organizationId, clientCertificate, workloadIdentitySince } = configuration;
    if (workloadIdentitySince !== undefined) await workloadIdentity.read(configuration);
    else if (clientCertificate === undefined) openClientSecret(secretBox, configuration);
    else openClientKey(secretBox, organizationId, clientCertificate);
    return [];
  } catch (error) {
    if (!(error instanceof SignInRefusal)) throw error;
    return [toReason(error)];
  }
}

export const toReason = ({ code, message, remedy }: Reason): Reason => ({ code, message, remedy });

export function stateOf(enabled: boolean, isBlocked: boolean, fails: boolean): SsoStatus['state'] {
  if (!enabled) return 'off';
  if (isBlocked) return 'blocked';
  return fails ? 'failing' : 'ready';
}

/** From the best to the worst. */
const states: readonly SsoStatus['state'][] = ['off', 'ready', 'failing', 'blocked'];

/**
 * Returns the state of the organizations that have turned single sign-on on, from up to `limit` configurations: the worst of its
 * own, since the people of each can sign in only through it.
 */
export async function listSsoStates(
  { database: reader, ...credentials }: ClientCredentials & { readonly database: Reader },
  limit: number,
): Promise<{ organizationId: string; state: SsoStatus['state'] }[]> {
  const worst = new Map<string, SsoStatus['state']>();
  const known = readTokenOnce(credentials);
  for (const configuration of await selectEnabledConfigurations(reader, limit)) {
    const { organizationId, enabled } = configuration;
    const blocking = await findAllBlockingReasons(reader, known, configuration);
    const fails = isFailing(await findOutcomes(reader, configuration));
    const state = stateOf(enabled, blocking.length > 0, fails);
    const before = worst.get(organizationId) ?? 'off';
    worst.set(organizationId, states.indexOf(state) > states.indexOf(before) ? state : before);
    // A configuration can name many domains, and requests must not wait for those of all organizations.
    await nextTurn();
  }
  return [...worst].map(([organizationId, state]) => ({ organizationId, state }));
}
