/** Whether `npm run test:exhaustive` runs the tests: on both engines, and with every combination instead of a sample. */
export const isExhaustive = process.env['ATRIUM_TEST_EXHAUSTIVE'] !== undefined;
