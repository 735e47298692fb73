import type { AccountTables } from './tables/accounts.ts';
import type { DashboardTables } from './tables/dashboards.ts';
import type { DataSourceTables } from './tables/data-sources.ts';
import type { FolderTables } from './tables/folders.ts';
import type { PlatformTables } from './tables/platform.ts';
import type { ProposalTables } from './tables/proposals.ts';
import type { ProvisioningTables } from './tables/provisioning.ts';
import type { ReportTables } from './tables/reports.ts';
import type { SsoTables } from './tables/sso.ts';
import type { WebhookTables } from './tables/webhooks.ts';

/**
 * The schema, which is the same on both engines: ids and times as text (RFC 3339), JSON as text, booleans as 0 and 1.
 * An empty column is `null` here, and absent outside of the stores.
 */
export interface Tables
  extends
    PlatformTables,
    AccountTables,
    SsoTables,
    DashboardTables,
    FolderTables,
    DataSourceTables,
    ReportTables,
    ProposalTables,
    ProvisioningTables,
    WebhookTables {}
