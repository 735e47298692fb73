import type { TSchema } from 'typebox';
import type { Fault } from '../problem.ts';
import { report, type Check, type Findings } from './findings.ts';
import { hasType, messages } from './value-checks.ts';

/** The properties that discriminate the branches of unions, in the whole contract. */
const discriminators = ['kind', 'format', 'method'];

interface Branch {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<
    Record<string, { readonly const?: unknown; readonly enum?: readonly unknown[] }>
  >;
}

/** Why a value isn't meant for a branch. */
type Refusal =
  | { readonly code: 'type'; readonly type: string | readonly string[] }
  | { readonly code: 'required'; readonly name: string }
  | { readonly code: 'enum'; readonly name: string; readonly allowed: readonly unknown[] };

/**
 * Returns the check of a union: only the branch that the value names is checked. Of several branches without a discriminator, the faults
 * of that which fits best are listed. If the value is meant for no branch, one fault lists them.
 */
export function unionCheck(branches: readonly TSchema[], checkOf: (schema: TSchema) => Check): Check {
  const compiled = branches.map((branch) => ({ refusalOf: refusing(branch), check: checkOf(branch) }));
  return (value, findings) => {
    const refusals: Refusal[] = [];
    let best: readonly Fault[] | undefined;
    for (const { refusalOf, check } of compiled) {
      const refusal = refusalOf(value);
      if (refusal !== undefined) {
        refusals.push(refusal);
        continue;
      }
      const own: Fault[] = [];
      check(value, { faults: own, path: findings.path });
      if (own.length === 0) return;
      if (best === undefined || own.length < best.length) best = own;
    }
    if (best !== undefined) findings.faults.push(...best);
    else summarize(refusals, findings);
  };
}

function refusing(branch: Branch): (value: unknown) => Refusal | undefined {
  const { type, properties = {} } = branch;
  const isOfType = hasType(branch);
  const name = discriminators.find((each) => allowedBy(properties[each]).length > 0);
  const allowed = name === undefined ? [] : allowedBy(properties[name]);
  return (value) => {
    if (type !== undefined && !isOfType(value)) return { code: 'type', type };
    if (name === undefined || typeof value !== 'object' || value === null) return undefined;
    if (!Object.hasOwn(value, name)) return { code: 'required', name };
    // Sound because it has this member.
    const named = (value as Readonly<Record<string, unknown>>)[name];
    return allowed.includes(named) ? undefined : { code: 'enum', name, allowed };
  };
}

const allowedBy = (schema: { readonly const?: unknown; readonly enum?: readonly unknown[] } = {}) =>
  schema.enum ?? (schema.const === undefined ? [] : [schema.const]);

function summarize(refusals: readonly Refusal[], findings: Findings): void {
  const [first] = refusals;
  switch (first?.code) {
    case undefined:
      return;
    case 'type': {
      const types = refusals.flatMap((refusal) => (refusal.code === 'type' ? refusal.type : []));
      report(findings, 'type', messages.type([...new Set(types)]));
      return;
    }
    case 'required':
      report(findings, 'required', messages.required(), first.name);
      return;
    case 'enum': {
      const allowed = refusals.flatMap((refusal) => (refusal.code === 'enum' ? refusal.allowed : []));
      report(findings, 'enum', messages.enum(allowed), first.name);
      return;
    }
    default:
      first satisfies never;
  }
}
