import { getLive, getReady } from '#contract/server.ts';
import { AtriumError } from '../base/errors.ts';
import type { Serve } from './serve.ts';

/** Registers the two health checks. `isReady` resolves when the server can serve, and throws or tells `false` else. */
export function serveHealth(serve: Serve, isReady: () => Promise<boolean>): void {
  serve(getLive, async () => ({ status: 'ok' }) as const);

  serve(getReady, async () => {
    if (await isReady()) return { status: 'ok' } as const;
    throw new AtriumError('unavailable', 'The server is stopping.');
  });
}
