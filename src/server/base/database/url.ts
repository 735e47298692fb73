/** The server that a connection needs, as in libpq's `target_session_attrs`. */
export type TargetSession = (typeof targetSessions)[number];

const targetSessions = ['any', 'read-write', 'primary'] as const;

/** Where a PostgreSQL database is. */
export interface DatabaseHosts {
  /** One URL per host, in the order in which they are tried. */
  readonly urls: readonly [string, ...string[]];
  readonly target: TargetSession;
}

const shape = /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^@/?#]*)([/?][^#]*)?$/;

/**
 * Reads a `postgres://` URL, which can have several hosts like a connection URI of libpq:
 * `postgres://user:password@one:5432,other:5432/db?target_session_attrs=read-write`. Without `target_session_attrs`,
 * several hosts mean `read-write`, since Atrium always writes, and one host means `any`. Returns undefined if the URL is
 * malformed, or needs a standby.
 */
export function parseDatabaseUrl(text: string): DatabaseHosts | undefined {
  const [, scheme = '', credentials = '', authority = '', rest = ''] = shape.exec(text) ?? [];
  const url = URL.parse(`${scheme}host${rest}`);
  if (url === null) return undefined;
  const targets = url.searchParams.getAll('target_session_attrs');
  const hosts = authority.split(',');
  const defaultTarget = hosts.length === 1 ? 'any' : 'read-write';
  const target = targetSessions.find((known) => known === (targets[0] ?? defaultTarget));
  if (target === undefined || targets.length > 1) return undefined;
  // libpq also takes lists in these parameters. Here, they would replace each host with the same list.
  if (['host', 'port'].some((name) => url.searchParams.get(name)?.includes(','))) return undefined;
  if (hosts.length > 1 && (hosts.includes('') || url.searchParams.has('host'))) return undefined;
  const [first = '', ...others] = hosts.map((host) => `${scheme}${credentials}${host}${withoutTarget(rest)}`);
  const urls = [first, ...others] as const;
  return urls.every((one) => URL.canParse(one)) ? { urls, target } : undefined;
}

/** The driver doesn't know this parameter. The rest of the text stays as it was written. */
const withoutTarget = (rest: string): string =>
  rest.replaceAll(/(?<=[?&])target_session_attrs=[^&]*(&|$)/g, '').replace(/[?&]$/, '');
