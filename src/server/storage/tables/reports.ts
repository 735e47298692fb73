import type { Generated } from 'kysely';
import type { DashboardTables } from './dashboards.ts';

/** The tables of reports. */
export interface ReportTables {
  reports: {
    id: string;
    organization_id: string;
    user_id: string;
    data_source_id: string;
    name: string;
    /** The description in `content`. */
    description: string | null;
    version: number;
    created_at: string;
    updated_at: string;
    updated_by: string;
    change: string;
    restored_from: number | null;
    save_hash: string | null;
    restricted: Generated<number>;
    deleted_at: string | null;
    deleted_by: string | null;
    /** The id of the document that an import created it from; unique in the organization. */
    origin_id: string | null;
    folder_id: string | null;
    deleted_with: string | null;
    /** The part of the report that people edit, as JSON. The last column, since it may be long. */
    content: string;
  };
  report_versions: DashboardTables['dashboard_versions'];
  report_tombstones: { id: string; organization_id: string; name: string; restricted: Generated<number> };
}
