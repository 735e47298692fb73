import { importActions, type ImportedDocument } from '#contract/records/documents.ts';
import type { Conversion } from '#shared/importers/conversion.ts';
import { may, rolesWith } from '#shared/permissions.ts';
import { AtriumError } from '../../base/errors.ts';
import { importForOperator } from '../../dashboards/documents/import.ts';
import { findOwnerByEmail, findRoleOf, listOwnerIds } from '../../organizations/members.ts';
import { getUser } from '../../organizations/users.ts';
import type { Reader } from '../../storage/database.ts';
import { getAccount } from '../users/account.ts';
import { noteLines } from '../../../cli/foreign/convert.ts';
import { printable } from '../../../cli/usage/printable.ts';
import { required, UsageError } from '../../../cli/usage/usage.ts';
import type { Command } from '../command.ts';
import { readDocumentFiles, readDocumentLines, type DocumentDirectory, type DocumentFile } from './files.ts';
import { isForeign, readForeign } from './foreign.ts';
import { standardStream } from '../files.ts';
import { getOrganizationId, organizationOption } from '../organization.ts';

export const dashboardsImport: Command = {
  name: 'dashboards import',
  summary:
    'Creates and updates the dashboards and reports of an organization from the files of a directory: all of them, ' +
    'or none.\n' +
    'Those without a file do not change. Reports use the data source with the name and kind in their file.\n' +
    'A Grafana dashboard or a Metabase export becomes reports and dashboards, with a list of what was lost.',
  arguments: [
    {
      name: 'directory',
      placeholder: 'DIR',
      help: 'the directory of an export, a dashboard of Grafana in JSON, or an export of Metabase (.tar.gz, or its directory); - for NDJSON on standard input (required)',
    },
  ],
  options: [
    organizationOption,
    {
      name: 'dry-run',
      placeholder: '',
      help: 'only shows what would change; exits with 3 if something would, and with 0 otherwise',
      required: false,
    },
    {
      name: 'source',
      placeholder: 'NAME=ID',
      help: 'the data source to use for the one of the other program with this name; repeat it for each',
      required: false,
      isRepeatable: true,
    },
    {
      name: 'as',
      placeholder: 'ADDRESS',
      help: 'the email address of the owner of new dashboards and reports; by default, an owner of the organization',
      required: false,
    },
  ],
  async run({ database, clock, readInput }, values) {
    const organizationId = await getOrganizationId(database, required(values, 'organization'));
    const owner = await findNewOwner(database, organizationId, values['as']);
    const directory = required(values, 'directory');
    const read: DocumentDirectory & { readonly conversion?: Conversion } =
      directory === standardStream
        ? readDocumentLines(await readInput())
        : isForeign(directory)
          ? await readForeign(directory, database, { organizationId, choices: values['source'] })
          : readDocumentFiles(directory);
    const { files, others, conversion } = read;
    const isDryRun = values['dry-run'] !== undefined;
    const documents = files.map(({ document }) => document);
    const items = await importForOperator(database, clock, owner, {
      organizationId,
      documents,
      isDryRun,
    }).catch((error: unknown) => {
      throw withFileNames(error, files);
    });
    const text = [
      ...others.map((name) => `not a document: ${name}`),
      ...items.flatMap(toLines),
      importActions
        .map((action) => `${items.filter((item) => item.action === action).length} ${pastOf[action]}`)
        .join(', '),
      ...(conversion === undefined ? [] : noteLines(conversion)),
      ...(isDryRun ? ['This was a dry run. Nothing was changed.'] : []),
    ].join('\n');
    const wouldChange = isDryRun && items.some(({ action }) => action !== 'unchanged');
    const lost = conversion && { notes: conversion.notes, noteCount: conversion.noteCount };
    return { text, data: { items, others, isDryRun, ...lost }, exitCode: wouldChange ? 3 : 0 };
  },
};

const pastOf = { create: 'created', update: 'updated', unchanged: 'unchanged', restore: 'restored' } as const;

/** Returns the owner of new dashboards and reports, who must be allowed to edit them. */
async function findNewOwner(
  reader: Reader,
  organizationId: string,
  email: string | undefined,
): Promise<{ id: string; email: string }> {
  if (email === undefined) {
    const [ownerId] = await listOwnerIds(reader, organizationId);
    if (ownerId === undefined) throw new UsageError('The organization has no owner. Set one with --as.');
    return getUser(reader, ownerId);
  }
  const user =
    (await findOwnerByEmail(reader, organizationId, email.toLowerCase())) ??
    (await getAccount(reader, email));
  const role = await findRoleOf(reader, organizationId, user.id);
  if (!may(role, 'dashboard.create'))
    throw new UsageError(`${email} must have ${rolesWith('dashboard.create')} in the organization.`);
  return user;
}

/** Returns a row, and a line for each change and each warning below it. */
function toLines({
  kind,
  action,
  name,
  dashboardId,
  reportId,
  changes = [],
  newWidgetIds,
  missingImages = [],
}: ImportedDocument): string[] {
  const id = dashboardId ?? reportId ?? '';
  const ids =
    newWidgetIds === undefined ? [] : [`New ids of widgets: ${newWidgetIds}. Export again to save them.`];
  const warnings = missingImages.map(
    ({ id: imageId, description }) =>
      `Missing image: ${imageId}${description === undefined ? '' : ` (${description})`}. Upload it to the organization.`,
  );
  return [
    `${action.padEnd('unchanged'.length)}  ${kind.padEnd('dashboard'.length)}  ${id.padEnd(36)}  ${printable(name)}`,
    ...[...changes, ...ids, ...warnings].map((text) => `${' '.repeat(11)}${printable(text)}`),
  ];
}

/** Returns an error whose faults name the files instead of the numbers of the documents. */
function withFileNames(error: unknown, files: readonly DocumentFile[]): unknown {
  if (!(error instanceof AtriumError) || error.faults === undefined) return error;
  const faults = error.faults.map((fault) => ({
    ...fault,
    message: printable(fault.message),
    pointer: fault.pointer.replace(
      /^\/documents\/(\d+)/,
      (_, index: string) => `/${files[Number(index)]?.name ?? ''}`,
    ),
  }));
  return new AtriumError(error.code, error.message, { faults, cause: error });
}
