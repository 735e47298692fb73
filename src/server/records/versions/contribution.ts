/** Who put the content of a new version there. */
export interface Contribution<Content> {
  /** The user who saves it and, if others proposed it or it is copied from them, those. */
  readonly userIds: readonly string[];
  /** What they wrote, if it was then merged with changes of others; undefined if it is the content of the version. */
  readonly mine?: Content;
}
