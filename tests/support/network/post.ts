import { daysMs } from '../../../src/server/base/clock.ts';
import { toEmail, type Mailer } from '../../../src/server/mail/mailer.ts';
import type { Email } from '../../../src/server/mail/transport.ts';

/** What a job that sends emails depends on, and that changes from one run to the next. */
export interface PostRun {
  readonly clock: () => number;
  readonly mailer: Mailer;
  readonly stopped: AbortSignal;
}

export interface Post {
  /** What the last run has sent. */
  readonly mails: Email[];
  readonly mailer: Mailer & { isConfigured: boolean; accepts: boolean };
  /** Sends what is due some days after the start, and returns the recipients. */
  readonly run: (day: number, stopped?: AbortSignal) => Promise<string[]>;
}

/** Returns a mailer that keeps what is sent, and a function that runs a job with it some days after `begun`. */
export function createPost(begun: number, job: (run: PostRun) => Promise<void>): Post {
  const mails: Email[] = [];
  const mailer: Post['mailer'] = {
    isConfigured: true,
    accepts: true,
    send: async (mail) => {
      mails.push(toEmail(mail));
      return mailer.accepts ? { isSent: true } : { isSent: false, reason: 'it is down' };
    },
  };
  const run = async (day: number, stopped = new AbortController().signal) => {
    mails.length = 0;
    await job({ clock: () => begun + daysMs(day), mailer, stopped });
    return mails.map(({ to }) => to).toSorted();
  };
  return { mails, mailer, run };
}
