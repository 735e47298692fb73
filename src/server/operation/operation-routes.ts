import { changeServer, getServer } from '#contract/operation.ts';
import type { Serve } from '../http/serve.ts';
import { changeLog, getServerState, type OperationDependencies } from './server-state.ts';

export function serveOperation(serve: Serve, dependencies: OperationDependencies): void {
  serve(getServer, ({ actor }) => getServerState(dependencies, actor));

  serve(changeServer, ({ actor, body }) => changeLog(dependencies, actor, body));
}
