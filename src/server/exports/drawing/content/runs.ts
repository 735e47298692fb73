import type { Inline } from '#charts/content/markdown.ts';
import { shownValue, type ReferenceValue } from '#charts/content/reference-values.ts';
import type { Reference, TextPart } from '#shared/content-widgets/references.ts';
import type { TextStyle } from '../painter.ts';

/** A text in one style. A break is the text `\n`. */
export interface Run {
  readonly text: string;
  readonly style: TextStyle;
  readonly isUnderlined?: boolean;
  readonly isStruck?: boolean;
  /** Where it leads: an address that `safeHref` returned. */
  readonly href?: string;
}

/** Returns what is shown for a reference. */
export type ValueOf = (reference: Reference) => ReferenceValue;

/** The code of a text is a little smaller, as on the page. */
const codeSize = 0.92;

/** Returns the runs of a line. `base` is the style of what has no other. */
export const runsOf = (
  inlines: readonly Inline[],
  base: Omit<Run, 'text'>,
  frame: { readonly valueOf: ValueOf; readonly linkColor: string },
): Run[] => inlines.flatMap((inline) => runsIn(inline, base, frame));

function runsIn(inline: Inline, base: Omit<Run, 'text'>, frame: Parameters<typeof runsOf>[2]): Run[] {
  const { style } = base;
  switch (inline.kind) {
    case 'text':
      return [{ ...base, text: textOfParts(inline.parts, frame.valueOf).replaceAll(/[ \t\r\n]+/g, ' ') }];
    case 'emphasis':
      return runsOf(inline.children, { ...base, style: { ...style, isItalic: true } }, frame);
    case 'strong':
      return runsOf(inline.children, { ...base, style: { ...style, weight: 700 } }, frame);
    case 'deleted':
      return runsOf(inline.children, { ...base, isStruck: true }, frame);
    case 'code':
      return [{ ...base, text: inline.text, style: codeStyle(style) }];
    case 'image':
      return [{ ...base, text: inline.description }];
    case 'link': {
      const linked = { ...style, color: frame.linkColor };
      return runsOf(
        inline.children,
        { ...base, style: linked, isUnderlined: true, href: inline.href },
        frame,
      );
    }
    case 'break':
      return [{ ...base, text: '\n' }];
  }
}

/** Returns the style of code in a text. */
export const codeStyle = (style: TextStyle): TextStyle => ({
  ...style,
  size: style.size * codeSize,
  isMonospaced: true,
});

/** With these, a value could change the direction of the text around it. */
const directionMarks = /[\u202A-\u202E\u2066-\u2069]/g;

/** Returns a text with the values of its references; a dash for one without a value. */
export const textOfParts = (parts: readonly TextPart[], valueOf: ValueOf): string =>
  parts
    .map((part) => {
      if (typeof part === 'string') return part;
      const value = valueOf(part);
      return value.kind === 'value' ? shownValue(value.text).replaceAll(directionMarks, '') : '–';
    })
    .join('');
