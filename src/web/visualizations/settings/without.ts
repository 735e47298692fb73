/** Returns an object without one of its members: a setting that is left out has its default. */
export function without<Value extends object, Name extends keyof Value>(
  value: Value,
  name: Name,
): Omit<Value, Name> {
  const rest = Object.entries(value).filter(([other]) => other !== name);
  // Sound because this is what is left.
  return Object.fromEntries(rest) as Omit<Value, Name>;
}

/** Returns an object with a member as given, or without it. */
export const withOptional = <Value extends object, Name extends keyof Value>(
  value: Value,
  name: Name,
  member: Exclude<Value[Name], undefined> | undefined,
): Value =>
  // Sound where the member may be left out, for which alone this is used.
  (member === undefined ? without(value, name) : { ...value, [name]: member }) as Value;
