import type { Actor } from '../base/actor.ts';
import { AtriumError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { addDashboard } from '../dashboards/dashboards.ts';
import {
  addFilesSource,
  withCopiedTables,
  type CopyDependencies,
} from '../data-sources/tables/copied-tables.ts';
import { findDataSourcesNamed } from '../data-sources/names.ts';
import { requirePermission, requirePermissionToChange } from '../organizations/authorization.ts';
import { addReport } from '../reports/reports.ts';
import type { Database, Reader } from '../storage/database.ts';
import { sampleDashboard, sampleName, sampleReports } from './content.ts';
import { readSampleTables } from './tables.ts';

/** Dependencies of creating the sample. */
export interface SampleDependencies extends CopyDependencies {
  readonly database: Database;
}

/**
 * Creates a data source with real public data in an organization, with nine reports and a dashboard, all or nothing.
 * Editor or higher. Throws `sample_exists` if a data source has that name, and `body_too_large` or `too_many_attempts`
 * if the uploads of the organization have reached their limits.
 */
export async function createSample(
  dependencies: SampleDependencies,
  actor: Actor,
  organizationId: string,
): Promise<{ dataSourceId: string; dashboardId: string }> {
  const { database, clock } = dependencies;
  await requirePermission(database, actor, organizationId, 'sample.create');
  await requireNone(database, organizationId);
  const source = { id: newId(), organizationId, name: sampleName };
  return withCopiedTables(dependencies, source, await readSampleTables(), (stored) =>
    database.write(async (transaction) => {
      await requirePermissionToChange(transaction, actor, organizationId, 'sample.create');
      await requireNone(transaction, organizationId);
      await addFilesSource(transaction, dependencies, actor, source, stored);
      const widgets = [];
      for (const { report, layout } of sampleReports) {
        const input = { ...report, organizationId, dataSourceId: source.id };
        const { id: reportId } = await addReport(transaction, clock, actor, input);
        widgets.push({ reportId, layout });
      }
      const dashboard = { ...sampleDashboard, organizationId, widgets };
      const { id: dashboardId } = await addDashboard(transaction, clock, actor, dashboard);
      return { dataSourceId: source.id, dashboardId };
    }),
  );
}

async function requireNone(reader: Reader, organizationId: string): Promise<void> {
  if ((await findDataSourcesNamed(reader, organizationId, sampleName)).length > 0) {
    throw new AtriumError(
      'sample_exists',
      `The organization already has a data source named “${sampleName}”.`,
    );
  }
}
