import type { DataSource, DataSourceInput } from '#contract/data-sources/data-sources.ts';
import { CommandFailure } from '../../failure.ts';
import { sourceFormat, type SourceDocument } from '../formats.ts';
import { keyOf, type CodeFile } from '../names.ts';
import type { PlanContext, Section, SectionPlan, Step } from '../plan.ts';
import { describeDifferences, findSecret, missingSecret, newReference } from '../secrets.ts';

/** Data sources by their kind and name. Uploaded tables are data, and stay where they are. */
export const sources: Section = {
  formats: [sourceFormat],

  async read(context, before) {
    const references = new Map(
      before.flatMap((document) =>
        document.format === sourceFormat ? [[keyOf(document), document.connection?.password] as const] : [],
      ),
    );
    const taken = new Set([...references.values()].flatMap((reference) => reference?.environment ?? []));
    return [...(await listSources(context)).values()].map((source) => {
      const document = documentOf(source);
      if (!hasPassword(source)) return document;
      const password = references.get(keyOf(document)) ?? newReference('source', source.name, taken);
      taken.add(password.environment);
      return { ...document, connection: { ...document.connection, password } };
    });
  },

  async plan(context, files) {
    const remote = await listSources(context);
    const steps: Step[] = [];
    const faults: string[] = [];
    const createdSources = new Set<string>();
    let unchanged = 0;
    for (const file of files) {
      const { document } = file;
      if (document.format !== sourceFormat) continue;
      const key = keyOf(document);
      const planned = planSource(context, file, document, remote.get(key));
      remote.delete(key);
      faults.push(...planned.faults);
      if (planned.step === undefined) unchanged += 1;
      else steps.push(planned.step);
      if (planned.step?.changes[0]?.action === 'create') createdSources.add(key);
    }
    if (context.prunes) for (const source of remote.values()) steps.push(deletion(context, source));
    return { steps, unchanged, faults, createdSources } satisfies SectionPlan;
  },
};

function planSource(
  { server, organizationId, environment, sendsSecrets }: PlanContext,
  file: CodeFile,
  document: SourceDocument,
  source: DataSource | undefined,
): { readonly step?: Step; readonly faults: readonly string[] } {
  const { password: reference, ...fields } = document.connection ?? {};
  const details =
    source === undefined
      ? []
      : describeDifferences(
          { ...documentOf(source).connection },
          document.connection === undefined ? {} : fields,
        );
  const movesPassword = source === undefined || details.length > 0;
  if (source !== undefined && reference === undefined && hasPassword(source))
    details.push('The password is removed.');
  else if (source !== undefined && reference !== undefined && !hasPassword(source))
    details.push('The password is set.');
  else if (sendsSecrets && reference !== undefined) details.push('The password is sent.');
  if (source !== undefined && details.length === 0) return { faults: [] };
  // With another address, the server forgets the password, so that nobody can have it sent to a server of their own.
  const secret = reference && findSecret(environment, reference);
  const isMissing =
    reference !== undefined &&
    secret === undefined &&
    (movesPassword || sendsSecrets || (source !== undefined && !hasPassword(source)));
  const connection = document.connection && { ...fields, password: reference === undefined ? '' : secret };
  // Sound because it matches the schema of its kind, but for the password, which is a text now.
  const body = { name: document.name, kind: document.kind, connection } as DataSourceInput;
  const action = source === undefined ? 'create' : 'update';
  const step: Step = {
    isDeletion: false,
    changes: [{ kind: 'data source', action, name: document.name, details }],
    async apply() {
      if (source === undefined) {
        const params = { orgId: organizationId };
        await server.client.call('POST /api/organizations/{orgId}/data-sources', { params, body });
        return;
      }
      const params = { dataSourceId: source.id };
      await requireUnchanged(server, source);
      await server.client.call('PUT /api/data-sources/{dataSourceId}', { params, body });
    },
  };
  return { step, faults: isMissing ? [missingSecret(file.name, reference)] : [] };
}

const deletion = ({ server }: PlanContext, source: DataSource): Step => ({
  isDeletion: true,
  changes: [{ kind: 'data source', action: 'delete', name: source.name, details: [] }],
  async apply() {
    await requireUnchanged(server, source);
    await server.client.call('DELETE /api/data-sources/{dataSourceId}', {
      params: { dataSourceId: source.id },
    });
  },
});

async function requireUnchanged({ client }: PlanContext['server'], source: DataSource): Promise<void> {
  const now = await client.call('GET /api/data-sources/{dataSourceId}', {
    params: { dataSourceId: source.id },
  });
  if (JSON.stringify(now) !== JSON.stringify(source))
    throw new CommandFailure(
      `Others have changed the data source ${source.name} since the plan. Look at their change, and push again.`,
    );
}

/** Returns the data sources by their keys. Throws a `CommandFailure` if two have the same. */
export async function listSources({
  server,
  organizationId,
}: Pick<PlanContext, 'server' | 'organizationId'>): Promise<Map<string, DataSource>> {
  const found = new Map<string, DataSource>();
  const params = { orgId: organizationId };
  for await (const source of server.client.items('GET /api/organizations/{orgId}/data-sources', { params })) {
    const key = keyOf(documentOf(source));
    if (found.has(key))
      throw new CommandFailure(
        `The organization has two data sources of the kind ${source.kind} with the name “${source.name}”. Rename one of them.`,
      );
    found.set(key, source);
  }
  return found;
}

const hasPassword = ({ connection }: DataSource): boolean => connection?.hasPassword === true;

function documentOf({ name, kind, connection }: DataSource): SourceDocument {
  if (connection === undefined) return { format: sourceFormat, name, kind };
  const fields = Object.entries(connection).filter(([field]) => field !== 'hasPassword');
  return { format: sourceFormat, name, kind, connection: Object.fromEntries(fields) };
}
