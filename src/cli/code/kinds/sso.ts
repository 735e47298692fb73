import type { SsoConfiguration, SsoConfigurationInput } from '#contract/sso/configuration.ts';
import type { SsoPolicy } from '#contract/sso/policy.ts';
import { ApiProblem } from '../../../client/errors.ts';
import { CommandFailure } from '../../failure.ts';
import { secretPrefix, ssoFormat, type SsoDocument } from '../formats.ts';
import type { CodeFile } from '../names.ts';
import type { PlanContext, Section, Step } from '../plan.ts';
import { describeDifferences, findSecret, missingSecret } from '../secrets.ts';

type Scope = Pick<PlanContext, 'server' | 'organizationId'>;
type ConfigurationDocument = NonNullable<SsoDocument['configuration']>;

const newSecret = { environment: `${secretPrefix}SSO` };

/** Single sign-on and the sign-in policy. */
export const sso: Section = {
  formats: [ssoFormat],

  async read(scope, before) {
    const { configuration, policy } = await readSso(scope);
    if (configuration === undefined) return [{ format: ssoFormat, policy }];
    const former = before.find(({ format }) => format === ssoFormat);
    const reference = former?.format === ssoFormat ? former.configuration?.clientSecret : undefined;
    const document = {
      ...fieldsOf(configuration),
      ...(configuration.hasSecret && { clientSecret: reference ?? newSecret }),
    };
    return [{ format: ssoFormat, configuration: document, policy }];
  },

  async plan(context, files) {
    const file = files.find(({ document }) => document.format === ssoFormat);
    if (file?.document.format !== ssoFormat) return { steps: [], unchanged: 0, faults: [] };
    const remote = await readSso(context);
    const { steps, faults } = planConfiguration(
      context,
      file,
      file.document.configuration,
      remote.configuration,
    );
    const policy = planPolicy(context, file.document.policy, remote.policy);
    const all = [...steps, ...(policy === undefined ? [] : [policy])];
    const refused = findRefused(file.document.policy, remote.policy);
    return {
      steps: all,
      unchanged: 2 - all.length,
      faults: [...faults, ...refused.map((fault) => `${file.name}: policy/${fault}`)],
    };
  },
};

/** Returns what of a policy a token can't change, since it can't confirm the identity of a person. */
function findRefused(policy: SsoPolicy, stored: SsoPolicy): string[] {
  const ownersOf = ({ roleMappings }: SsoPolicy) =>
    JSON.stringify(roleMappings.filter(({ role }) => role === 'owner'));
  const hint = 'only an owner can change this, after confirming their identity in the browser';
  return [
    ...(policy.requireSso === stored.requireSso ? [] : [`requireSso: ${hint}`]),
    ...(ownersOf(policy) === ownersOf(stored) ? [] : [`roleMappings to the role owner: ${hint}`]),
  ];
}

function planConfiguration(
  context: PlanContext,
  file: CodeFile,
  document: ConfigurationDocument | undefined,
  stored: SsoConfiguration | undefined,
): { readonly steps: readonly Step[]; readonly faults: readonly string[] } {
  const { server, organizationId, environment, prunes, sendsSecrets } = context;
  const params = { orgId: organizationId };
  const name = 'configuration';
  if (document === undefined) {
    if (stored === undefined || !prunes) return { steps: [], faults: [] };
    const details = ['The sessions that people obtained through it end.'];
    const step: Step = {
      isDeletion: true,
      changes: [{ kind: 'single sign-on', action: 'delete', name, details }],
      async apply() {
        await requireUnchanged(context, stored);
        await server.client.call('DELETE /api/sso/orgs/{orgId}/config', { params });
      },
    };
    return { steps: [step], faults: [] };
  }
  const { clientSecret: reference, ...fields } = document;
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
  if (stored !== undefined && details.length === 0) return { steps: [], faults: [] };
  const secret = reference && findSecret(environment, reference);
  const needsSecret = movesSecret || sendsSecrets || !hasSecret;
  const body: SsoConfigurationInput = {
    ...fields,
    ...(reference === undefined ? { clientSecret: '' } : secret !== undefined && { clientSecret: secret }),
  };
  const step: Step = {
    isDeletion: false,
    changes: [{ kind: 'single sign-on', action: stored === undefined ? 'create' : 'update', name, details }],
    async apply() {
      await requireUnchanged(context, stored);
      await server.client.call('POST /api/sso/orgs/{orgId}/config', { params, body });
    },
  };
  const isMissing = reference !== undefined && secret === undefined && needsSecret;
  return { steps: [step], faults: isMissing ? [missingSecret(file.name, reference)] : [] };
}

