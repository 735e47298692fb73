import type { TSchema } from 'typebox';

type Run<Value, Result> = (value: Value) => Result;

/**
 * Returns a `compile` that defers the work until the compiled function is first called, and does it once per schema in
 * a process. The contract has hundreds of schemas, and compiling them took most of a server's start.
 */
export function onFirstUse<Value, Result>(
  compile: (schema: TSchema) => Run<Value, Result>,
): (schema: TSchema) => Run<Value, Result> {
  const compiled = new WeakMap<TSchema, Run<Value, Result>>();
  return (schema) => {
    let run: Run<Value, Result> | undefined;
    return (value) => {
      run ??= compiled.getOrInsertComputed(schema, compile);
      return run(value);
    };
  };
}
