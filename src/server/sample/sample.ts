import { fileURLToPath } from 'node:url';
import type { Actor } from '../base/actor.ts';
import { AtriumError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { addDashboard } from '../dashboards/dashboards.ts';
import {
  addReadyMadeSource,
  isSourceName,
  withReadyMadeTables,
  type ReadyMadeNeeds,
} from '../data-sources/tables/ready-made.ts';
import { requirePermission, requirePermissionToChange } from '../organizations/authorization.ts';
import { addReport } from '../reports/reports.ts';
import type { Database, Reader } from '../storage/database.ts';
import { sampleDashboard, sampleName, sampleReports, sampleTables } from './sample-content.ts';

/** What making the sample takes. */
export interface SampleNeeds extends ReadyMadeNeeds {
  readonly database: Database;
}

/**
 * Gives an organization a data source of real public data, with nine reports and a dashboard over it, all or nothing.
 * Editor or higher. Throws `sample_exists` when it has a data source of that name, and
 * `body_too_large` or `too_many_attempts` where its uploads have reached their limits.
 */
export async function createSample(
  needs: SampleNeeds,
  actor: Actor,
  organizationId: string,
): Promise<{ dataSourceId: string; dashboardId: string }> {
  const { database, clock } = needs;
  await requirePermission(database, actor, organizationId, 'sample.create');
  await requireNone(database, organizationId);
  const source = { id: newId(), organizationId, name: sampleName };
  const tables = sampleTables.map(({ file, ...table }) => ({ ...table, inputFile: pathOf(file) }));
  return withReadyMadeTables(needs, actor, source, tables, (stored) =>
    database.write(async (transaction) => {
      await requirePermissionToChange(transaction, actor, organizationId, 'sample.create');
      await requireNone(transaction, organizationId);
      await addReadyMadeSource(transaction, needs, actor, source, stored);
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
  if (await isSourceName(reader, organizationId, sampleName)) {
    throw new AtriumError('sample_exists', `The organization has a data source “${sampleName}” already.`);
  }
}

/** The package exports only its script; the data lies beside. */
const pathOf = (file: string): string =>
  fileURLToPath(new URL(`../data/${file}`, import.meta.resolve('vega-datasets')));
