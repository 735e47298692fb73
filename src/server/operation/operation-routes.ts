import { changeServer, getServer } from '#contract/operation.ts';
import type { Serve } from '../http/serve.ts';
import { getServerState, setLogLevel, type OperationNeeds } from './server-state.ts';

export function serveOperation(serve: Serve, needs: OperationNeeds): void {
  serve(getServer, ({ actor }) => getServerState(needs, actor));

  serve(changeServer, ({ actor, body }) => setLogLevel(needs, actor, body));
}
