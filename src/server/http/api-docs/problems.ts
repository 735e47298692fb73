import { problems, Problem, type ProblemCode } from '#contract/problem.ts';
import type { Route } from '#contract/route.ts';
import { title, type JsonSchema, type Schemas } from './schemas.ts';

/** Returns the responses of an operation that are problems, by status. Those that operations share are in `shared`. */
export function describeProblems(
  route: Route,
  schemas: Schemas,
  shared: Record<string, JsonSchema>,
): Record<string, JsonSchema> {
  const byStatus = Map.groupBy(
    new Set([...commonProblems(route), ...(route.problems ?? [])]),
    (code) => problems[code].status,
  );
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const own = codes.flatMap((code) => {
        const schema = route.problemReplies?.[code];
        return schema ? [schemas.add(schema, `${title(code)}Problem`)] : [];
      });
      const described = describeCodes(codes, own, schemas);
      if (own.length > 0) return [status, described];
      const name = codes.map(title).toSorted().join('Or');
      shared[name] ??= described;
      return [status, { $ref: `#/components/responses/${name}` }];
    }),
  );
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
const retryAfter = { 'Retry-After': header('How many seconds to wait', 'integer') };

/** The headers of problems, besides those of every response. */
const headersByStatus: Readonly<Record<number, JsonSchema>> = {
  401: { 'WWW-Authenticate': header('Which cookie is required, if it is missing or invalid') },
  416: { 'Content-Range': header('The size of the file, such as `bytes */1024`') },
  429: {
    ...retryAfter,
    RateLimit: header('The attempts that are left, if they are counted'),
    'RateLimit-Policy': header('How many attempts are allowed in which time'),
  },
  503: retryAfter,
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
  const headers = codes[0] && headersByStatus[problems[codes[0]].status];
  return {
    description: codes.map((code) => `\`${code}\`: ${problems[code].title}`).join('; '),
    ...(headers && { headers }),
    content: { 'application/problem+json': { schema: anyOf.length === 1 ? anyOf[0] : { anyOf } } },
  };
}
