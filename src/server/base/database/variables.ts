import { parseDatabaseUrl } from './url.ts';

/** The parameters of a URL that PostgreSQL's programs also read from variables. */
const variables: Readonly<Record<string, string>> = {
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
  options: 'PGOPTIONS',
  application_name: 'PGAPPNAME',
};

/**
 * Returns the variables with which PostgreSQL's programs connect to the database of a URL. A URL among their arguments would
 * show its password to everyone on the machine, in the list of processes.
 */
export function toPostgresVariables(url: string): Record<string, string> {
  const { urls = [], target } = parseDatabaseUrl(url) ?? {};
  const hosts = urls.map((text) => new URL(text));
  const [first] = hosts;
  if (first === undefined) return {};
  const { searchParams } = first;
  const values = {
    PGHOST: searchParams.get('host') ?? hosts.map(({ hostname }) => bare(hostname)).join(','),
    PGPORT: searchParams.get('port') ?? hosts.map(({ port }) => port || '5432').join(','),
    PGUSER: decodeURIComponent(first.username),
    PGPASSWORD: decodeURIComponent(first.password),
    PGDATABASE: decodeURIComponent(first.pathname.slice(1)),
    PGTARGETSESSIONATTRS: target ?? '',
    ...Object.fromEntries(
      Object.entries(variables).map(([name, variable]) => [variable, searchParams.get(name) ?? '']),
    ),
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
}

/** An IPv6 address is in brackets only in a URL. */
const bare = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1');
