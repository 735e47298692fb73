import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ReferenceContext } from '#charts/content/reference-values.ts';
import { referenceTo } from '#shared/content-widgets/references.ts';
import { labelOf } from '#shared/dashboard-filters/definitions.ts';
import { t } from '#shared/language/messages.ts';

/** Offers the values of filters and of other widgets to insert into a text. */
export function ReferencePicker({
  label = t('Insert a value'),
  description = t('Of a filter, or of the first row of a widget.'),
  picked = null,
  context,
  onPick,
}: {
  readonly label?: string;
  readonly description?: string;
  /** The reference that is shown as chosen. */
  readonly picked?: string | null;
  readonly context: ReferenceContext;
  /** Gets the reference as it is written in a text. */
  readonly onPick: (reference: string) => void;
}): ReactNode {
  const groups = choicesIn(context);
  return (
    <Select
      label={label}
      description={description}
      placeholder={groups.length === 0 ? t('No filters or results yet') : t('Search filters and columns')}
      disabled={groups.length === 0}
      data={groups}
      value={picked}
      searchable
      limit={200}
      nothingFoundMessage={t('No matches')}
      onChange={(reference) => {
        if (reference !== null) onPick(reference);
      }}
    />
  );
}

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Returns what can be referred to. A title that an earlier widget has means that one. */
function choicesIn({ filters, widgets }: ReferenceContext): { group: string; items: Choice[] }[] {
  const groups = new Map<string, Choice[]>();
  if (filters.length > 0) {
    groups.set(
      t('Filters'),
      filters.map((filter) => ({ value: `{{${filter.name}}}`, label: labelOf(filter) })),
    );
  }
  const known = new Set<string>();
  for (const { title, line } of widgets) {
    if (title === undefined || known.has(title)) continue;
    known.add(title);
    const columns = [...new Set((line?.result?.columns ?? []).map(({ name }) => name))];
    const items = columns.flatMap((name) => {
      const value = referenceTo(title, name);
      return value === undefined ? [] : [{ value, label: `${title} > ${name}` }];
    });
    if (items.length > 0) groups.set(title === t('Filters') ? t('Widget “Filters”') : title, items);
  }
  return [...groups].map(([group, items]) => ({ group, items }));
}
