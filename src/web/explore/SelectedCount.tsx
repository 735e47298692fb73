import { Text, VisuallyHidden } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { countText, shareText } from './charts/text.ts';
import type { Explorer } from './explorer.ts';

/** How long the number has to stay the same before a screen reader announces it. */
const restMs = 700;

/** How many rows are selected. It is drawn in every frame with the charts, and announced once it rests. */
export function SelectedCount({
  explorer,
  rowCount,
}: {
  readonly explorer: Explorer;
  readonly rowCount: number | undefined;
}): ReactNode {
  const text = useRef<HTMLParagraphElement>(null);
  const announced = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let rest: ReturnType<typeof setTimeout> | undefined;
    const stop = explorer.watchTotal((selected) => {
      if (text.current === null || rowCount === undefined || selected === undefined) return;
      const share = selected === rowCount ? '' : ` (${shareText(selected, rowCount)})`;
      const shown = t('{countText} of {countText2} rows selected{share}', {
        countText: countText(selected),
        countText2: countText(rowCount),
        share,
      });
      if (text.current.textContent === shown) return;
      text.current.textContent = shown;
      clearTimeout(rest);
      rest = setTimeout(() => announced.current?.replaceChildren(shown), restMs);
    });
    return () => {
      stop();
      clearTimeout(rest);
    };
  }, [explorer, rowCount]);
  return (
    <div>
      <Text
        ref={text}
        fw={600}
        size="sm"
        role="status"
        aria-live="off"
        style={{ fontVariantNumeric: 'tabular-nums' }}
      >
        {t('Counting the rows…')}
      </Text>
      <VisuallyHidden ref={announced} aria-live="polite" />
    </div>
  );
}
