import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SsoStatus } from '#contract/sso/policy.ts';
import type { SecretBox } from '../../base/secret-box.ts';
import type { Reader } from '../../storage/database.ts';
import { findProvenDomains } from '../domains/domains.ts';
import { SignInRefusal } from '../protocol/sign-in-refusal.ts';
import { findOutcomes, isFailing } from '../sign-in/outcome-store.ts';
import { openClientKey } from '../certificates/keys.ts';
import { openClientSecret } from './client-secrets.ts';
import { findBlockingReasons, type Reason } from './reasons.ts';
import { selectEnabledConfigurations, type StoredSsoConfiguration } from './store.ts';

/** Returns why a configuration can't be used, whether it is enabled or not. */
export const findAllBlockingReasons = async (
  reader: Reader,
  secretBox: SecretBox,
  configuration: StoredSsoConfiguration,
): Promise<Reason[]> => {
  const provenDomains = await findProvenDomains(reader, configuration);
  return [
    ...findBlockingReasons(configuration, provenDomains),
    ...findSecretReasons(secretBox, configuration),
  ];
};

function findSecretReasons(secretBox: SecretBox, configuration: StoredSsoConfiguration): Reason[] {
  try {
    const { organizationId, clientCertificate } = configuration;
    if (clientCertificate === undefined) openClientSecret(secretBox, configuration);
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
  { database: reader, secretBox }: { readonly database: Reader; readonly secretBox: SecretBox },
  limit: number,
): Promise<{ organizationId: string; state: SsoStatus['state'] }[]> {
  const worst = new Map<string, SsoStatus['state']>();
  for (const configuration of await selectEnabledConfigurations(reader, limit)) {
    const { organizationId, enabled } = configuration;
    const blocking = await findAllBlockingReasons(reader, secretBox, configuration);
    const fails = isFailing(await findOutcomes(reader, configuration));
    const state = stateOf(enabled, blocking.length > 0, fails);
    const before = worst.get(organizationId) ?? 'off';
    worst.set(organizationId, states.indexOf(state) > states.indexOf(before) ? state : before);
    // A configuration can name many domains, and requests must not wait for those of all organizations.
    await nextTurn();
  }
  return [...worst].map(([organizationId, state]) => ({ organizationId, state }));
}
