import { isUtf8 } from 'node:buffer';
import type { Fault } from '#contract/problem.ts';
import { maxFaults } from '#contract/validation/findings.ts';
import { AtriumError } from '../../base/errors.ts';
import { pointerTo } from '#shared/json-pointer.ts';
import { endOfString, parseJson } from '../../base/texts/json.ts';

/** How deep arrays and objects may be nested. */
const maxDepth = 100;

/**
 * Returns the value of a JSON text (RFC 8259) that is also I-JSON (RFC 7493): UTF-8, without duplicate keys, lone
 * surrogates and numbers outside the range of a double. It must not contain U+0000, which PostgreSQL can't store, or
 * keys that reach an object's prototype. Throws `malformed_json`, or `invalid_body` with every fault. Nesting is
 * measured before parsing, so that a deep body costs no more than a flat one.
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new AtriumError('malformed_json', 'The body is not UTF-8.');
  const text = bytes.toString('utf8');
  const memberCount = countMembers(text);
  const value = parse(text);
  const findings: Findings = { faults: [], memberCount: 0, path: [] };
  inspect(value, findings);
  if (findings.memberCount !== memberCount) {
    findings.faults.push({
      pointer: '',
      code: 'duplicate_member',
      message: 'An object has a duplicate key.',
    });
  }
  if (findings.faults.length === 0) return value;
  throw new AtriumError('invalid_body', 'The body is not I-JSON (RFC 7493).', {
    faults: findings.faults.slice(0, maxFaults),
  });
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch (cause) {
    // V8's message quotes the body, which can contain a secret, so only the position is reported.
    const position = /position (\d+)/.exec(cause instanceof Error ? cause.message : '')?.[1];
    const where =
      position === undefined
        ? 'it ends too early or contains an invalid character'
        : `see position ${position}`;
    throw new AtriumError('malformed_json', `The body is not valid JSON: ${where}.`);
  }
}

const quote = 0x22;
const colon = 0x3a;

/** Returns how many members the objects of `text` have, counted by their colons. Throws if it is nested too deep. */
function countMembers(text: string): number {
  let depth = 0;
  let members = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    if (character === quote) index = endOfString(text, index);
    else if (character === colon) members += 1;
    // `[` and `{` differ in one bit, as do `]` and `}`.
    else if ((character | 0x20) === 0x7b) {
      depth += 1;
      if (depth > maxDepth) {
        throw new AtriumError('malformed_json', `The body is nested deeper than ${maxDepth} levels.`);
      }
    } else if ((character | 0x20) === 0x7d) depth -= 1;
  }
  return members;
}

interface Findings {
  readonly faults: Fault[];
  memberCount: number;
  /** The keys and indexes that lead to the current value. */
  readonly path: (string | number)[];
}

function inspect(value: unknown, findings: Findings): void {
  if (findings.faults.length >= maxFaults) return;
  if (typeof value === 'string') {
    if (!isStorableText(value)) report(findings, 'text', 'must not contain U+0000 or a lone surrogate');
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) report(findings, 'number', 'must be within the range of a double');
  } else if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) inspectAt(index, value[index], findings);
  } else if (typeof value === 'object' && value !== null) {
    // Without a list of the members, which most of the time of many small objects would be spent on.
    for (const name in value) {
      findings.memberCount += 1;
      // Sound because it is one of its names.
      inspectAt(name, (value as Readonly<Record<string, unknown>>)[name], findings);
    }
  }
}

function inspectAt(key: string | number, value: unknown, findings: Findings): void {
  findings.path.push(key);
  if (typeof key === 'string') {
    if (!isStorableText(key))
      report(findings, 'text', 'must not contain U+0000 or a lone surrogate in its key');
    if (reachesPrototype(key, value)) report(findings, 'forbidden_member', 'must not have this key');
  }
  inspect(value, findings);
  findings.path.pop();
}

const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** `__proto__` and `constructor.prototype` can change other objects if a program copies members carelessly. */
const reachesPrototype = (name: string, value: unknown): boolean =>
  name === '__proto__' ||
  (name === 'constructor' &&
    typeof value === 'object' &&
    value !== null &&
    Object.hasOwn(value, 'prototype'));

/** Adds a fault. */
function report({ faults, path }: Findings, code: string, message: string): void {
  const pointer = path.map((key) => pointerTo(String(key))).join('');
  faults.push({ pointer: pointer.slice(0, 1_000), code, message });
}
