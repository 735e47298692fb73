import { CloseButton, Collapse, Group, Stack, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { t } from '#shared/language/messages.ts';
import classes from './Builder.module.css';
import { useBuilder } from './context.ts';
import { Faults } from './Faults.tsx';
import type { Step } from './up-to.ts';

/** One item of a step, such as a filter: it is shown in words, and opens to be edited. */
export function StepItem({
  step,
  item,
  pointer,
  label,
  remove,
  children,
}: {
  readonly step: Step;
  /** Unique in the step. */
  readonly item: number;
  /** Where the item is in the structure. */
  readonly pointer: string;
  readonly label: string;
  readonly remove: () => void;
  readonly children: ReactNode;
}): ReactNode {
  const { faults, open, setOpen } = useBuilder();
  const editor = useRef<HTMLDivElement>(null);
  const isOpen = open?.step === step && open.item === item;
  const isNew = isOpen && open.isNew;
  const Icon = isOpen ? IconChevronDown : IconChevronRight;
  useEffect(() => {
    if (isNew) editor.current?.querySelector<HTMLElement>('input, .cm-content, button')?.focus();
  }, [isNew]);
  return (
    <div className={classes.item} data-open={isOpen || undefined}>
      <Group gap={2} wrap="nowrap">
        <UnstyledButton
          className={classes.itemLabel}
          aria-expanded={isOpen}
          data-item
          onClick={() => setOpen(isOpen ? undefined : { step, item, isNew: false })}
        >
          <Icon size={14} aria-hidden />
          <span>{label}</span>
        </UnstyledButton>
        <CloseButton
          size="sm"
          aria-label={t('Remove {label}', { label })}
          onClick={(event) => {
            const card = event.currentTarget.closest<HTMLElement>('[data-step]');
            removeAndFocus(card, event.currentTarget, () => {
              setOpen(undefined);
              remove();
            });
          }}
        />
      </Group>
      <Faults
        faults={faults.filter(
          (fault) => fault.pointer === pointer || fault.pointer.startsWith(`${pointer}/`),
        )}
      />
      <Collapse expanded={isOpen}>
        {isOpen && (
          <Stack
            ref={editor}
            gap="xs"
            pt={6}
            px={4}
            pb={4}
            role="group"
            aria-label={label}
            onKeyDown={(event) => {
              if (event.key !== 'Escape' || isOfList(event.target)) return;
              const button = event.currentTarget
                .closest(`.${classes.item}`)
                ?.querySelector<HTMLElement>('[data-item]');
              setOpen(undefined);
              button?.focus();
            }}
          >
            {children}
          </Stack>
        )}
      </Collapse>
    </div>
  );
}

/** Whether a key that was pressed in an element closes its list. */
const isOfList = (target: EventTarget): boolean =>
  target instanceof Element &&
  (target.getAttribute('aria-expanded') === 'true' || target.closest('.cm-editor') !== null);

/** Removes an item. The focus moves to the item that takes its place, or else to the one before, or to what adds one. */
function removeAndFocus(card: HTMLElement | null, button: HTMLElement, remove: () => void): void {
  const step = card?.dataset['step'] ?? '';
  const items = () => [...(card?.querySelectorAll<HTMLElement>('[data-item]') ?? [])];
  const at = items().findIndex((item) => item.parentElement === button.parentElement);
  flushSync(remove);
  const left = items();
  const next = card?.isConnected === true ? left[Math.min(at, left.length - 1)] : undefined;
  (next ?? document.querySelector<HTMLElement>(`[data-add-step="${step}"]`))?.focus();
}
