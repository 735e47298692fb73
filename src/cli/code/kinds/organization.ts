import { CommandFailure } from '../../failure.ts';
import { organizationFormat, type OrganizationDocument } from '../formats.ts';
import type { PlanContext, Section } from '../plan.ts';
import { describeDifferences } from '../secrets.ts';

type Settings = Omit<OrganizationDocument, 'format'>;

/**
 * The regional settings and colors of an organization. Its name and logo are its own on each server, and no token can change which
 * tokens it permits.
 */
export const organization: Section = {
  formats: [organizationFormat],

  async read(scope) {
    return [{ format: organizationFormat, ...(await readSettings(scope)) }];
  },

  async plan(context, files) {
    const document = files.find((file) => file.document.format === organizationFormat)?.document;
    if (document?.format !== organizationFormat) return { steps: [], unchanged: 0, faults: [] };
    const wanted = settingsOf(document);
    const stored = await readSettings(context);
    const details = describeDifferences({ ...stored }, { ...wanted });
    if (details.length === 0) return { steps: [], unchanged: 1, faults: [] };
    const apply = async () => {
      if (JSON.stringify(await readSettings(context)) !== JSON.stringify(stored))
        throw new CommandFailure(
          'Others have changed the settings of the organization since the plan. Look at their change, and push again.',
        );
      await context.server.client.call('PATCH /api/organizations/{orgId}', {
        params: { orgId: context.organizationId },
        body: wanted,
      });
    };
    const changes = [{ kind: 'organization', action: 'update', name: 'settings', details }] as const;
    return { steps: [{ isDeletion: false, changes, apply }], unchanged: 0, faults: [] };
  },
};

async function readSettings({
  server: { client },
  organizationId,
}: Pick<PlanContext, 'server' | 'organizationId'>): Promise<Settings> {
  const params = { orgId: organizationId };
  return settingsOf(await client.call('GET /api/organizations/{orgId}', { params }));
}

function settingsOf({ timeZone, weekStart, locale, currency, accentColor, chartColors }: Settings): Settings {
  return { timeZone, weekStart, locale, currency, accentColor, chartColors };
}
