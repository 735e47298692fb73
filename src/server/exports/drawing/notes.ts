import type { Box, Painter } from './painter.ts';
import { noteLineHeight, noteStyle } from './styles.ts';
import { truncate } from './text.ts';

/** Draws notes at the lower end of a box, and returns what is left of it. */
export function drawNotes(painter: Painter, box: Box, notes: readonly string[]): Box {
  let { height } = box;
  for (const note of notes.toReversed()) {
    if (height < 3 * noteLineHeight) break;
    height -= noteLineHeight + 4;
    painter.text(box.x, box.y + height + 4 + 13, truncate(note, box.width, noteStyle), noteStyle);
  }
  return { ...box, height };
}
