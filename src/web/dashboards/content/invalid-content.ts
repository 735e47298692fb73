/** Shown for a widget whose config has nothing that its kind can show. */
export const invalidContentMessage = 'This widget has nothing to show.';
