import type { FastifyInstance } from 'fastify';
import type { ObservedQuery } from '../engine/pool/observed-pool.ts';
import type { Authenticate } from '../http/serve.ts';
import type { RequestTracing } from '../http/server.ts';
import type { Outgoing } from '../outgoing/outgoing.ts';
import type { Database } from '../storage/database.ts';

/** A maintenance job, as far as it is traced. */
interface TracedJob {
  readonly name: string;
  run(stopped: AbortSignal): Promise<unknown>;
}

/**
 * Records traces and sends them by OTLP. Each function returns a part that works like the given one, and records a span
 * for each call. Spans contain ids, but no SQL, values, query strings, names or email addresses.
 */
export interface Traces {
  readonly requests: RequestTracing;
  observeRequests(server: FastifyInstance): void;
  authenticate(authenticate: Authenticate): Authenticate;
  database(database: Database): Database;
  outgoing(outgoing: Outgoing): Outgoing;
  jobs<Job extends TracedJob>(jobs: readonly Job[]): readonly Job[];
  onQueryEnded(query: ObservedQuery): void;
  /** Sends what was recorded, but gives up after two seconds. Never rejects. */
  close(): Promise<void>;
}

export interface TracesOptions {
  readonly version: string;
  /** Called when traces could not be sent. They are lost. */
  readonly onFailure: (error: unknown) => void;
}
