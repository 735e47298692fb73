import { useLayoutEffect, useState, type RefObject } from 'react';

/** How far from the visible part of the page something is loaded, in pixels. */
const marginPx = 300;

/** Returns whether an element has come into view, or near it. It stays so. Found before the first paint if possible. */
export function useIsNear(element: RefObject<Element | null>): boolean {
  const [isNear, setIsNear] = useState(false);
  useLayoutEffect(() => {
    const { current } = element;
    if (isNear || current === null) return undefined;
    const { top, bottom } = current.getBoundingClientRect();
    if (top < window.innerHeight + marginPx && bottom > -marginPx) {
      setIsNear(true);
      return undefined;
    }
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setIsNear(true);
      },
      { rootMargin: `${marginPx}px 0px` },
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, [element, isNear]);
  return isNear;
}
