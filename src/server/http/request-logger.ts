import type { FastifyBaseLogger } from 'fastify';

const methods = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent', 'child'] as const;

class LazyLogger {
  readonly #create: () => FastifyBaseLogger;
  #created: FastifyBaseLogger | undefined;

  constructor(create: () => FastifyBaseLogger) {
    this.#create = create;
  }

  get own(): FastifyBaseLogger {
    return (this.#created ??= this.#create());
  }

  get level(): string {
    return this.own.level;
  }

  set level(level: string) {
    this.own.level = level;
  }
}

for (const method of methods) {
  Object.defineProperty(LazyLogger.prototype, method, {
    value(this: LazyLogger, ...parameters: unknown[]): unknown {
      return Reflect.apply(this.own[method], this.own, parameters);
    },
  });
}

/** Returns a logger that is created at its first use. Most requests log nothing, and a logger costs as much as a query. */
export const lazyLogger = (create: () => FastifyBaseLogger): FastifyBaseLogger =>
  // Sound because its prototype has the methods.
  new LazyLogger(create) as unknown as FastifyBaseLogger;
