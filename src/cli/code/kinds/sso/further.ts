import type { ConnectionPolicy, SsoConnection } from '#contract/sso/connections.ts';
import { CommandFailure } from '../../../failure.ts';
import { directoryFormat, ssoFormat, type DirectoryDocument } from '../../formats.ts';
import type { CodeFile } from '../../names.ts';
import type { PlanContext, Section, SectionPlan, Step } from '../../plan.ts';
import { newReference } from '../../secrets.ts';
import { compareConfiguration, fieldsOf } from './configuration.ts';
import { comparePolicies, findRefused, requireUnchangedPolicy } from './policy.ts';

type Scope = Pick<PlanContext, 'server' | 'organizationId'>;

interface Directory {
  readonly name: string;
  readonly connection: SsoConnection;
  readonly policy: ConnectionPolicy;
}

/** The directories besides the first one, by their names: an ID is of one server. */
export const furtherDirectories: Section = {
  formats: [directoryFormat],

  async read(scope, before) {
    const references = new Map(
      before.flatMap((document) =>
        document.format === directoryFormat
          ? [[document.name, document.configuration.clientSecret] as const]
          : [],
      ),
    );
    const taken = new Set([...references.values()].flatMap((reference) => reference?.environment ?? []));
    const documents: DirectoryDocument[] = [];
    for (const { name, connection, policy } of (await listDirectories(scope)).values()) {
      const clientSecret = connection.hasSecret
        ? (references.get(name) ?? newReference('directory', name, taken))
        : undefined;
      if (clientSecret !== undefined) taken.add(clientSecret.environment);
      documents.push({
        format: directoryFormat,
        name,
        configuration: { ...fieldsOf(connection), ...(clientSecret && { clientSecret }) },
        policy,
      });
    }
    return documents;
  },

  async plan(context, files) {
    // Without any file of single sign-on, the files don't manage it.
    const isManaged = files.some(
      ({ document: { format } }) => format === ssoFormat || format === directoryFormat,
    );
    if (!isManaged) return { steps: [], unchanged: 0, faults: [] };
    const remote = await listDirectories(context);
    const steps: Step[] = [];
    const faults: string[] = [];
    let unchanged = 0;
    for (const file of files) {
      const { document } = file;
      if (document.format !== directoryFormat) continue;
      const planned = planDirectory(context, file, document, remote.get(document.name));
      remote.delete(document.name);
      steps.push(...planned.steps);
      faults.push(...planned.faults);
      unchanged += planned.unchanged;
    }
    if (context.prunes) for (const directory of remote.values()) steps.push(deletion(context, directory));
    return { steps, unchanged, faults };
  },
};

function planDirectory(
  context: PlanContext,
  file: CodeFile,
  { name, configuration: { clientSecret: reference, ...fields }, policy }: DirectoryDocument,
  stored: Directory | undefined,
): SectionPlan {
  const { client } = context.server;
  const orgId = context.organizationId;
  const refused = findRefused(policy, stored?.policy).map((fault) => `${file.name}: policy/${fault}`);
  const change = compareConfiguration(context, file, fields, reference, stored?.connection);
  const faults = [...(change?.faults ?? []), ...refused];
  const body = { name, ...fields, ...change?.secret };
  if (stored === undefined) {
    const step: Step = {
      isDeletion: false,
      changes: [{ kind: 'directory', action: 'create', name, details: [] }],
      async apply() {
        if ((await listDirectories(context)).has(name)) throw changedMeanwhile(name);
        const { id } = await client.call('POST /api/sso/orgs/{orgId}/connections', {
          params: { orgId },
          body,
        });
        await client.call('PUT /api/sso/orgs/{orgId}/connections/{connectionId}/policy', {
          params: { orgId, connectionId: id },
          body: policy,
        });
      },
    };
    return { steps: [step], unchanged: 0, faults };
  }
  const params = { orgId, connectionId: stored.connection.id };
  const steps: Step[] = [];
  if (change !== undefined)
    steps.push({
      isDeletion: false,
      changes: [{ kind: 'directory', action: 'update', name, details: change.details }],
      async apply() {
        await requireUnchanged(context, stored);
        await client.call('PUT /api/sso/orgs/{orgId}/connections/{connectionId}', { params, body });
      },
    });
  const details = comparePolicies(stored.policy, policy);
  if (details.length > 0)
    steps.push({
      isDeletion: false,
      changes: [{ kind: 'sign-in policy', action: 'update', name, details }],
      async apply() {
        const path = '/api/sso/orgs/{orgId}/connections/{connectionId}/policy';
        requireUnchangedPolicy(stored.policy, await client.call(`GET ${path}`, { params }), ` of ${name}`);
        await client.call(`PUT ${path}`, { params, body: policy });
      },
    });
  return { steps, unchanged: 2 - steps.length, faults };
}

const deletion = (context: PlanContext, directory: Directory): Step => ({
  isDeletion: true,
  changes: [
    {
      kind: 'directory',
      action: 'delete',
      name: directory.name,
      details: [
        'The sessions that people obtained through it end. If it is added again, they get new accounts.',
      ],
    },
  ],
  async apply() {
    await requireUnchanged(context, directory);
    await context.server.client.call('DELETE /api/sso/orgs/{orgId}/connections/{connectionId}', {
      params: { orgId: context.organizationId, connectionId: directory.connection.id },
    });
  },
});

async function requireUnchanged(
  { server, organizationId }: Scope,
  { name, connection }: Directory,
): Promise<void> {
  const params = { orgId: organizationId, connectionId: connection.id };
  const now = await server.client.call('GET /api/sso/orgs/{orgId}/connections/{connectionId}', { params });
  if (storedAs(now) !== storedAs(connection)) throw changedMeanwhile(name);
}

/** Without the state, which sign-ins change. */
const storedAs = ({ state: _state, ...stored }: SsoConnection): string => JSON.stringify(stored);

const changedMeanwhile = (name: string): CommandFailure =>
  new CommandFailure(
    `Others have changed the directory ${name} since the plan. Look at their change, and push again.`,
  );

/** Returns the directories by their names. Throws a `CommandFailure` if two have the same. */
async function listDirectories({
  server: { client },
  organizationId,
}: Scope): Promise<Map<string, Directory>> {
  const found = new Map<string, Directory>();
  const params = { orgId: organizationId };
  for await (const connection of client.items('GET /api/sso/orgs/{orgId}/connections', { params })) {
    const { id, name, isFirst } = connection;
    if (isFirst || name === undefined) continue;
    if (found.has(name))
      throw new CommandFailure(
        `The organization has two directories with the name “${name}”. Rename one of them.`,
      );
    const policy = await client.call('GET /api/sso/orgs/{orgId}/connections/{connectionId}/policy', {
      params: { ...params, connectionId: id },
    });
    found.set(name, { name, connection, policy });
  }
  return found;
}
