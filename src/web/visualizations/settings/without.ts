/** Returns an object without one of its members, so that this setting has its default. */
export function without<Value extends object, Name extends keyof Value>(
  value: Value,
  name: Name,
): Omit<Value, Name> {
  const rest = Object.entries(value).filter(([other]) => other !== name);
  // Sound because only this member was removed.
  return Object.fromEntries(rest) as Omit<Value, Name>;
}

/** Returns an object with a member set to a value, or without it if the value is undefined. */
export const withOptional = <Value extends object, Name extends keyof Value>(
  value: Value,
  name: Name,
  member: Exclude<Value[Name], undefined> | undefined,
): Value =>
  // Sound for optional members, which are the only ones this is used for.
  (member === undefined ? without(value, name) : { ...value, [name]: member }) as Value;
