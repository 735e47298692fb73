import { Text } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import { countText, shareText } from './charts/text.ts';
import type { Explorer } from './explorer.ts';

/** How many rows are selected. It is drawn with the charts, and announced once it rests. */
export function SelectedCount({
  explorer,
  rowCount,
}: {
  readonly explorer: Explorer;
  readonly rowCount: number | undefined;
}): ReactNode {
  const text = useRef<HTMLParagraphElement>(null);
  useEffect(
    () =>
      explorer.watchTotal((selected) => {
        if (text.current === null || rowCount === undefined || selected === undefined) return;
        const share = selected === rowCount ? '' : ` (${shareText(selected, rowCount)})`;
        text.current.textContent = `${countText(selected)} of ${countText(rowCount)} rows selected${share}`;
      }),
    [explorer, rowCount],
  );
  return (
    <Text
      ref={text}
      fw={600}
      size="sm"
      role="status"
      aria-live="polite"
      style={{ fontVariantNumeric: 'tabular-nums' }}
    >
      Counting the rows…
    </Text>
  );
}
