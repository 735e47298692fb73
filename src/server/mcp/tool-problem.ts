import { Type, type Static } from 'typebox';
import { Fault } from '#contract/problem.ts';
import { toProblem, type AtriumError } from '../base/errors.ts';

/** What went wrong, without what only HTTP needs. */
export const ToolProblem = Type.Object({
  code: Type.String(),
  message: Type.String(),
  line: Type.Optional(Type.Integer({ description: 'In the query, counted from 1' })),
  column: Type.Optional(Type.Integer()),
  parameter: Type.Optional(
    Type.String({ description: 'The parameter whose query of allowed values failed' }),
  ),
  errors: Type.Optional(Type.Array(Fault, { description: 'Every fault, with pointers into the arguments' })),
});
export type ToolProblem = Static<typeof ToolProblem>;

/** Returns an error of the rules as a tool shows it. */
export function toToolProblem(error: AtriumError): ToolProblem {
  const { code, detail, errors } = toProblem(error);
  // Sound because each is checked.
  const { line, column, parameter } = (error.extension ?? {}) as Readonly<Record<string, unknown>>;
  return {
    code,
    message: detail,
    ...(typeof line === 'number' && { line }),
    ...(typeof column === 'number' && { column }),
    ...(typeof parameter === 'string' && { parameter }),
    ...(errors && { errors: [...errors] }),
  };
}
