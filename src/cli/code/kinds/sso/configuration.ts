import type { SecretReference } from '../../formats.ts';
import type { CodeFile } from '../../names.ts';
import type { PlanContext } from '../../plan.ts';
import { describeDifferences, findSecret, missingSecret } from '../../secrets.ts';

/** What a file says about the configuration of a directory, except for its secret. */
export interface ConfigurationFields<Provider extends string = string> {
  provider: Provider;
  clientId: string;
  tenantId?: string;
  discoveryUrl?: string;
  emailDomains: string[];
  enabled: boolean;
}

interface StoredConfiguration<Provider extends string = string> extends ConfigurationFields<Provider> {
  readonly hasSecret: boolean;
}

/** Returns what a file says about a configuration. A URL that follows from the rest is left out, as people leave it out. */
export function fieldsOf<Provider extends string>({
  provider,
  clientId,
  tenantId,
  discoveryUrl,
  emailDomains,
  enabled,
}: StoredConfiguration<Provider>): ConfigurationFields<Provider> {
  return {
    provider,
    clientId,
    emailDomains,
    enabled,
    ...(tenantId !== undefined && { tenantId }),
    ...(discoveryUrl !== impliedUrl({ provider, tenantId }) && { discoveryUrl }),
  };
}

/** Returns the discovery URL of a configuration that has none of its own. */
const impliedUrl = ({
  provider,
  tenantId = 'organizations',
}: {
  readonly provider: string;
  readonly tenantId?: string | undefined;
}): string =>
  provider === 'entra' || provider === 'idp_ad'
    ? `https://login.microsoftonline.com/${encodeURIComponent(tenantId)}/v2.0/.well-known/openid-configuration`
    : '';

/** Returns the fields in one form: the server stores domains in lower case. */
const comparable = ({ discoveryUrl, ...fields }: ConfigurationFields): Record<string, unknown> => ({
  ...fields,
  emailDomains: fields.emailDomains.map((domain) => domain.trim().toLowerCase()).toSorted(),
  ...(discoveryUrl !== undefined && discoveryUrl !== impliedUrl(fields) && { discoveryUrl }),
});

/** What a push would change about a configuration. */
export interface ConfigurationChange {
  readonly details: readonly string[];
  /** Of the body. The server keeps its secret if it is left out, and removes it if it is empty. */
  readonly secret: { readonly clientSecret?: string };
  readonly faults: readonly string[];
}

/** Returns how a configuration differs from its file, or undefined if it doesn't. */
export function compareConfiguration(
  { environment, sendsSecrets }: PlanContext,
  file: CodeFile,
  fields: ConfigurationFields,
  reference: SecretReference | undefined,
  stored: StoredConfiguration | undefined,
): ConfigurationChange | undefined {
  const details =
    stored === undefined ? [] : describeDifferences(comparable(fieldsOf(stored)), comparable(fields));
  // The server forgets the secret if one of these changes.
  const movesSecret =
    stored === undefined ||
    details.some((detail) => /^(provider|clientId|tenantId|discoveryUrl): /.test(detail));
  const hasSecret = stored?.hasSecret === true;
  if (stored !== undefined && reference === undefined && hasSecret)
    details.push('The client secret is removed.');
  else if (stored !== undefined && reference !== undefined && !hasSecret)
    details.push('The client secret is set.');
  else if (sendsSecrets && reference !== undefined) details.push('The client secret is sent.');
  if (stored !== undefined && details.length === 0) return undefined;
  const secret = reference && findSecret(environment, reference);
  const isMissing =
    reference !== undefined && secret === undefined && (movesSecret || sendsSecrets || !hasSecret);
  return {
    details,
    secret:
      reference === undefined ? { clientSecret: '' } : secret === undefined ? {} : { clientSecret: secret },
    faults: isMissing ? [missingSecret(file.name, reference)] : [],
  };
}
