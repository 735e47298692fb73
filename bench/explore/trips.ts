/** SQL that returns the same trips in every run: twelve columns of every type that has a chart. */
export const tripsQuery = (rowCount: number): string => `
  SELECT
    i AS id,
    (hash(i) % 500)::INTEGER - 60 AS delay,
    (50 * sqrt(-2 * ln((hash(i * 3) % 1000000 + 1) / 1000001.0)) * cos(2 * pi() * (hash(i * 7) % 1000000) / 1000000.0))::DOUBLE AS score,
    exp((hash(i * 11) % 1000000) / 100000.0)::DOUBLE AS distance,
    ((hash(i * 13) % 100000) / 100.0)::DECIMAL(10, 2) AS price,
    DATE '2020-01-01' + (hash(i * 17) % 1500)::INTEGER AS booked_on,
    TIMESTAMP '2021-01-01' + to_seconds((hash(i * 19) % 100000000)::BIGINT) AS started_at,
    (TIMESTAMP '2021-01-01' + to_seconds((hash(i * 23) % 20000000)::BIGINT))::TIMESTAMPTZ AS paid_at,
    ['bus', 'train', 'plane', 'ship', 'car', 'bike'][(hash(i * 29) % 6)::INTEGER + 1] AS vehicle,
    'city ' || (hash(i * 31) % 2000) AS city,
    hash(i * 37) % 2 = 0 AS is_late,
    CASE WHEN hash(i * 41) % 5 = 0 THEN NULL ELSE (hash(i * 43) % 24)::INTEGER END AS hour
  FROM range(${rowCount}) AS numbers (i)`;
