import { Type, type Static, type TSchema } from 'typebox';

/**
 * Every problem code that a response can carry, with its status and title. A code is stable: clients match on it.
 */
export const problems = {
  malformed_json: { status: 400, title: 'The body is not valid JSON' },
  invalid_body: { status: 400, title: 'The body does not match its schema' },
  filter_required: { status: 400, title: 'A required filter has no value' },
  invalid_parameters: { status: 400, title: 'The parameters of the URL do not match their schema' },
  sign_in_expired: { status: 400, title: 'The sign-in cannot be completed' },
  malformed_request: { status: 400, title: 'The request is malformed' },
  unauthenticated: { status: 401, title: 'A valid session is required' },
  invalid_credentials: { status: 401, title: 'Incorrect email or password' },
  insufficient_scope: { status: 403, title: 'The token does not permit this' },
  session_limit_exceeded: { status: 403, title: 'The session is beyond the limits of the organization' },
  address_not_allowed: { status: 403, title: 'The organization can’t be used from this network' },
  second_factor_required: { status: 403, title: 'A second factor is required' },
  second_factor_missing: { status: 403, title: 'Set up a second factor first' },
  sso_required: { status: 403, title: 'The organization requires single sign-on' },
  sign_in_refused: { status: 403, title: 'The sign-in was refused' },
  confirmation_required: { status: 403, title: 'Confirm that it’s you' },
  not_a_navigation: { status: 403, title: 'Open this URL directly in a browser' },
  forbidden: { status: 403, title: 'This is not allowed' },
  quota_exceeded: { status: 403, title: 'A limit of what may be stored is reached' },
  cross_site_request: { status: 403, title: 'The request comes from another site' },
  not_found: { status: 404, title: 'Not found' },
  link_not_valid: { status: 404, title: 'The link is not valid' },
  method_not_allowed: { status: 405, title: 'The method is not allowed' },
  already_member: { status: 409, title: 'The person is already a member' },
  account_exists: { status: 409, title: 'An account with this email address already exists' },
  domain_not_proven: { status: 409, title: 'The domain is not verified' },
  domain_taken: { status: 409, title: 'The domain is verified elsewhere' },
  workload_identity_unavailable: { status: 409, title: 'The workload identity cannot be used' },
  sso_not_ready: { status: 409, title: 'The configuration cannot be used yet' },
  too_many_comments: { status: 409, title: 'Too many comments' },
  too_many_display_links: { status: 409, title: 'The dashboard has too many links for wall displays' },
  too_many_passkeys: { status: 409, title: 'Too many passkeys' },
  too_many_tokens: { status: 409, title: 'Too many tokens' },
  too_many_proposals: { status: 409, title: 'Too many open proposals' },
  proposal_target_deleted: { status: 409, title: 'What the proposal changes was deleted' },
  proposal_decided: { status: 409, title: 'The proposal was already accepted or declined' },
  too_many_connections: { status: 409, title: 'The organization has too many directories' },
  too_many_webhooks: { status: 409, title: 'The organization has too many webhooks' },
  too_many_stars: { status: 409, title: 'Too many starred dashboards' },
  data_source_in_use: { status: 409, title: 'The data source is used by reports' },
  not_shown: { status: 403, title: 'This can’t be shown here' },
  report_deleted: { status: 410, title: 'The report was deleted' },
  sample_exists: { status: 409, title: 'A data source with the name of the sample already exists' },
  table_exists: { status: 409, title: 'A table with this name already exists' },
  too_many_tables: { status: 409, title: 'The data source has too many tables' },
  idempotency_key_in_use: { status: 409, title: 'The same request is still being processed' },
  idempotency_key_reused: { status: 422, title: 'The idempotency key was used for a different request' },
  report_in_use: { status: 409, title: 'The report is used on dashboards' },
  query_failed: { status: 422, title: 'The query failed' },
  query_timed_out: { status: 422, title: 'The query took too long' },
  dashboard_too_large: { status: 422, title: 'The dashboard shows too much at once' },
  query_too_large: { status: 422, title: 'The query used too much memory or disk space' },
  source_unreachable: { status: 502, title: 'The data source cannot be reached' },
  queries_busy: { status: 503, title: 'Too many queries are waiting' },
  export_too_large: { status: 422, title: 'The export is too large' },
  exports_busy: { status: 503, title: 'Too many exports are waiting' },
  unreadable_file: { status: 422, title: 'The file cannot be read as a table' },
  unreadable_image: { status: 422, title: 'The image cannot be used' },
  folder_limit: { status: 409, title: 'There are too many folders' },
  last_operator: { status: 409, title: 'The server must have at least one operator' },
  last_owner: { status: 409, title: 'An organization must have at least one owner' },
  personal_dashboard: { status: 409, title: 'The dashboard does not belong to an organization' },
  edit_conflict: { status: 412, title: 'Conflicting changes' },
  unknown_version: { status: 412, title: 'The resource has changed' },
  body_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The media type of the body is not supported' },
  range_not_satisfiable: { status: 416, title: 'The range is outside the file' },
  precondition_required: { status: 428, title: 'The request must specify the version that it changes' },
  too_many_streams: { status: 429, title: 'Too many streams are open' },
  too_many_attempts: { status: 429, title: 'Too many attempts' },
  headers_too_large: { status: 431, title: 'The header fields are too large' },
  internal: { status: 500, title: 'Something went wrong on the server' },
  unavailable: { status: 503, title: 'The server is temporarily unavailable' },
} as const;

export type ProblemCode = keyof typeof problems;

/** The code of a problem. */
// Sound because the object has no other keys.
export const ProblemCode = Type.Enum(Object.keys(problems) as ProblemCode[]);

/** One fault of a body or of a query, found at `pointer`. */
export const Fault = Type.Object({
  pointer: Type.String({ description: 'JSON Pointer (RFC 6901) into the body; "" is the body itself' }),
  code: Type.String({ description: 'A stable code, such as `required`, `type` or `minLength`' }),
  message: Type.String(),
});
export type Fault = Static<typeof Fault>;

/** An error as a problem document (RFC 9457), sent as `application/problem+json`. */
export const Problem = Type.Object({
  type: Type.String({ description: 'A URI reference that identifies the kind of problem' }),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String(),
  code: ProblemCode,
  requestId: Type.String({ description: 'Also the header `X-Request-Id`; the server logs it' }),
  errors: Type.Optional(Type.Array(Fault, { description: 'All faults; at most 100 are listed' })),
});
export type Problem = Static<typeof Problem>;

/** The problem of a write that would exceed a limit of what may be stored. */
const QuotaExceeded = Type.Object({
  ...Problem.properties,
  quota: Type.Enum(['records', 'bytes', 'organizations'], { description: 'What is limited' }),
  limit: Type.Integer({ description: 'The most that may be stored' }),
});

/** The schemas of the problems whose document has the same additional properties on all routes. */
export const documentsOfProblems: Readonly<Partial<Record<ProblemCode, TSchema>>> = {
  quota_exceeded: QuotaExceeded,
};

/** What went wrong with a part of a response. */
export const PartialProblem = Type.Omit(Problem, ['requestId']);
