import type { ReactNode } from 'react';
import { shownValue, type ReferenceValue } from '#charts/content/reference-values.ts';
import type { Reference, TextPart } from '#shared/content-widgets/references.ts';
import { t } from '#shared/language/messages.ts';

/** Returns what is shown for a reference. */
export type ValueOf = (reference: Reference) => ReferenceValue;

/** A text with the values of its references. A value is text whatever it has, in its own direction of writing. */
export const ReferenceText = ({
  parts,
  valueOf,
}: {
  readonly parts: readonly TextPart[];
  readonly valueOf: ValueOf;
}): ReactNode =>
  parts.map((part, index) =>
    typeof part === 'string' ? (
      part
    ) : (
      // The parts of a text stay in their places.
      <ShownValue key={index} value={valueOf(part)} />
    ),
  );

function ShownValue({ value }: { readonly value: ReferenceValue }): ReactNode {
  switch (value.kind) {
    case 'value':
      return <bdi>{shownValue(value.text)}</bdi>;
    case 'loading':
      return (
        <span aria-busy="true" title={t('Loading')}>
          …
        </span>
      );
    case 'fault':
      return '–';
  }
}
