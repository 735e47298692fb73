import { defaultHighlightStyle, HighlightStyle } from '@codemirror/language';
import { EditorView } from '@codemirror/view';

/** Replacements for the colors of CodeMirror's default style, which is only for light pages. */
const colors: Readonly<Record<string, string>> = {
  // Keywords
  '#708': 'light-dark(#7a2fb5, #c9a6f5)',
  // Booleans and null
  '#219': 'light-dark(#a1470a, #f2b27a)',
  // Numbers
  '#164': 'light-dark(#a1470a, #f2b27a)',
  // Strings
  '#a11': 'light-dark(#2b6a3f, #8fd6a4)',
  '#e40': 'light-dark(#2b6a3f, #8fd6a4)',
  // Types
  '#085': 'light-dark(#0b6478, #83cfe0)',
  // Comments
  '#940': 'var(--mantine-color-dimmed)',
};

export const sqlHighlighting: HighlightStyle = HighlightStyle.define(
  defaultHighlightStyle.specs.map((spec) =>
    typeof spec.color === 'string' ? { ...spec, color: colors[spec.color] ?? 'inherit' } : spec,
  ),
);

export const sqlTheme = EditorView.theme({
  '&': {
    height: '100%',
    backgroundColor: 'var(--mantine-color-body)',
    color: 'var(--mantine-color-text)',
    fontSize: '13px',
  },
  '&.cm-focused': { outline: '2px solid var(--mantine-primary-color-filled)', outlineOffset: '-1px' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.6' },
  '.cm-content': { caretColor: 'var(--mantine-color-text)' },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
  '.cm-gutters': {
    backgroundColor: 'transparent',
    color: 'var(--mantine-color-dimmed)',
    borderRight: '1px solid var(--atrium-line)',
  },
  '.cm-activeLine': { backgroundColor: 'var(--mantine-color-default-hover)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'light-dark(#cfd8f7, #39457a)',
  },
  '.cm-parameter': {
    backgroundColor: 'var(--mantine-primary-color-light)',
    color: 'var(--mantine-color-text)',
    borderRadius: '4px',
    fontWeight: '600',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--mantine-color-body)',
    color: 'var(--mantine-color-text)',
    border: '1px solid var(--atrium-line)',
    borderRadius: 'var(--mantine-radius-sm)',
  },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--mantine-primary-color-filled)',
    color: 'var(--mantine-primary-color-contrast)',
  },
  '.cm-completionDetail': { fontStyle: 'normal', opacity: '0.8' },
});
