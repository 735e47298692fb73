/** What the editor asks about tabs, sections and the place of widgets. Tabs, sections and widgets are named by their draft keys. */
export type SectionQuestion =
  | { readonly kind: 'add-tab' }
  | {
      readonly kind: 'add-section';
      /** The key of the tab to add it to; empty for the top level. */
      readonly parent: string;
    }
  | { readonly kind: 'edit' | 'delete' | 'move'; readonly key: string };
