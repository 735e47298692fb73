import { hashKey } from '@tanstack/react-query';
import { t } from '#shared/language/messages.ts';
import type { ColumnModel } from '#shared/models.ts';
import type { ConflictItem } from '../drafts/conflict/conflict.ts';
import { valueInWords } from '../drafts/conflict/conflict.ts';
import { contentOf, type ModelContent } from './draft.ts';

/** The parts of a model that are merged each as a whole, by where they are. */
type Parts = Map<string, unknown>;

/** Two edits of a model, merged part by part. */
export interface MergedModel {
  readonly conflicts: readonly ConflictItem[];
  /** Returns the merged model, with my side of a conflict unless theirs is chosen. */
  readonly apply: (choices: ReadonlyMap<string, string>) => ModelContent;
}

/** Merges two edits that started from `base`. A conflict is a part that both changed, in different ways. */
export function mergeModels(base: ModelContent, mine: ModelContent, theirs: ModelContent): MergedModel {
  const [before, ours, others] = [partsOf(base), partsOf(mine), partsOf(theirs)];
  const keys = [...new Set([...ours.keys(), ...others.keys(), ...before.keys()])];
  const conflicting = keys.filter(
    (key) =>
      !isSame(ours.get(key), others.get(key)) &&
      !isSame(ours.get(key), before.get(key)) &&
      !isSame(others.get(key), before.get(key)),
  );
  return {
    conflicts: conflicting.map((key) => ({
      key,
      title: titleOf(key),
      differences: [
        {
          label: titleOf(key),
          base: valueInWords(before.get(key)),
          mine: valueInWords(ours.get(key)),
          theirs: valueInWords(others.get(key)),
        },
      ],
    })),
    apply(choices) {
      const isMine = (key: string) =>
        conflicting.includes(key) ? choices.get(key) !== 'theirs' : !isSame(ours.get(key), before.get(key));
      const merged = keys.map((key) => [key, (isMine(key) ? ours : others).get(key)] as const);
      return fromParts(new Map(merged.filter(([, value]) => value !== undefined)));
    },
  };
}

const isSame = (one: unknown, other: unknown): boolean => hashKey([one]) === hashKey([other]);

const lists = ['relationships', 'dimensions', 'measures'] as const;
const titles: Readonly<Record<string, string>> = {
  displayName: t('Display name'),
  description: t('Description'),
  isHidden: t('Hidden'),
  format: t('Format'),
  primaryKey: t('Primary key'),
  relationships: t('Relationship'),
  dimensions: t('Dimension'),
  measures: t('Measure'),
};

function titleOf(key: string): string {
  const [kind = '', name, member] = JSON.parse(key) as string[];
  if (name === undefined) return titles[kind] ?? kind;
  return member === undefined
    ? `${titles[kind] ?? kind} “${name}”`
    : t('{titles} of {name}', { titles: titles[member] ?? member, name });
}

function partsOf(model: ModelContent): Parts {
  const parts: Parts = new Map();
  const add = (value: unknown, ...key: string[]) => parts.set(JSON.stringify(key), value);
  const { displayName, description, columns = [], primaryKey } = contentOf(model);
  if (displayName !== undefined) add(displayName, 'displayName');
  if (description !== undefined) add(description, 'description');
  for (const { name, ...members } of columns)
    for (const [member, value] of Object.entries(members)) add(value, 'columns', name, member);
  if (primaryKey !== undefined) add(primaryKey, 'primaryKey');
  for (const list of lists) for (const item of model[list] ?? []) add(item, list, item.name);
  return parts;
}

function fromParts(parts: Parts): ModelContent {
  const columns = new Map<string, ColumnModel>();
  const found: Record<string, unknown[]> = { relationships: [], dimensions: [], measures: [] };
  const single: Record<string, unknown> = {};
  for (const [key, value] of parts) {
    const [kind = '', name, member] = JSON.parse(key) as string[];
    if (name === undefined) single[kind] = value;
    else if (member === undefined) found[kind]?.push(value);
    else columns.set(name, { ...(columns.get(name) ?? { name }), [member]: value });
  }
  return contentOf({ ...single, columns: [...columns.values()], ...found });
}
