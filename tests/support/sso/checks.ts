import { createOutgoing } from '../../../src/server/outgoing/outgoing.ts';
import { createIdentityProviders } from '../../../src/server/sso/protocol/provider/identity-provider.ts';
import { createWorkloadIdentity } from '../../../src/server/sso/workload/workload-identity.ts';
import { createRevalidation, type Revalidation } from '../../../src/server/sso/revalidation/runner.ts';
import { readSettings } from '../../../src/server/settings/settings.ts';
import type { TestServer } from '../server/test-server.ts';

/** Returns what checks the people of a server again, as one process would. `hosts` are those of the providers, `environment` has further settings. */
export function createChecks(
  { database, clock, secretBox, dataDirectory }: TestServer,
  hosts: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Revalidation {
  const settings = readSettings({
    ATRIUM_DATA_DIR: dataDirectory,
    ATRIUM_SSO_PRIVATE_HOSTS: hosts.join(','),
    ...environment,
  });
  return createRevalidation({
    database,
    clock,
    secretBox,
    publicUrl: settings.publicUrl,
    workloadIdentity: createWorkloadIdentity(settings, clock),
    providers: createIdentityProviders(createOutgoing(settings.ssoPrivateHosts), clock),
    onFailure: (error) => {
      throw error;
    },
  });
}
