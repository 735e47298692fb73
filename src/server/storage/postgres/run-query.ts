import pg from 'pg';
import type { RowBudget } from '../row-budget.ts';

/** How many rows the first batch of a query with a budget has; each further one has as many as all before it. */
const firstBatch = 16;

/** What the driver's query and connection have, which its types leave out. */
interface Message {
  /** The size of a row. */
  readonly length: number;
}
interface DriverConnection {
  sync(): void;
}
declare module 'pg' {
  interface Query {
    rows: number;
    handleDataRow(message: Message): void;
    handlePortalSuspended(connection: DriverConnection): void;
    readonly _result: pg.QueryResult;
    callback: (error: Error | null, result: pg.QueryResult) => void;
  }
}

/**
 * Reads rows in batches (in the protocol's words, it executes a portal with a maximum), and asks for no more once the budget is used
 * up. The rest of a batch is dropped as it arrives.
 */
class QueryWithBudget extends pg.Query {
  readonly #budget: RowBudget;
  #count = 0;
  #isUsedUp = false;

  constructor(text: string, values: unknown[], budget: RowBudget) {
    super({ text, values });
    this.rows = firstBatch;
    this.#budget = budget;
  }

  override handleDataRow(message: Message): void {
    this.#count += 1;
    this.#isUsedUp ||= !this.#budget.accepts(message.length);
    if (!this.#isUsedUp) super.handleDataRow(message);
  }

  override handlePortalSuspended(connection: DriverConnection): void {
    // Ends the query.
    if (this.#isUsedUp) return connection.sync();
    this.rows = this.#count;
    super.handlePortalSuspended(connection);
  }
}

/** Runs a statement on a connection. With a budget, its rows end where that is used up. */
export function runQuery(
  client: pg.ClientBase,
  text: string,
  values: unknown[],
  budget: RowBudget | undefined,
): Promise<pg.QueryResult> {
  if (budget === undefined) return client.query(text, values);
  return new Promise((resolve, reject) => {
    const query = new QueryWithBudget(text, values, budget);
    query.callback = (error, result) => (error === null ? resolve(result) : reject(error));
    client.query(query);
  });
}
