export type Labels = Readonly<Record<string, string>>;

/** One line of a scrape. `suffix` completes the name of the metric, such as `_bucket`. */
export interface Sample {
  readonly labels?: Labels;
  readonly value: number;
  readonly suffix?: '_bucket' | '_sum' | '_count';
}

/** A metric whose samples are read when it is scraped. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** Returns no samples for what is unknown at the moment. */
  readonly read: () => readonly Sample[] | Promise<readonly Sample[]>;
}

/** A metric with a series for each set of labels. Get a series once and use it often: counting then allocates nothing. */
export interface Vector<Series> {
  readonly metric: Metric;
  series(labels: Labels): Series;
}

export interface Counter {
  value: number;
}

export function createCounter(name: string, help: string): Vector<Counter> {
  const all = createSeries<Counter>(() => ({ value: 0 }));
  const read = () => all.list().map(({ labels, series }) => ({ labels, value: series.value }));
  return { metric: { name, help, type: 'counter', read }, series: all.get };
}

/** Records one value. */
export type Observe = (value: number) => void;

/**
 * Returns a histogram with these upper bounds, in ascending order. prom-client's own finds the series by its labels for
 * each value, which takes longer than everything else here.
 */
export function createHistogram(name: string, help: string, bounds: readonly number[]): Vector<Observe> {
  const all = createSeries(() => createBuckets(bounds));
  const read = () => all.list().flatMap(({ labels, series }) => series.samples(labels));
  return {
    metric: { name, help, type: 'histogram', read },
    series: (labels) => all.get(labels).observe,
  };
}

function createBuckets(bounds: readonly number[]): { observe: Observe; samples(labels: Labels): Sample[] } {
  const counts = new Float64Array(bounds.length + 1);
  let sum = 0;
  return {
    observe: (value) => {
      let index = 0;
      while (index < bounds.length && value > (bounds[index] ?? Infinity)) index += 1;
      counts[index] = (counts[index] ?? 0) + 1;
      sum += value;
    },
    samples: (labels) => {
      let count = 0;
      const buckets = Array.from(counts, (inBucket, index): Sample => {
        count += inBucket;
        const le = index < bounds.length ? String(bounds[index]) : '+Inf';
        return { labels: { ...labels, le }, value: count, suffix: '_bucket' };
      });
      return [...buckets, { labels, value: sum, suffix: '_sum' }, { labels, value: count, suffix: '_count' }];
    },
  };
}

function createSeries<Series>(create: () => Series) {
  const all = new Map<string, { readonly labels: Labels; readonly series: Series }>();
  return {
    get(labels: Labels): Series {
      const key = JSON.stringify(labels);
      let found = all.get(key);
      if (found === undefined) all.set(key, (found = { labels, series: create() }));
      return found.series;
    },
    list: () => [...all.values()],
  };
}

/**
 * Returns a function that returns the first `maxCount` different values of a label unchanged, and `other` for all
 * further ones, so that nobody can make a scrape grow without limit.
 */
export function createLabelLimit(maxCount: number): (value: string) => string {
  const known = new Set<string>();
  return (value) => {
    if (known.size < maxCount) known.add(value);
    return known.has(value) ? value : 'other';
  };
}
