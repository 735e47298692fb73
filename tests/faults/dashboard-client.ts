import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import type { Dashboard, DashboardInput, DashboardSummary } from '#contract/dashboards/dashboards.ts';
import { send, type Account } from '../support/server/server-process.ts';
import type { SeededRandom } from '../support/seeded-random.ts';

const connectionCount = 8;

/** The requests that the client sent and the responses that it got, recorded outside of the server. */
export interface Ledger {
  /** Every dashboard that was sent, by its unique name. */
  readonly sent: Map<string, DashboardInput>;
  /** Every dashboard that was acknowledged with 201, by id. */
  readonly acknowledged: Map<string, Dashboard>;
  /** The ids of the dashboards that were already checked to be complete. */
  readonly verified: Set<string>;
}

export const emptyLedger = (): Ledger => ({ sent: new Map(), acknowledged: new Map(), verified: new Set() });

/**
 * Creates dashboards as fast as it can over several connections, until `isEnough` returns true, or until each connection is
 * broken or got a 503. Throws if that happens while `isKilled` returns false. Calls `onAcknowledged` for each 201.
 */
export async function writeUntilBroken(
  account: Account,
  ledger: Ledger,
  random: SeededRandom,
  {
    isKilled,
    onAcknowledged,
    isEnough = () => false,
  }: { isKilled(): boolean; onAcknowledged(): void; isEnough?(): boolean },
): Promise<void> {
  const agent = keepAliveAgent();
  const writer = async () => {
    while (!isEnough()) {
      const input = newDashboard(ledger, random, account.organizationId);
      const response = await send(account, 'POST /api/dashboards', { body: input, agent }).catch(
        (error: unknown) => {
          if (isKilled()) return undefined;
          throw error;
        },
      );
      if (response === undefined) return;
      if (response.status === 503 && isKilled()) return;
      assert.equal(response.status, 201, JSON.stringify(response.body));
      const dashboard = response.body as Dashboard;
      assert.deepEqual(inputOf(dashboard), input);
      ledger.acknowledged.set(dashboard.id, dashboard);
      onAcknowledged();
    }
  };
  try {
    await inParallel(connectionCount, writer);
  } finally {
    agent.destroy();
  }
}

/**
 * Reads the listed dashboards that were not read before, or all of them with `everything`. Each must be complete, exactly as
 * acknowledged, or as sent if it was not acknowledged. Every acknowledged dashboard must be listed. Returns how many were read.
 */
export async function verify(account: Account, ledger: Ledger, { everything = false } = {}): Promise<number> {
  const agent = keepAliveAgent();
  try {
    const toRead = await listUnverified(agent, account, ledger, everything);
    const expected = [...ledger.acknowledged.keys()].filter((id) => everything || !ledger.verified.has(id));
    const listed = new Set(toRead);
    const lost = expected.filter((id) => !listed.has(id));
    assert.deepEqual(lost, [], `${lost.length} of ${expected.length} acknowledged dashboards are lost`);
    const waiting = toRead.values();
    await inParallel(connectionCount, async () => {
      for (const id of waiting) await verifyOne(agent, account, ledger, id);
    });
    return toRead.length;
  } finally {
    agent.destroy();
  }
}

async function verifyOne(agent: Agent, account: Account, ledger: Ledger, id: string): Promise<void> {
  const { status, body } = await send(account, `GET /api/dashboards/${id}`, { agent });
  assert.equal(status, 200, `The listed dashboard ${id} cannot be read: ${JSON.stringify(body)}`);
  const dashboard = body as Dashboard;
  const acknowledged = ledger.acknowledged.get(id);
  if (acknowledged !== undefined && !isDeepStrictEqual(dashboard, acknowledged))
    assert.deepEqual(dashboard, acknowledged);
  // A dashboard that was not acknowledged may exist, but must be complete.
  assert.deepEqual(inputOf(dashboard), ledger.sent.get(dashboard.name));
  ledger.verified.add(id);
}

/** Stops at the first known dashboard: the list is newest first, and each round's dashboards are newer than the previous ones. */
async function listUnverified(
  agent: Agent,
  account: Account,
  ledger: Ledger,
  everything: boolean,
): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const from: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const { status, body } = await send(account, `GET /api/dashboards?limit=200${from}`, { agent });
    assert.equal(status, 200, JSON.stringify(body));
    const page = body as { items: DashboardSummary[]; nextCursor?: string };
    const found = page.items.map(({ id }) => id).filter((id) => everything || !ledger.verified.has(id));
    ids.push(...found);
    cursor = found.length < page.items.length ? undefined : page.nextCursor;
  }
  return ids;
}

/** Returns the input that creates this dashboard. */
function inputOf({ name, description, organizationId, widgets }: Dashboard): DashboardInput {
  return {
    name,
    ...(description !== undefined && { description }),
    ...(organizationId !== undefined && { organizationId }),
    widgets: widgets.map(({ reportId, layout, config }) => ({ reportId, layout, config })),
  };
}

function newDashboard({ sent }: Ledger, random: SeededRandom, organizationId: string): DashboardInput {
  const name = `Dashboard ${sent.size + 1}`;
  const widget = () => ({
    reportId: `report ${random.integer(1, 1000)}`,
    layout: {
      x: random.integer(0, 11),
      y: random.integer(0, 99),
      w: random.integer(1, 12),
      h: random.integer(1, 9),
    },
    config: random.config(),
  });
  const input = {
    name,
    ...(random.pick([true, false]) && { description: `The description of ${name}` }),
    ...(random.pick([true, false]) && { organizationId }),
    widgets: [widget(), widget()],
  };
  sent.set(name, input);
  return input;
}

const keepAliveAgent = (): Agent => new Agent({ keepAlive: true, maxSockets: connectionCount });

const inParallel = async (count: number, work: () => Promise<void>): Promise<void> => {
  await Promise.all(Array.from({ length: count }, work));
};
