export const formatKinds = ['auto', 'number', 'percent', 'currency', 'date', 'datetime', 'text'] as const;

/** How a value is formatted; `auto` depends on its type. Formats follow the reader's locale. */
export interface ValueFormat {
  readonly kind: (typeof formatKinds)[number];
  /** An ISO 4217 code, for the kind `currency`. */
  readonly currency?: string;
  readonly decimals?: number;
  /** Whether to shorten numbers, such as 1,200,000 to 1.2 M. */
  readonly isCompact?: boolean;
  readonly prefix?: string;
  readonly suffix?: string;
}
