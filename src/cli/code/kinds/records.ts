import {
  dashboardFormat,
  reportFormat,
  type AtriumDocument,
  type ExpectedImport,
  type ImportedDocument,
} from '#contract/records/documents.ts';
import { ApiProblem } from '../../../client/errors.ts';
import { CommandFailure } from '../../failure.ts';
import { printable } from '../../usage/printable.ts';
import { findFaults } from '../directory.ts';
import type { CodeDocument, RecordDocument } from '../formats.ts';
import type { CodeFile } from '../names.ts';
import type { Change, PlanContext, Section, Step } from '../plan.ts';

type Scope = Pick<PlanContext, 'server' | 'organizationId'>;
/** A document with the name of its file, or else its own, for messages. */
export interface RecordFile {
  readonly name: string;
  readonly document: RecordDocument;
}

/** Which records a command is about. Reports that dashboards show belong to the dashboards. */
type Extent = 'dashboards' | 'reports' | 'all';

/** Returns the section of dashboards and reports, which are pushed together. */
export const recordsOf = (extent: Extent): Section => ({
  formats: extent === 'reports' ? [reportFormat] : [dashboardFormat, reportFormat],

  read: (scope) => readRecords(scope, extent),

  async plan(context, files) {
    const chosen = chooseFiles(files, extent);
    const remote = await readRecords(context, extent);
    // The dry run would refuse reports whose data source doesn't exist yet.
    const isHeld = ({ document: { dataSource } }: RecordFile) =>
      dataSource !== undefined && context.createdSources.has(`${dataSource.kind} ${dataSource.name}`);
    const held = chosen.filter(isHeld);
    const items = await importFiles(
      context,
      chosen.filter((file) => !isHeld(file)),
      { isDryRun: true },
    );
    const remoteIds = new Set(remote.map(({ id }) => id));
    const changes: Change[] = [
      ...held.map(({ document }): Change => {
        const action = remoteIds.has(document.id) ? 'update' : 'create';
        const arrives = action === 'create' && document.restricted === true;
        return { kind: 'report', action, name: document.name, details: describeArrival(arrives) };
      }),
      ...items.flatMap(toChange),
    ];
    const step: Step = {
      isDeletion: false,
      changes,
      apply: () => applyImport(context, chosen, items),
    };
    return {
      steps: [
        ...(changes.length === 0 ? [] : [step]),
        ...(context.prunes ? await planDeletions(context, chosen, remote, extent) : []),
      ],
      unchanged: items.filter(({ action }) => action === 'unchanged').length,
      faults: [],
    };
  },
});

/** Returns what an import changes; nothing for what stays the same. */
export const toChange = ({
  kind,
  action,
  name,
  changes = [],
  restricted = false,
  missingImages = [],
}: ImportedDocument): Change[] => {
  const warnings = missingImages.map(({ id }) => `Missing image: ${id}. Upload it to the organization.`);
  return action === 'unchanged'
    ? []
    : [{ kind, action, name, details: [...changes, ...describeArrival(restricted), ...warnings] }];
};

const describeArrival = (isRestricted: boolean): string[] =>
  isRestricted ? ['Arrives restricted to you and the admins, as its source is.'] : [];

function chooseFiles(files: readonly CodeFile[], extent: Extent): RecordFile[] {
  const records = files.flatMap(({ name, document }): RecordFile[] =>
    document.format === dashboardFormat || document.format === reportFormat ? [{ name, document }] : [],
  );
  const dashboards = records.filter(({ document }) => document.format === dashboardFormat);
  const reports = records.filter(({ document }) => document.format === reportFormat);
  if (extent === 'reports') return reports;
  if (extent === 'all') return [...reports, ...dashboards];
  const texts = dashboards.map(({ document }) => JSON.stringify(document));
  const isShown = ({ document }: RecordFile) => texts.some((text) => text.includes(`"${document.id}"`));
  return [...reports.filter(isShown), ...dashboards];
}

/** Returns the records of the server. What it sends is checked before a part of it becomes the name of a file. */
async function readRecords({ server, organizationId }: Scope, extent: Extent): Promise<RecordDocument[]> {
  const records: RecordDocument[] = [];
  const lines = server.client.lines('GET /api/organizations/{orgId}/dashboards/export', {
    params: { orgId: organizationId },
    query: { reports: extent === 'dashboards' ? 'shown' : 'all' },
  });
  for await (const documents of lines)
    for (const document of documents) {
      const faults = findFaults(document, dashboardFormat);
      if (faults.length > 0)
        throw new CommandFailure(`The server sent an invalid document: ${faults.join(', ')}.`);
      if (extent !== 'reports' || document.format === reportFormat) records.push(document);
    }
  return records;
}

