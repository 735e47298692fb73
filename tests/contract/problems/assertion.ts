import assert from 'node:assert/strict';
import { Compile } from 'typebox/compile';
import { documentsOfProblems, Problem, problems, type ProblemCode } from '#contract/problem.ts';
import { routes } from '#contract/routes.ts';
import type { TestResponse } from '../../support/server/test-server.ts';

const isProblem = Compile(Problem);

/** The schemas of problem documents with additional fields. */
const ownReplies = Map.groupBy(
  [{ problemReplies: documentsOfProblems }, ...routes].flatMap(({ problemReplies = {} }) =>
    Object.entries(problemReplies),
  ),
  ([code]) => code,
);

/** Asserts that a response is the problem document of a code, with the headers that prevent browsers from running it. */
export function assertProblem(
  { status, headers, body }: TestResponse,
  code: ProblemCode,
  line: string = code,
): void {
  const what = line.slice(0, 200);
  const { title, status: expectedStatus } = problems[code];
  assert.deepEqual(
    { status, code: body?.code, type: headers['content-type'], sniff: headers['x-content-type-options'] },
    { status: expectedStatus, code, type: 'application/problem+json; charset=utf-8', sniff: 'nosniff' },
    what,
  );
  assert.ok(isProblem.Check(body), what);
  const {
    detail,
    requestId,
    errors,
    type,
    title: shownTitle,
    status: shownStatus,
    code: shownCode,
    ...rest
  } = body;
  assert.deepEqual(
    { type, title: shownTitle, status: shownStatus, code: shownCode },
    { type: `urn:atrium:problem:${code}`, title, status, code },
    what,
  );
  const own = ownReplies.get(code);
  if (own === undefined) assert.deepEqual(rest, {}, what);
  else
    assert.ok(
      own.some(([, schema]) => Compile(schema).Check(body)),
      what,
    );
  assert.ok(detail.length > 0, what);
  assert.match(requestId, /^[0-9a-f-]{36}$/, what);
  assert.equal(errors !== undefined, code === 'invalid_body' || code === 'invalid_parameters', what);
}
