import { createElement, Fragment, type ReactElement, type ReactNode } from 'react';
import { partsOf } from '#shared/language/messages.ts';

type Element = (content: ReactNode) => ReactElement;

/**
 * Returns a message that has elements in it: `rich('Sign in to <b>{name}</b>.', { name, b: (text) => <b>{text}</b> })`. As with
 * `t`, its key is the English text.
 */
export function rich(
  message: string,
  values: Readonly<Record<string, string | number | ReactElement | Element>>,
): ReactNode {
  const plain = Object.entries(values).filter(
    (entry): entry is [string, string | number | ReactElement] => typeof entry[1] !== 'function',
  );
  const parts = partsOf<ReactNode>(message, Object.fromEntries(plain), (tag, content) => {
    const element = values[tag];
    const children = createElement(Fragment, null, ...content);
    return typeof element === 'function' ? element(children) : children;
  });
  return createElement(Fragment, null, ...parts);
}
