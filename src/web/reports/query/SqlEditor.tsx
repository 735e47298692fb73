import { useEffect, useImperativeHandle, useLayoutEffect, useRef, type ReactNode, type Ref } from 'react';
import type { SourceDialect } from '../../data-sources/kinds/dialects.ts';
import { openSqlEditor, type SqlEditorHandle, type SqlFault, type SqlNames } from './sql-editor.ts';
import classes from './SqlEditor.module.css';

/** What other components can do with the editor. */
export type SqlEditorActions = Pick<SqlEditorHandle, 'insert'>;

/** An editor for the query that completes names and marks errors. */
export function SqlEditor({
  text,
  names,
  dialect,
  fault,
  onChange,
  onRun,
  actions,
}: {
  readonly text: string;
  readonly names: SqlNames;
  readonly dialect: SourceDialect | undefined;
  readonly fault: SqlFault | undefined;
  readonly onChange: (text: string) => void;
  readonly onRun: () => void;
  readonly actions?: Ref<SqlEditorActions>;
}): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<SqlEditorHandle>(null);
  // The editor is created only once, but calls the latest callbacks.
  const latest = useRef({ text, names, onChange, onRun });
  useLayoutEffect(() => {
    latest.current = { text, names, onChange, onRun };
  });

  useLayoutEffect(() => {
    if (place.current === null) return;
    const opened = openSqlEditor(place.current, {
      text: latest.current.text,
      names: latest.current.names,
      onChange: (changed) => latest.current.onChange(changed),
      onRun: () => latest.current.onRun(),
    });
    editor.current = opened;
    return () => {
      editor.current = null;
      opened.destroy();
    };
  }, []);
  // Effects that run later would take back what was typed after the drawing.
  useLayoutEffect(() => editor.current?.setText(text), [text]);
  useEffect(() => editor.current?.setNames(names), [names]);
  useEffect(() => editor.current?.setDialect(dialect), [dialect]);
  useEffect(() => editor.current?.setFault(fault), [fault]);
  useImperativeHandle(actions, () => ({ insert: (inserted) => editor.current?.insert(inserted) }), []);
  return <div ref={place} className={classes.editor} />;
}
