import type { Page } from '@playwright/test';
import { createUser } from '../../../src/server/organizations/users.ts';
import { verifyDomainAsOperator } from '../../../src/server/sso/domains/proofs.ts';
import { startDirectory, type Directory } from '../../support/sso/directory.ts';
import { startDnsServer, type DnsServer } from '../../support/network/dns-server.ts';
import { atEndOf, type Owner } from '../../support/endings.ts';
import { setPassword } from '../../support/organizations/passwords.ts';
import { toPerson } from '../../support/sso/responses.ts';
import type { Person, TestServer } from '../../support/server/test-server.ts';
import { startWebServer, type WebServer } from '../web-office.ts';

export const tenantId = '3d1f7c1a-52e1-4f0a-8f3b-0a9b8c7d6e5f';
export const domain = 'contoso.test';

/** A directory and a DNS server, with the settings that a server needs to use them. */
export interface Surroundings {
  readonly directory: Directory;
  readonly dns: DnsServer;
  readonly environment: Readonly<Record<string, string>>;
  /** Signs a browser in at the directory as the person called `name`. */
  becomePerson(page: Page, name: string, options?: { isUnassigned?: boolean }): Promise<void>;
}

/** Starts a DNS server and a directory: Entra ID, or AD FS if there is no tenant. */
export async function startSurroundings(owner: Owner, tenant?: string): Promise<Surroundings> {
  const directory = await startDirectory(tenant === undefined ? {} : { tenantId: tenant });
  atEndOf(owner, directory.stop);
  const dns = await startDnsServer();
  atEndOf(owner, dns.stop);
  return {
    directory,
    dns,
    environment: {
      ATRIUM_SSO_ENTRA_AUTHORITY: `http://${directory.host}`,
      ATRIUM_SSO_PRIVATE_HOSTS: directory.host,
      ATRIUM_DNS_SERVERS: dns.address,
    },
    async becomePerson(page, name, options = {}) {
      const principal = `${name.toLowerCase()}@${domain}`;
      const own = tenant === undefined ? { upn: principal } : { name, preferred_username: principal };
      const subject = `oid-of-${name.toLowerCase()}`;
      directory.addPerson({ subject, claims: own, ...options });
      // Another person starts without the previous one's session at the directory.
      await page.context().clearCookies({ domain: '127.0.0.1' });
      await page
        .context()
        .addCookies([{ name: 'test_person', value: subject, url: `http://${directory.host}` }]);
    },
  };
}

/** Creates an organization whose owner, Ada, has a password and an email address in the directory's domain. */
export async function createContoso(server: TestServer): Promise<{ ada: Person; organizationId: string }> {
  const email = `ada@${domain}`;
  const password = 'correct horse battery';
  const user = await server.database.write((transaction) =>
    createUser(transaction, Date.now, { email, name: 'Ada', passwordHash: null }),
  );
  await setPassword(server, { ...user, token: '' }, password);
  const signedIn = await server.call('POST /api/auth/sign-in/email', { body: { email, password } });
  const ada = await toPerson(server, signedIn);
  return { ada, organizationId: await server.createOrganization(ada) };
}

/** Starts a server for browsers, with an organization whose people can sign in through its directory. */
export async function startReadyOffice(owner: Owner): Promise<
  Pick<Surroundings, 'becomePerson'> & {
    office: WebServer;
    /** Ada. */
    owner: Person;
    organizationId: string;
  }
> {
  const { directory, environment, becomePerson } = await startSurroundings(owner, tenantId);
  const office = await startWebServer(owner, environment);
  const { server } = office;
  const { clientId, clientSecret } = directory;
  const { ada, organizationId } = await createContoso(server);
  const api = `/api/sso/orgs/${organizationId}`;
  await server.call(`POST ${api}/config`, {
    as: ada,
    body: { provider: 'idp_ad', clientId, clientSecret, tenantId, emailDomains: [domain], enabled: true },
  });
  await verifyDomainAsOperator(server.database, Date.now, { organizationId, domain });
  directory.allowRedirect((await server.call(`GET ${api}/status`, { as: ada })).body.redirectUri);
  return { office, owner: ada, organizationId, becomePerson };
}

/** Returns the text of a field to copy. */
export const copied = (page: Page, label: string): Promise<string> =>
  page.getByRole('textbox', { name: label, exact: true }).inputValue();
