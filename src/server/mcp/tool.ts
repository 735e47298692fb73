import type { Static, TObject } from 'typebox';
import { closed } from '#contract/validation/closed.ts';
import { faultFinder } from '#contract/validation/fault-finder.ts';
import type { Fault } from '#contract/problem.ts';
import type { TokenScope } from '#contract/scopes.ts';
import type { Actor } from '../base/actor.ts';
import type { Clock } from '../base/clock.ts';
import { AtriumError } from '../base/errors.ts';
import type { DashboardIndex } from '../dashboards/listing/indexer.ts';
import type { BrowsingDependencies } from '../data-sources/browsing.ts';
import type { ProposalDependencies } from '../proposals/proposals.ts';
import type { ResultDependencies } from '../reports/runs/allowed-values.ts';
import type { Database } from '../storage/database.ts';

/** What the tools depend on: what the rules of the features that they use depend on. */
export interface ToolDependencies extends ResultDependencies, BrowsingDependencies, ProposalDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly index: DashboardIndex;
  readonly publicUrl: string;
}

/** Who calls a tool, and for which organization. */
export interface ToolCall {
  readonly actor: Actor;
  /** The only organization that the token is for. */
  readonly organizationId: string;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** Called with an unexpected error, which the client doesn't get to see. */
  readonly onFailure: (error: unknown) => void;
}

/** A tool of MCP. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** For the model that chooses among the tools. */
  readonly description: string;
  readonly scope: TokenScope;
  readonly input: TObject;
  readonly output: TObject;
  /** Returns every fault of the arguments. */
  readonly findFaults: (input: unknown) => Fault[];
  /** Returns the result, with the access of the actor. Throws the errors of the rules that it calls. */
  readonly run: (dependencies: ToolDependencies, call: ToolCall, input: unknown) => Promise<object>;
}

/** Returns a tool whose arguments are checked by its schema, which permits no others at any depth. */
export function defineTool<Input extends TObject, Output extends TObject>({
  input,
  run,
  ...tool
}: Pick<Tool, 'name' | 'title' | 'description' | 'scope'> & {
  readonly input: Input;
  readonly output: Output;
  readonly run: (
    dependencies: ToolDependencies,
    call: ToolCall,
    input: Static<Input>,
  ) => Promise<Static<Output>>;
}): Tool {
  // Sound because only what its objects permit besides their members differs.
  const strict = closed(input) as TObject;
  let find: Tool['findFaults'] | undefined;
  return {
    ...tool,
    input: strict,
    findFaults: (value) => (find ??= faultFinder(strict))(value),
    // Sound because its faults are found before.
    run: (dependencies, call, value) => run(dependencies, call, value as Static<Input>),
  };
}

/** Returns the error for arguments that don't match the schema of their tool. */
export const invalidArguments = (faults: readonly Fault[]): AtriumError =>
  new AtriumError('invalid_body', 'The arguments do not match the input schema of the tool.', { faults });
