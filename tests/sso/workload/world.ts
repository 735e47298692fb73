import type { JWTPayload } from 'jose';
import type { Owner } from '../../support/endings.ts';
import { describeInWorld } from '../../support/server/shared-world.ts';
import type { Engine } from '../../support/server/test-server.ts';
import type { HostTrust } from '../../support/sso/directory.ts';
import type { OrganizationOptions, SsoOrganization } from '../../support/sso/organization.ts';
import { startWorld, type SsoWorld } from '../../support/sso/world.ts';
import { issuer, startHost, subject } from './host.ts';

/** A world in which the host gives the server a token. */
export interface WorkloadWorld extends SsoWorld {
  /** The settings of the server about the token. */
  readonly environment: Readonly<Record<string, string>>;
  /** What an app registration has to trust. */
  readonly trust: HostTrust;
  /** Replaces the token, which expires in an hour, as Kubernetes does. Returns it. */
  renewToken(claims?: JWTPayload): Promise<string>;
  /** Replaces the content of the file. */
  writeFile(content: string): void;
  /** Creates an organization that may use the token, with a configuration that is ready. */
  createNamed(options?: OrganizationOptions): Promise<SsoOrganization>;
}

/** How many organizations the operator has named. */
const namedCount = 16;

/** Declares the same tests on the usual engines. They share a world. */
export const describeWorkloads = (
  name: string,
  declare: (world: WorkloadWorld, engine: Engine) => void,
): void => describeInWorld(name, startWorkloadWorld, declare);

async function startWorkloadWorld(owner: Owner, engine: Engine): Promise<WorkloadWorld> {
  const host = await startHost(owner, engine, namedCount);
  const { opened, environment, publicKey, writeFile } = host;
  const world = await startWorld(owner, engine, { environment, opened });
  const { clock } = world.server;
  const left = [...host.organizationIds];
  return {
    ...world,
    environment: { ...environment, ATRIUM_SSO_ENTRA_AUTHORITY: `http://${world.entra.host}` },
    trust: { issuer, subject, key: publicKey, now: clock },
    renewToken: (claims) => host.renewToken(clock, claims),
    writeFile,
    createNamed: (options) => {
      const id = left.pop();
      if (id === undefined) throw new Error('Name more organizations.');
      return world.createOrganization({ ...options, id });
    },
  };
}

/** The path of the workload identity of an organization's first directory. */
export const pathOf = ({ configurationId }: Pick<SsoOrganization, 'configurationId'>): string =>
  `/connections/${configurationId}/workload-identity`;
