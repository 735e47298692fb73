import { changeServer, getServer } from '#contract/operation.ts';
import type { Serve } from '../http/serve.ts';
import type { OperationDependencies } from './server-state.ts';

export function serveOperation(serve: Serve, dependencies: OperationDependencies): void {
  const rules = () => import('./server-state.ts');

  serve(getServer, async ({ actor }) => (await rules()).getServerState(dependencies, actor));

  serve(changeServer, async ({ actor, body }) => (await rules()).changeLog(dependencies, actor, body));
}
