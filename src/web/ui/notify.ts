import { notifications } from '@mantine/notifications';
import { wordsOf } from './problem-words.ts';

/** Tells in a few words that something was done. */
export const notifyDone = (message: string): void => {
  notifications.show({ message, color: 'teal', autoClose: 4_000 });
};

/** Tells what went wrong, until it is closed: a reader's pace is their own. */
export const notifyError = (error: unknown): void => {
  const { title, detail, faults } = wordsOf(error);
  notifications.show({ title, message: [detail, ...faults].join(' '), color: 'red', autoClose: false });
};
