import {
  getAuthenticationPolicy as getAuthentication,
  putAuthenticationPolicy as putAuthentication,
} from '#contract/organizations/authentication-policy.ts';
import * as contract from '#contract/organizations/session-policy.ts';
import type { Clock } from '../../base/clock.ts';
import type { Serve } from '../../http/serve.ts';
import type { Database } from '../../storage/database.ts';
import { getAuthenticationPolicy, putAuthenticationPolicy } from './authentication.ts';
import { getSessionPolicy, putSessionPolicy } from './policy.ts';

/** Serves the limits that organizations set for sessions, and the second factors that they require. */
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
  serve(getAuthentication, ({ actor, params }) =>
    getAuthenticationPolicy(dependencies.database, actor, params.orgId),
  );
  serve(putAuthentication, ({ actor, params, body }) =>
    putAuthenticationPolicy(dependencies, actor, params.orgId, body),
  );
}
