import { useState } from 'react';

/** Returns the token of a link. It is in the fragment of the URL, which browsers send to no server, so that no log contains it. */
export const useLinkToken = (): string => useState(() => location.hash.slice(1))[0];
