import { logLine } from './line.ts';

/** What an operator needs to know after a start. */
export interface Greeting {
  readonly version: string;
  /** The URL at which people reach Atrium. */
  readonly url: string;
  /** Where the server listens. */
  readonly listening: string;
  readonly storage: string;
  /** The link that creates the first owner; undefined once there is an account. */
  readonly setUpLink: string | undefined;
}

const setUpMessage = 'No account exists yet. Open this link within a day to create the first owner:';

/** Returns the greeting as text, for a person at a terminal. */
export function toText({ version, url, listening, storage, setUpLink }: Greeting): string {
  const lines = [
    `Atrium ${version}`,
    `  URL         ${url}`,
    `  Listening   ${listening}`,
    `  Storage     ${storage}`,
    ...(setUpLink === undefined ? [] : ['', setUpMessage, `  ${setUpLink}`]),
  ];
  return `${lines.join('\n')}\n\n`;
}

/** Returns the greeting as log lines. The last one reports that the server is ready. */
export function toLines({ setUpLink, ...facts }: Greeting): string {
  const setUp = setUpLink === undefined ? '' : logLine('info', {}, `${setUpMessage} ${setUpLink}`);
  return `${setUp}${logLine('info', facts, 'Atrium is ready')}`;
}
