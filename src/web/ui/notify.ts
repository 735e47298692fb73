import { notifications } from '@mantine/notifications';
import { sentenceOf, wordsOf } from './problems/words.ts';

/** Tells in a few words that something was done. */
export const notifyDone = (message: string): void => {
  notifications.show({ message, color: 'teal', autoClose: 4_000 });
};

/** Tells what went wrong, until it is closed: a reader's pace is their own. */
export const notifyError = (error: unknown): void => {
  const { title } = wordsOf(error);
  notifications.show({ title, message: sentenceOf(error), color: 'red', autoClose: false });
};
