import type { TestServer } from '../server/test-server.ts';

/** Stores that an organization has verified the domain of the addresses of `createPerson`, without a configuration that names it. */
export async function addVerifiedDomain(
  { database, clock }: Pick<TestServer, 'database' | 'clock'>,
  organizationId: string,
  domain = 'example.com',
): Promise<void> {
  const at = new Date(clock()).toISOString();
  await database.write((transaction) =>
    transaction.execute(
      `insert into sso_domains (domain, organization_id, configuration_id, proven_by, proven_at, checked_at)
        values ('${domain}', '${organizationId}', '', 'operator', '${at}', '${at}')`,
    ),
  );
}
