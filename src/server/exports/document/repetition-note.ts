import { t } from '#shared/language/messages.ts';
import { notRepeatedMessage, repetitionsMessage } from '#shared/sections/repetitions.ts';
import type { RepetitionNote } from '../../dashboards/results/repetitions.ts';

/** Returns why a section isn't repeated, or not for all values; undefined if it is. */
export function repetitionNote(note: RepetitionNote): string | undefined {
  switch (note.kind) {
    case 'once':
      return notRepeatedMessage(note.reason, note.label);
    case 'repeated':
      return repetitionsMessage(note.shownCount, note.count, note.label);
    case 'limited':
      return t('Shown for {shownCount} of {count} values, since a file has at most {maxCount} repetitions.', {
        shownCount: note.shownCount,
        count: note.count,
        maxCount: note.maxCount,
      });
  }
}
