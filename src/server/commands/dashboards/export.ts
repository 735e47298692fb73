import { toFiles } from '../../../cli/code/names.ts';
import { exportEveryDashboard } from '../../dashboards/documents/export.ts';
import { required } from '../../../cli/usage/usage.ts';
import type { Command } from '../command.ts';
import { writeDocumentFiles } from './files.ts';
import { standardStream } from '../files.ts';
import { getOrganizationId, organizationOption } from '../organization.ts';

export const dashboardsExport: Command = {
  name: 'dashboards export',
  summary:
    'Exports the dashboards of an organization and their reports into a directory, one file each, for version ' +
    'control.\n' +
    'Files of dashboards and reports that no longer exist are removed. Other files are not changed.',
  arguments: [
    {
      name: 'directory',
      placeholder: 'DIR',
      help: 'the directory, which is created if it does not exist; - for NDJSON on standard output (required)',
    },
  ],
  options: [organizationOption],
  async run({ database }, values) {
    const organizationId = await getOrganizationId(database, required(values, 'organization'));
    const documents = await Array.fromAsync(exportEveryDashboard(database, organizationId));
    const directory = required(values, 'directory');
    if (directory === standardStream) {
      const text = documents.map((document) => JSON.stringify(document)).join('\n');
      return { text, data: { documents } };
    }
    const changes = writeDocumentFiles(directory, toFiles(documents));
    const { written, removed, unchanged } = changes;
    const text = [
      ...written.map((name) => `written: ${name}`),
      ...removed.map((name) => `removed: ${name}`),
      `${written.length} written, ${removed.length} removed, ${unchanged} unchanged`,
    ].join('\n');
    return { text, data: changes };
  },
};
