/** A query of the orders. Its name contains roughly how long it takes in DuckDB itself. */
export interface OrderQuery {
  readonly name: string;
  readonly query: string;
  /** How often it runs in a round. */
  readonly count: number;
}

/** SQL that returns the same orders in every run. */
export const ordersQuery = (rowCount: number): string => `
  SELECT
    i AS id,
    (hash(i) % 200000)::INTEGER AS customer_id,
    TIMESTAMP '2024-01-01 00:00:00' + to_seconds(i * 6) AS ordered_at,
    ['north', 'south', 'east', 'west', 'centre', 'abroad'][1 + (hash(i + 1) % 6)::INTEGER] AS region,
    'product ' || (hash(i + 2) % 500) AS product,
    1 + (hash(i + 3) % 9)::INTEGER AS quantity,
    ((hash(i + 4) % 100000) / 100)::DECIMAL(10, 2) AS amount
  FROM range(${rowCount}) AS numbers (i)`;

/** Queries of ten million orders that take from about 1 ms to about 1 s. */
export const orderQueries: readonly OrderQuery[] = [
  {
    name: '500 orders by region',
    query: `SELECT region, sum(amount) AS amount FROM orders WHERE id BETWEEN 50000 AND 50500 GROUP BY region`,
    count: 200,
  },
  {
    name: '1,000,000 orders by region',
    query: `SELECT region, sum(amount) AS amount FROM orders WHERE id < 1000000 GROUP BY region ORDER BY region`,
    count: 40,
  },
  {
    name: 'all orders by region',
    query: `SELECT region, sum(amount) AS amount FROM orders GROUP BY region ORDER BY region`,
    count: 8,
  },
  {
    name: 'all orders by month and region',
    query: `
      SELECT date_trunc('month', ordered_at) AS month, region, sum(amount) AS amount
      FROM orders GROUP BY ALL ORDER BY ALL`,
    count: 3,
  },
  {
    name: 'customers by product',
    query: `
      SELECT product, count(DISTINCT customer_id) AS customers
      FROM orders GROUP BY product ORDER BY customers DESC, product LIMIT 20`,
    count: 1,
  },
];

/**
 * Ten queries like those of a dashboard, the first of them at its top. Each result names the run that it comes from,
 * so that runs can be counted.
 */
export const dashboardQueries: readonly string[] = [
  `SELECT count(*) AS orders, sum(amount) AS amount FROM orders`,
  `SELECT region, sum(amount) AS amount FROM orders GROUP BY region ORDER BY region`,
  `SELECT product, sum(amount) AS amount FROM orders GROUP BY product ORDER BY amount DESC LIMIT 20`,
  `SELECT quantity, count(*) AS orders FROM orders GROUP BY quantity ORDER BY quantity`,
  `SELECT region, avg(amount) AS amount FROM orders WHERE quantity > 4 GROUP BY region ORDER BY region`,
  `SELECT date_trunc('month', ordered_at) AS month, sum(amount) AS amount FROM orders GROUP BY month ORDER BY month`,
  `SELECT hour(ordered_at) AS hour, count(*) AS orders FROM orders GROUP BY hour ORDER BY hour`,
  `SELECT product, max(amount) AS amount FROM orders WHERE region = 'north' GROUP BY product ORDER BY product LIMIT 50`,
  `SELECT region, quantile_cont(amount, 0.5) AS median FROM orders GROUP BY region ORDER BY region`,
  `SELECT customer_id, sum(amount) AS amount FROM orders WHERE quantity > 8 GROUP BY customer_id ORDER BY amount DESC LIMIT 20`,
].map((query) => `SELECT *, uuid() AS run FROM (${query})`);
