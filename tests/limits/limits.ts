/** The most that something may be. It is raised only with a reason. */
interface Limit {
  readonly most: number;
  /** What each raise is for, the latest last. */
  readonly raised?: readonly string[];
}

/** What grows unnoticed, since each step is small. Lower a limit when a change makes room. */
export const limits = {
  /** Modules that a server has loaded at its first response. Each takes a third of a millisecond, even if its compiled code is stored. */
  modulesAtStart: { most: 1_800 },
  /** The OpenAPI document, uncompressed. */
  openApiBytes: {
    most: 560_000,
    raised: [
      'From 545,000, for the confirmation of suspended tokens, and room for operations that are on their way',
    ],
  },
  /** The scripts that a browser with an empty cache gets until its first dashboard is drawn, compressed, with their header fields. */
  javascriptBytes: {
    withoutCharts: { most: 250_000 },
    withCharts: { most: 460_000 },
    /** Without charts. A catalog of messages is loaded as a whole. */
    german: { most: 315_000 },
  },
  /** The files of an installed release package, together. */
  packageBytes: { most: 300_000_000 },
} as const satisfies Readonly<Record<string, Limit | Readonly<Record<string, Limit>>>>;

/** What a request of a hot operation costs, which is the same on every machine. */
export interface Cost {
  /** Statements on SQLite, without those that open and close transactions. Some results are remembered until something is committed. */
  readonly queries: number;
  /** Values bound in them. */
  readonly values: number;
  /** The bytes of the response's header fields. */
  readonly headerBytes: number;
}

/**
 * What each hot operation costs exactly, so that a change is seen in either direction. A line that grows says why behind it.
 */
export const hotOperations = {
  'get-session': { queries: 0, values: 0, headerBytes: 381 },
  'read a dashboard': { queries: 1, values: 2, headerBytes: 392 },
  'read a dashboard by token': { queries: 1, values: 2, headerBytes: 495 },
  'list 20 dashboards': { queries: 3, values: 8, headerBytes: 381 },
  'cached result': { queries: 1, values: 2, headerBytes: 381 },
  'create a dashboard': { queries: 7, values: 21, headerBytes: 456 },
  'save with merge': { queries: 11, values: 35, headerBytes: 413 },
} as const satisfies Readonly<Record<string, Cost>>;
