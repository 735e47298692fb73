import { changeServer, getServer } from '#contract/operation.ts';
import type { Serve } from '../http/serve.ts';
import { getServerState, setLogLevel, type OperationDependencies } from './server-state.ts';

export function serveOperation(serve: Serve, dependencies: OperationDependencies): void {
  serve(getServer, ({ actor }) => getServerState(dependencies, actor));

  serve(changeServer, ({ actor, body }) => setLogLevel(dependencies, actor, body));
}
