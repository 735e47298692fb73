import { notifications } from '@mantine/notifications';
import { errorSentence, errorMessage } from '../problems/message.ts';

/** Reports that something was done. */
export const notifyDone = (message: string): void => {
  notifications.show({ message, color: 'teal', autoClose: 4_000 });
};

/** Shows until it is closed that a part of what was asked for wasn't done. */
export const notifyNotDone = (title: string, message: string): void => {
  notifications.show({ title, message, color: 'red', autoClose: false });
};

/** Shows an error until it is closed, so that everyone has time to read it. */
export const notifyError = (error: unknown): void => {
  const { title } = errorMessage(error);
  notifications.show({ title, message: errorSentence(error), color: 'red', autoClose: false });
};
