import type { Clock } from '../../base/clock.ts';
import type { Settings } from '../../settings/settings.ts';
import type { StoredSsoConfiguration } from '../configuration/store.ts';
import { derivedDiscoveryUrl, isSharedTenant, isTenantGuid } from '../protocol/entra.ts';
import { SignInRefusal } from '../protocol/sign-in-refusal.ts';
import type { WorkloadToken } from './token-file.ts';

type Directory = Pick<StoredSsoConfiguration, 'organizationId' | 'tenantId' | 'discoveryUrl'>;

/** The identity that the host gives this server, for the organizations that the operator has named. */
export interface WorkloadIdentity {
  /** Whether an organization may use it. */
  isOffered(organizationId: string): boolean;
  /**
   * Returns the token of the host now. Throws a `SignInRefusal`: `workload_identity_not_offered` for other organizations,
   * `workload_identity_not_entra` for other directories, and `workload_token_unusable`.
   */
  read(directory: Directory): Promise<WorkloadToken>;
  /** Returns a `read` that reads the file at most once, for as long as a list of directories is described. */
  readOnce(): WorkloadIdentity['read'];
  /** Returns the client assertion (RFC 7523, section 2.2) for a token endpoint. Throws as `read` does, also for other endpoints. */
  assertionFor(directory: Directory, tokenEndpoint: string | undefined): Promise<string>;
}

/**
 * Returns the workload identity of this server. Its token proves that a request is from this server, for whichever organization, so
 * it is read only for the organizations that the operator has named. It is sent only to the authority of Entra that the operator has
 * set, never to an address that an organization has entered.
 */
export function createWorkloadIdentity(
  {
    workloadTokenFile,
    workloadOrganizations,
    entraAuthority,
  }: Pick<Settings, 'workloadTokenFile' | 'workloadOrganizations' | 'entraAuthority'>,
  clock: Clock,
): WorkloadIdentity {
  let tokenFile: Promise<() => Promise<WorkloadToken>> | undefined;
  // Loaded at the first use, since few servers have such a file.
  const openFile = async (path: string) => (await import('./token-file.ts')).createTokenFile(path, clock);
  const named = new Set(workloadOrganizations);
  const isOffered = (organizationId: string) => workloadTokenFile !== undefined && named.has(organizationId);
  const readFile = async (path: string) => (await (tokenFile ??= openFile(path)))();
  const readWith =
    (readToken: (path: string) => Promise<WorkloadToken>): WorkloadIdentity['read'] =>
    async ({ organizationId, tenantId, discoveryUrl }) => {
      if (workloadTokenFile === undefined || !isOffered(organizationId)) throw notOffered();
      if (!isAtAuthority(entraAuthority, { tenantId, discoveryUrl })) throw notEntra();
      return readToken(workloadTokenFile);
    };
  const read = readWith(readFile);
  return {
    isOffered,
    read,
    readOnce: () => {
      let token: Promise<WorkloadToken> | undefined;
      return readWith((path) => (token ??= readFile(path)));
    },
    assertionFor: async (directory, tokenEndpoint) => {
      const url = URL.parse(tokenEndpoint ?? '');
      const start = `/${directory.tenantId ?? ''}/`.toLowerCase();
      if (url?.origin !== entraAuthority || !url.pathname.toLowerCase().startsWith(start)) throw notEntra();
      return (await read(directory)).text;
    },
  };
}

/** Whether a directory is one tenant at an authority of Entra, by the address that the server derives itself. */
function isAtAuthority(
  authority: string,
  { tenantId, discoveryUrl }: Pick<Directory, 'tenantId' | 'discoveryUrl'>,
): boolean {
  if (tenantId === undefined || !isTenantGuid(tenantId) || isSharedTenant(tenantId)) return false;
  return discoveryUrl === derivedDiscoveryUrl(authority, tenantId);
}

const notOffered = (): SignInRefusal =>
  new SignInRefusal('workload_identity_not_offered', {
    message: 'This server has no workload identity that the organization may use.',
    remedy:
      'Have the operator of the server set ATRIUM_WORKLOAD_TOKEN_FILE and name the organization in ATRIUM_WORKLOAD_ORGANIZATIONS, or stop using the workload identity.',
  });

const notEntra = (): SignInRefusal =>
  new SignInRefusal('workload_identity_not_entra', {
    message: 'The workload identity of this server can only be used for a tenant of Microsoft Entra ID.',
    remedy: 'Enter the directory (tenant) ID of your tenant, without a discovery URL.',
  });