function planPolicy(context: PlanContext, policy: SsoPolicy, stored: SsoPolicy): Step | undefined {
  const details = describeDifferences(comparablePolicy(stored, policy), comparablePolicy(policy, stored));
  if (details.length === 0) return undefined;
  const { server, organizationId } = context;
  return {
    isDeletion: false,
    changes: [{ kind: 'sign-in policy', action: 'update', name: 'policy', details }],
    async apply() {
      const now = await readSso(context);
      if (
        describeDifferences(comparablePolicy(stored, now.policy), comparablePolicy(now.policy, stored))
          .length > 0
      )
        throw new CommandFailure(
          'Others have changed the sign-in policy since the plan. Look at their change, and push again.',
        );
      await server.client.call('PUT /api/sso/orgs/{orgId}/policy', {
        params: { orgId: organizationId },
        body: policy,
      });
    },
  };
}

async function requireUnchanged(scope: Scope, stored: SsoConfiguration | undefined): Promise<void> {
  const { configuration } = await readSso(scope);
  if (JSON.stringify(configuration) !== JSON.stringify(stored))
    throw new CommandFailure(
      'Others have changed the configuration of single sign-on since the plan. Look at their change, and push again.',
    );
}

async function readSso({
  server: { client },
  organizationId,
}: Scope): Promise<{ readonly configuration: SsoConfiguration | undefined; readonly policy: SsoPolicy }> {
  const params = { orgId: organizationId };
  const policy = await client.call('GET /api/sso/orgs/{orgId}/policy', { params });
  const configuration = await client
    .call('GET /api/sso/orgs/{orgId}/config', { params })
    .catch((error: unknown) => {
      if (error instanceof ApiProblem && error.code === 'not_found') return undefined;
      throw error;
    });
  return { configuration, policy };
}

/** Returns what a file says about a configuration. A URL that follows from the tenant is left out, as people leave it out. */
function fieldsOf(stored: SsoConfiguration): ConfigurationDocument {
  const { provider, clientId, tenantId, discoveryUrl, emailDomains, enabled } = stored;
  return {
    provider,
    clientId,
    emailDomains,
    enabled,
    ...(tenantId !== undefined && { tenantId }),
    ...(discoveryUrl !== derivedUrl(tenantId) && { discoveryUrl }),
  };
}

const derivedUrl = (tenantId = ''): string =>
  `https://login.microsoftonline.com/${tenantId}/v2.0/.well-known/openid-configuration`;

/** Returns the fields in one form: the server stores domains in lower case. */
function comparable({ discoveryUrl, ...fields }: ConfigurationDocument): Record<string, unknown> {
  return {
    ...fields,
    emailDomains: fields.emailDomains.map((domain) => domain.trim().toLowerCase()).toSorted(),
    ...(discoveryUrl !== undefined && discoveryUrl !== derivedUrl(fields.tenantId) && { discoveryUrl }),
  };
}

/** What a file says nothing about stays as it is. */
function comparablePolicy(
  { secretExpiresAt, revalidateMinutes, ...rest }: SsoPolicy,
  other: SsoPolicy,
): Record<string, unknown> {
  const isCompared = revalidateMinutes !== undefined && other.revalidateMinutes !== undefined;
  const policy = { ...rest, ...(isCompared && { revalidateMinutes }) };
  if (secretExpiresAt === undefined) return policy;
  return { ...policy, secretExpiresAt: new Date(secretExpiresAt).toISOString() };
}
