import { Input } from '@mantine/core';
import { useEffect, useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import type { FormulaColumn } from '#shared/query-builder/formula/completion.ts';
import type { StructureFault } from '#shared/query-builder/generate.ts';
import { openFormulaEditor, type FormulaEditorHandle } from './editor.ts';
import classes from './FormulaField.module.css';

/** An editor of a formula, which completes columns and functions and marks what is wrong. */
export function FormulaField({
  columns,
  fault,
  description,
  formula,
  hasAggregates = false,
  onChange,
}: {
  /** The columns that it can refer to. */
  readonly columns: readonly FormulaColumn[];
  readonly fault: Pick<StructureFault, 'message' | 'range'> | undefined;
  readonly description: string;
  readonly formula: string;
  /** Whether it computes one value of many rows, with aggregates. */
  readonly hasAggregates?: boolean;
  readonly onChange: (formula: string) => void;
}): ReactNode {
  const id = useId();
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<FormulaEditorHandle>(null);
  // The editor is created only once, but uses the latest columns and calls the latest callback.
  const latest = useRef({ formula, columns, hasAggregates, onChange });
  useLayoutEffect(() => {
    latest.current = { formula, columns, hasAggregates, onChange };
  });
  useLayoutEffect(() => {
    if (place.current === null) return;
    const opened = openFormulaEditor(place.current, {
      text: latest.current.formula,
      label: t('Formula'),
      describedBy: id,
      names: () => latest.current,
      onChange: (changed) => latest.current.onChange(changed),
    });
    editor.current = opened;
    return () => {
      editor.current = null;
      opened.destroy();
    };
  }, [id]);
  // Effects that run later would take back what was typed after the drawing.
  useLayoutEffect(() => editor.current?.setText(formula), [formula]);
  useEffect(() => editor.current?.setFault(fault), [fault]);
  return (
    <div>
      <Input.Label component="div">{t('Formula')}</Input.Label>
      <Input.Description id={id} mb={4}>
        {description}
      </Input.Description>
      <div ref={place} className={classes.editor} />
    </div>
  );
}
