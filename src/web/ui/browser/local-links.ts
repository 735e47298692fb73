import { createContext } from 'react';

/** Whether links lead to pages of this server. On a wall display, which has no session to open them with, they don't. */
export const LocalLinks = createContext(true);