async function planDeletions(
  context: PlanContext,
  files: readonly RecordFile[],
  remote: readonly RecordDocument[],
  extent: Extent,
): Promise<Step[]> {
  const kept = new Set(files.map(({ document }) => document.id));
  const extra = remote.filter(
    ({ id, format }) => !kept.has(id) && (extent !== 'dashboards' || format === dashboardFormat),
  );
  // A dry run of the server's own documents says which records they are.
  const found = await importFiles(
    context,
    extra.map((document) => ({ name: document.name, document })),
    { isDryRun: true },
  );
  // The steps are carried out from the last to the first: dashboards go before the reports that they show.
  return found.flatMap(({ kind, name, dashboardId, reportId, version }): Step[] => {
    const id = dashboardId ?? reportId;
    if (id === undefined || version === undefined) return [];
    const headers = { 'if-match': `"${version}"` };
    const { client } = context.server;
    return [
      {
        isDeletion: true,
        changes: [{ kind, action: 'delete', name, details: ['Is moved to the trash.'] }],
        async apply() {
          if (kind === 'dashboard')
            await client.call('DELETE /api/dashboards/{dashboardId}', {
              params: { dashboardId: id },
              headers,
            });
          else await client.call('DELETE /api/reports/{reportId}', { params: { reportId: id }, headers });
        },
      },
    ];
  });
}

/** Imports files if the server would still do what the plan showed. */
async function applyImport(
  scope: Scope,
  files: readonly RecordFile[],
  planned: readonly ImportedDocument[],
): Promise<void> {
  const now = await importFiles(scope, files, { isDryRun: true });
  const versions = new Map(planned.map(({ id, version }) => [id, version]));
  const changed = now.filter(({ id, version }) => versions.has(id) && versions.get(id) !== version);
  if (changed.length > 0)
    throw new CommandFailure(
      `Others have changed these since the plan, so nothing of the dashboards and reports was pushed. Look at their changes, and push again.\n${changed
        .map(({ name }) => `  ${printable(name)}`)
        .join('\n')}`,
    );
  await importFiles(scope, files, { isDryRun: false, expected: now });
}

/** The limits of an import over HTTP, with room for the rest of the body. */
const maxDocuments = 1000;
const maxBytes = 3.5 * 1024 * 1024;

/** Imports files in as few requests as possible, reports first. Throws a `CommandFailure` that names the files at fault. */
export async function importFiles(
  { server, organizationId }: Scope,
  files: readonly RecordFile[],
  {
    isDryRun,
    folderId,
    expected,
  }: {
    readonly isDryRun: boolean;
    /** The folder in which what is new is created. */
    readonly folderId?: string | undefined;
    readonly expected?: readonly ImportedDocument[];
  },
): Promise<ImportedDocument[]> {
  const expectations = new Map(expected?.map((item) => [item.id, item]));
  const items: ImportedDocument[] = [];
  for (const part of partsOf(files)) {
    const body = {
      // Sound because the server checks them.
      documents: part.map(({ document }) => document as CodeDocument as AtriumDocument),
      ...(expected && {
        expected: part.flatMap(({ document }): ExpectedImport[] => {
          const item = expectations.get(document.id);
          if (item === undefined) return [];
          const { id, action, version } = item;
          return [{ id, action, ...(version !== undefined && { version }) }];
        }),
      }),
    };
    const path = 'POST /api/organizations/{orgId}/dashboards/import';
    const query = { dryRun: String(isDryRun) as 'true', ...(folderId !== undefined && { folderId }) };
    const input = { params: { orgId: organizationId }, body, query };
    const reply = await server.client.call(path, input).catch((error: unknown) => {
      throw withFileNames(error, part);
    });
    items.push(...reply.items);
  }
  return items;
}

function partsOf(files: readonly RecordFile[]): RecordFile[][] {
  const parts: RecordFile[][] = [];
  let bytes = Infinity;
  for (const file of files) {
    const size = Buffer.byteLength(JSON.stringify(file.document));
    const last = parts.at(-1);
    if (last === undefined || last.length === maxDocuments || bytes + size > maxBytes) {
      parts.push([file]);
      bytes = size;
    } else {
      last.push(file);
      bytes += size;
    }
  }
  return parts;
}

function withFileNames(error: unknown, files: readonly RecordFile[]): unknown {
  if (!(error instanceof ApiProblem) || !Array.isArray(error.problem.errors)) return error;
  const lines = error.problem.errors.map(({ pointer, message }) => {
    const [, index = '', rest = ''] = /^\/documents\/(\d+)(.*)$/s.exec(pointer) ?? [];
    const name = files[Number(index)]?.name ?? pointer;
    return `  ${printable(name)}: ${[rest.slice(1), message].map(printable).join(' ').trim()}`;
  });
  return new CommandFailure([error.problem.detail, ...lines].join('\n'), { cause: error });
}
