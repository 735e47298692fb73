import { stat } from 'node:fs/promises';
import { required, UsageError } from '../../cli/usage/usage.ts';
import { StartError } from '../base/errors.ts';
import { exportToFile } from '../data-export/organization/to-file.ts';
import { sourcesDirectory } from '../storage/data-directory.ts';
import type { Command } from './command.ts';
import { getOrganizationId, organizationOption } from './organization.ts';

export const organizationExport: Command = {
  name: 'organization export',
  summary:
    'Exports everything of an organization into a ZIP archive, without secrets, while the server runs.\n' +
    'The audit log of the organization records it.',
  arguments: [{ name: 'file', placeholder: 'FILE', help: 'the archive, which must not exist (required)' }],
  options: [organizationOption],
  async runAt(place, values) {
    const { dataDirectory, tablesUrl } = place.settings;
    if (tablesUrl !== undefined)
      throw new UsageError(
        'Uploaded tables are on S3-compatible storage (ATRIUM_TABLES_URL), which this command does not read. Export in the browser, as an owner.',
      );
    const path = required(values, 'file');
    const { database, clock, close } = await place.openExisting();
    try {
      const organizationId = await getOrganizationId(database, required(values, 'organization'));
      const files = { directory: sourcesDirectory(dataDirectory), remote: undefined };
      await exportToFile({ database, clock, files }, { organizationId, path });
      const { size: sizeBytes } = await stat(path);
      return { text: `exported to ${path}: ${sizeBytes} bytes`, data: { path, sizeBytes } };
    } catch (error) {
      if (error instanceof Error && 'syscall' in error)
        throw new StartError(`The export failed: ${error.message}`, { cause: error });
      throw error;
    } finally {
      await close();
    }
  },
};
