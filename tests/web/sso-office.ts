import type { Page } from '@playwright/test';
import { startDirectory, type Directory } from '../support/directory.ts';
import { startDnsServer, type DnsServer } from '../support/dns-server.ts';
import { atEndOf, type Owner } from '../support/endings.ts';

export const tenantId = '3d1f7c1a-52e1-4f0a-8f3b-0a9b8c7d6e5f';
export const domain = 'contoso.test';

/** A directory and a DNS server, and what a server needs to know of them. */
export interface Surroundings {
  readonly directory: Directory;
  readonly dns: DnsServer;
  readonly environment: Readonly<Record<string, string>>;
  /** Signs a browser in at the directory as a person of it, who is called by `name`. */
  becomePerson(page: Page, name: string, options?: { email?: string; isUnassigned?: boolean }): Promise<void>;
}

/** Starts an Entra, or an AD FS where there is no tenant, and a DNS server. */
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
    async becomePerson(page, name, { email, ...options } = {}) {
      const principal = email ?? `${name.toLowerCase()}@${domain}`;
      const own = tenant === undefined ? { upn: principal } : { name, preferred_username: principal };
      const subject = `oid-of-${name.toLowerCase()}`;
      directory.addPerson({ subject, claims: own, ...options });
      // Another person begins without what the directory remembers of the one before.
      await page.context().clearCookies({ domain: '127.0.0.1' });
      await page
        .context()
        .addCookies([{ name: 'test_person', value: subject, url: `http://${directory.host}` }]);
    },
  };
}

/** Returns the text of a field that is there to be copied. */
export const copied = (page: Page, label: string): Promise<string> =>
  page.getByRole('textbox', { name: label, exact: true }).inputValue();
