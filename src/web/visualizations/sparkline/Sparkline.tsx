import type { ReactNode } from 'react';
import { sparklinePath } from '#charts/values/sparkline.ts';

const width = 200;
const height = 40;
/** Half of the width of the line, which would be cut off at the edges. */
const marginPx = 2;

/** A small line without axes, which screen readers skip: the values are in the table behind it. */
export const Sparkline = ({
  values,
  color,
  className,
}: {
  readonly values: readonly (number | undefined)[];
  readonly color: string;
  readonly className?: string | undefined;
}): ReactNode => (
  <svg
    className={className}
    viewBox={`${-marginPx} ${-marginPx} ${width + 2 * marginPx} ${height + 2 * marginPx}`}
    preserveAspectRatio="none"
    aria-hidden
    focusable={false}
  >
    <path
      d={sparklinePath(values, { width, height })}
      fill="none"
      stroke={color}
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      vectorEffect="non-scaling-stroke"
    />
  </svg>
);
