import type { SsoConfiguration, SsoConfigurationInput } from '#contract/sso/configuration.ts';
import type { SsoPolicy } from '#contract/sso/policy.ts';
import { ApiProblem } from '../../../../client/errors.ts';
import { CommandFailure } from '../../../failure.ts';
import { secretPrefix, ssoFormat, type SsoDocument } from '../../formats.ts';
import type { CodeFile } from '../../names.ts';
import type { PlanContext, Section, Step } from '../../plan.ts';
import { compareConfiguration, fieldsOf } from './configuration.ts';
import { comparePolicies, findRefused, requireUnchangedPolicy } from './policy.ts';

type Scope = Pick<PlanContext, 'server' | 'organizationId'>;
type ConfigurationDocument = NonNullable<SsoDocument['configuration']>;

const newSecret = { environment: `${secretPrefix}SSO` };

/** The first directory, and the sign-in policy. */
export const firstDirectory: Section = {
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

function planConfiguration(
  context: PlanContext,
  file: CodeFile,
  document: ConfigurationDocument | undefined,
  stored: SsoConfiguration | undefined,
): { readonly steps: readonly Step[]; readonly faults: readonly string[] } {
  const { server, organizationId, prunes } = context;
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
  const change = compareConfiguration(context, file, fields, reference, stored);
  if (change === undefined) return { steps: [], faults: [] };
  const { details, secret, faults } = change;
  const body: SsoConfigurationInput = { ...fields, ...secret };
  const step: Step = {
    isDeletion: false,
    changes: [{ kind: 'single sign-on', action: stored === undefined ? 'create' : 'update', name, details }],
    async apply() {
      await requireUnchanged(context, stored);
      await server.client.call('POST /api/sso/orgs/{orgId}/config', { params, body });
    },
  };
  return { steps: [step], faults };
}

function planPolicy(context: PlanContext, policy: SsoPolicy, stored: SsoPolicy): Step | undefined {
  const details = comparePolicies(stored, policy);
  if (details.length === 0) return undefined;
  const { server, organizationId } = context;
  return {
    isDeletion: false,
    changes: [{ kind: 'sign-in policy', action: 'update', name: 'policy', details }],
    async apply() {
      requireUnchangedPolicy(stored, (await readSso(context)).policy);
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
