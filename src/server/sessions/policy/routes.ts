import * as contract from '#contract/organizations/session-policy.ts';
import type { Clock } from '../../base/clock.ts';
import type { Serve } from '../../http/serve.ts';
import type { Database } from '../../storage/database.ts';
import { getSessionPolicy, putSessionPolicy } from './policy.ts';

/** Serves the limits that organizations set for sessions. */
export function serveSessionPolicies(
  serve: Serve,
  dependencies: { readonly database: Database; readonly clock: Clock },
): void {
  serve(contract.getSessionPolicy, ({ actor, params }) =>
    getSessionPolicy(dependencies.database, actor, params.orgId),
  );
  serve(contract.putSessionPolicy, ({ actor, params, body, client }) =>
    putSessionPolicy(dependencies, actor, params.orgId, body, client.address),
  );
}
