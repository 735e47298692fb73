import { createDashboard, readOrganization, type LoadRequest } from '../load/requests.ts';
import { compareInTurn, type Comparison } from '../load/comparison.ts';
import { median, type Bench, type Section } from '../section.ts';
import { formatRatios } from '../table.ts';
import { send, signIn } from './account.ts';
import { startAtrium } from './atrium-server.ts';
import { makeTemporaryDirectory } from './leftovers.ts';

const connections = 50;
const dayMs = 86_400_000;

/** Measures requests by token against the same requests by cookie, on one server. */
export async function measureTokens({ drive, seconds, rounds }: Bench): Promise<Section> {
  const target = await startAtrium(makeTemporaryDirectory(), { ATRIUM_API_REQUESTS_PER_MINUTE: '9999999' });
  const account = await signIn(target.origin);
  const { token } = (await send(target.origin, {
    name: 'create a token',
    method: 'POST',
    path: '/api/auth/tokens',
    headers: { cookie: account.cookie, 'content-type': 'application/json' },
    body: JSON.stringify({
      organizationId: account.organizationId,
      name: 'Benchmark',
      scopes: ['read', 'dashboards:write'],
      expiresAt: new Date(Date.now() + dayMs).toISOString().slice(0, 10),
    }),
    status: 201,
  })) as { token: string };
  const byToken = ({ headers: { cookie: _, ...headers }, ...request }: LoadRequest): LoadRequest => ({
    ...request,
    headers: { ...headers, authorization: `Bearer ${token}` },
  });
  const pairs = [readOrganization(account), createDashboard(account)].map((request) => ({
    name: request.name,
    subject: { target, requests: [byToken(request)] },
    base: { target, requests: [request] },
  }));
  const comparisons: Comparison[] = [];
  // One after the other: the server still indexes dashboards after they are created.
  for (const pair of pairs)
    comparisons.push(...(await compareInTurn(drive, [pair], { connections, seconds, rounds })));
  await target.stop();
  const [check, create] = comparisons as [Comparison, Comparison];
  const costs = check.subject.map(
    ({ processorUs = NaN }, round) => processorUs / (check.base[round]?.processorUs ?? NaN),
  );
  return {
    title: `Tokens against cookies: ${connections} connections, medians of ${rounds} rounds of ${seconds} s`,
    rows: [
      { request: check.name, 'by token': `${formatRatios(costs)} of the processor time` },
      { request: create.name, 'by token': `${formatRatios(create.ratios)} of the speed` },
    ],
    goals: [
      {
        what: 'processor time of a request with a token, of that with a cookie',
        value: median(costs),
        unit: '',
        bound: { atMost: 1.15 },
      },
      {
        what: 'creates by token, of those by cookie',
        value: median(create.ratios),
        unit: '',
        bound: { atLeast: 0.95 },
      },
    ],
    details: comparisons,
  };
}
