/** Settings for tests that send many requests as one person while the clock stands still. */
export const withoutRequestLimits = {
  ATRIUM_SESSION_REQUESTS_PER_MINUTE: '9999999',
  ATRIUM_PROCESSOR_MS_PER_MINUTE: '9999999',
};
