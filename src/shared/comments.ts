/** The longest text of a comment, in UTF-16 code units. */
export const maxCommentLength = 4_000;
/** How many people a comment can mention. */
export const maxMentions = 20;
/** The longest value that a comment can be about, as JSON: it has up to 20 columns, whose texts can be far longer. */
export const maxMarkLength = 4_000;
/** The longest text of such a value, as it was shown. */
export const maxMarkTextLength = 500;
