import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SsoStatus } from '#contract/sso/policy.ts';
import type { SecretBox } from '../../base/secret-box.ts';
import type { Reader } from '../../storage/database.ts';
import { findProvenDomains } from '../domains/domains.ts';
import { SignInRefusal } from '../protocol/sign-in-refusal.ts';
import { findOutcomes, isFailing } from '../sign-in/outcome-store.ts';
import { openClientSecret } from './client-secrets.ts';
import { findBlockingReasons, type Reason } from './reasons.ts';
import { findSsoConfiguration, selectEnabledOrganizations, type StoredSsoConfiguration } from './store.ts';

/** Returns why a configuration can't be used, whether it is enabled or not. */
export const findAllBlockingReasons = async (
  reader: Reader,
  secretBox: SecretBox,
  configuration: StoredSsoConfiguration,
): Promise<Reason[]> => {
  const { organizationId, emailDomains } = configuration;
  const provenDomains = await findProvenDomains(reader, organizationId, emailDomains);
  return [
    ...findBlockingReasons(configuration, provenDomains),
    ...findSecretReasons(secretBox, configuration),
  ];
};

function findSecretReasons(secretBox: SecretBox, configuration: StoredSsoConfiguration): Reason[] {
  try {
    openClientSecret(secretBox, configuration);
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

/** Returns the state of up to `limit` organizations that have turned single sign-on on. */
export async function listSsoStates(
  { database: reader, secretBox }: { readonly database: Reader; readonly secretBox: SecretBox },
  limit: number,
): Promise<{ organizationId: string; state: SsoStatus['state'] }[]> {
  const states = [];
  for (const organizationId of await selectEnabledOrganizations(reader, limit)) {
    const configuration = await findSsoConfiguration(reader, organizationId);
    if (configuration === undefined) continue;
    const blocking = await findAllBlockingReasons(reader, secretBox, configuration);
    const fails = isFailing(await findOutcomes(reader, organizationId));
    states.push({ organizationId, state: stateOf(configuration.enabled, blocking.length > 0, fails) });
    // A configuration can name many domains, and requests must not wait for those of all organizations.
    await nextTurn();
  }
  return states;
}
