import { documentsOfProblems, problems, Problem, type ProblemCode } from '#contract/problem.ts';
import type { Route } from '#contract/route.ts';
import { title, type JsonSchema, type Schemas } from './schemas.ts';

/** Returns the responses of an operation that are problems, by status. Those that operations share are in `shared`. */
export function describeProblems(
  route: Route,
  schemas: Schemas,
  shared: Record<string, JsonSchema>,
): Record<string, JsonSchema> {
  const byStatus = Map.groupBy(new Set([...commonProblems(route), ...(route.problems ?? [])]), (code) =>
    statusOrRange(problems[code].status),
  );
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const own = codes.flatMap((code) => {
        const schema = route.problemReplies?.[code] ?? documentsOfProblems[code];
        return schema ? [schemas.add(schema, `${title(code)}Problem`)] : [];
      });
      const described = describeCodes(codes, own, schemas);
      const extended = own.map(({ $ref }) => `With${String($ref).split('/').at(-1)}`).join('');
      return [status, { $ref: `#/components/responses/${share(codes, described, shared, extended)}` }];
    }),
  );
}

/**
 * All failures of the server share a range (OpenAPI 3.1, section 4.8.16.2), since every operation has several of them, and so do
 * the faults of a body that isn't read, which every operation with a body has.
 */
const statusOrRange = (status: number): string => {
  if (status >= 500) return '5XX';
  return status === 413 || status === 415 ? '4XX' : String(status);
};

/** What almost every operation can have isn't in the names of responses: it would make the document 2% larger. */
const ofMost: ReadonlySet<ProblemCode> = new Set([
  'cross_site_request',
  'malformed_json',
  'malformed_request',
  'sso_required',
  'unavailable',
  'unsupported_media_type',
]);

/** Returns the name of a response that operations share. */
function share(
  codes: readonly ProblemCode[],
  described: JsonSchema,
  shared: Record<string, JsonSchema>,
  extended: string,
): string {
  const sorted = codes.toSorted();
  const distinct = sorted.filter((code) => !ofMost.has(code));
  const isUsual = ['malformed_request', 'unavailable', 'unsupported_media_type'].some((code) =>
    codes.some((each) => each === code),
  );
  // Without a second of the usual codes, the short name would have several meanings.
  const isShort = distinct.length > 0 && (isUsual || sorted.length - distinct.length > 1);
  const long = sorted.map(title).join('Or') + extended;
  const names = [...(isShort ? [distinct.map(title).join('Or') + extended] : []), long, `${long}Only`];
  const text = JSON.stringify(described);
  const name = names.find((each) => JSON.stringify(shared[each] ?? described) === text) ?? `${long}Only`;
  shared[name] = described;
  return name;
}

/** Returns the problems that any operation with these inputs can have. */
const commonProblems = (route: Route): ProblemCode[] => [
  ...(route.body
    ? (['malformed_json', 'invalid_body', 'body_too_large', 'unsupported_media_type'] as const)
    : []),
  ...(route.upload ? (['body_too_large', 'unsupported_media_type'] as const) : []),
  ...(route.query || hasPattern(route.params) || hasPattern(route.headers)
    ? (['invalid_parameters'] as const)
    : []),
  ...(route.access === 'session' ? (['unauthenticated'] as const) : []),
  ...(isOfOrganization(route) ? (['sso_required'] as const) : []),
  ...(route.method === 'GET' ? [] : (['cross_site_request'] as const)),
  'malformed_request',
  'internal',
  'unavailable',
];

const header = (description: string, type = 'string'): JsonSchema => ({ description, schema: { type } });
const retryAfter = { 'Retry-After': header('How many seconds to wait; with 429 and 503', 'integer') };

/** The headers of problems, besides those of every response. */
const headersByStatus: Readonly<Record<string, JsonSchema>> = {
  401: { 'WWW-Authenticate': header('Which credential is required, if it is missing or invalid') },
  416: { 'Content-Range': header('The size of the file, such as `bytes */1024`') },
  429: {
    ...retryAfter,
    RateLimit: header('The attempts that are left, if they are counted'),
    'RateLimit-Policy': header('How many attempts are allowed in which time'),
  },
  '5XX': retryAfter,
};

const hasPattern = (values: Route['params']): boolean =>
  Object.values(values?.properties ?? {}).some((param) => 'pattern' in param);

/**
 * An operation that can return `not_found` for another organization can return `sso_required` for one that requires
 * SSO.
 */
const isOfOrganization = ({ access, path, problems: own = [] }: Route): boolean =>
  access === 'session' && own.includes('not_found') && !path.startsWith('/api/auth/');

function describeCodes(
  codes: readonly ProblemCode[],
  own: readonly JsonSchema[],
  schemas: Schemas,
): JsonSchema {
  const anyOf = own.length < codes.length ? [...own, schemas.add(Problem, 'Problem')] : own;
  const headers = codes[0] && headersByStatus[statusOrRange(problems[codes[0]].status)];
  return {
    description: codes.map((code) => `\`${code}\`: ${problems[code].title}`).join('; '),
    ...(headers && { headers }),
    content: { 'application/problem+json': { schema: anyOf.length === 1 ? anyOf[0] : { anyOf } } },
  };
}
